package localcluster

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"syscall"
	"time"

	"golang.org/x/sync/errgroup"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/clientcmd"
)

// Cluster is a control plane in a folder. Any number of processes may hold one for the same
// folder; what runs is asked of the system each time.
type Cluster struct {
	dir     dir
	out     io.Writer
	started string // settings.Start, if this process has started the cluster
}

// In is the cluster in a folder, whether or not it runs. What happens is told to out.
func In(folder string, out io.Writer) (*Cluster, error) {
	d, err := newDir(folder)
	if err != nil {
		return nil, err
	}
	return &Cluster{dir: d, out: out}, nil
}

// Options are what the cluster was last asked to be, or the defaults for a new one.
func (c *Cluster) Options() (Options, error) {
	s, err := c.dir.readSettings()
	if errors.Is(err, fs.ErrNotExist) {
		return DefaultOptions(), nil
	}
	return s.Options, err
}

// Kubeconfig is the path of the file that makes its reader the administrator.
func (c *Cluster) Kubeconfig() string { return c.dir.path("kubeconfig") }

// Folder is where everything of the cluster is.
func (c *Cluster) Folder() string { return string(c.dir) }

// Down stops every component, the ones that depend on others first. The folder keeps the logs
// and the data.
func (c *Cluster) Down() error {
	if _, err := os.Stat(c.dir.path("run")); errors.Is(err, fs.ErrNotExist) {
		if _, err := os.Stat(c.dir.settingsFile()); err == nil {
			return fmt.Errorf("%s is missing, which tells what runs: look for it with ps -ef | grep %s",
				c.dir.path("run"), c.dir)
		}
		fmt.Fprintf(c.out, "There is no cluster in %s.\n", c.dir)
		return nil
	}
	release, err := c.claim(time.Minute)
	if err != nil {
		return err
	}
	defer release()
	if err := c.stop(); err != nil {
		return err
	}
	fmt.Fprintf(c.out, "The cluster in %s is down. Its data and logs are kept there.\n", c.dir)
	return nil
}

// WaitUntilDown returns when ctx is done, and before that when the cluster that this process has
// started was taken down by another. Then gone is true, and what runs now is not ours.
func (c *Cluster) WaitUntilDown(ctx context.Context) (gone bool) {
	return poll(ctx, 500*time.Millisecond, func() error {
		s, err := c.dir.readSettings()
		if err == nil && s.Start == c.started && len(c.running()) > 0 {
			return errors.New("is up")
		}
		return nil
	}) == nil
}

func (c *Cluster) stop() error {
	var clients errgroup.Group
	clients.Go(c.stopNodes)
	clients.Go(c.dir.process(coredns).stop)
	for _, name := range Components {
		if name != etcd && name != apiserver {
			clients.Go(func() error { return c.dir.process(name).stop() })
		}
	}
	return errors.Join(
		clients.Wait(),
		c.dir.process(apiserver).stop(),
		c.dir.process(etcd).stop(),
		c.releaseNetwork(),
	)
}

// claim makes sure that of all processes only this one starts or stops parts of the cluster.
func (c *Cluster) claim(patience time.Duration) (release func(), err error) {
	if err := os.MkdirAll(c.dir.path("run"), 0o700); err != nil {
		return nil, err
	}
	guard, err := os.OpenFile(c.dir.path("run", "cluster.lock"), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	waiting, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	if poll(waiting, 50*time.Millisecond, func() error { return flock(guard, syscall.LOCK_EX) }) != nil {
		_ = guard.Close()
		return nil, fmt.Errorf("another localcluster is starting or stopping the cluster in %s: try again when "+
			"it is done", c.dir)
	}
	return func() { _ = guard.Close() }, nil
}

// Kill ends a component at once, as a crash would.
func (c *Cluster) Kill(name string) error {
	if _, err := c.component(name); err != nil {
		return err
	}
	process := c.dir.process(name)
	if _, running := process.runs(); !running {
		return fmt.Errorf("%s does not run", name)
	}
	return process.kill()
}

// Restart stops a component if it runs, starts it as it was first started, and returns once it
// is ready.
func (c *Cluster) Restart(ctx context.Context, name string) error {
	s, err := c.component(name)
	if err != nil {
		return err
	}
	release, err := c.claim(time.Minute)
	if err != nil {
		return err
	}
	defer release()
	running := c.running()
	if len(running) == 0 {
		return fmt.Errorf("the cluster is down: start it with localcluster up --dir %s", c.dir)
	}
	if needed := neededBy(name); needed != "" && !slices.Contains(running, needed) {
		return fmt.Errorf("%s needs %s, which does not run: restart %s first", name, needed, needed)
	}
	if kind, node, onReal := splitComponent(name); onReal && kind == machineName {
		return errors.Join(c.stopNode(node), c.launchNode(ctx, node, s))
	}
	if err := c.dir.process(name).stop(); err != nil {
		return err
	}
	if err := c.launch(ctx, name, s); err != nil || name != apiserver {
		return err
	}
	return c.wakeCRDs(ctx)
}

func (c *Cluster) component(name string) (settings, error) {
	s, err := c.dir.readSettings()
	if err != nil && slices.Contains(everyComponent(), name) {
		return s, err
	}
	return s, s.checkComponent(name)
}

func (c *Cluster) client() (kubernetes.Interface, error) {
	config, err := clientcmd.BuildConfigFromFlags("", c.Kubeconfig())
	if err != nil {
		return nil, err
	}
	config.QPS = -1
	config.ContentType = runtime.ContentTypeProtobuf
	return kubernetes.NewForConfig(config)
}

package cluster

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
)

// Cluster is a running control plane.
type Cluster struct {
	folder string
	config *rest.Config
	stop   func() error
}

// Start brings up a cluster in a folder of its own with the given arguments of localcluster up,
// and returns once it is ready.
func Start(arguments ...string) (*Cluster, error) {
	folder, err := os.MkdirTemp("", "takt-")
	if err != nil {
		return nil, err
	}
	c, err := StartIn(context.Background(), folder, arguments...)
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(folder))
	}
	stop := c.stop
	c.stop = func() error { return errors.Join(stop(), os.RemoveAll(folder)) }
	return c, nil
}

// StartIn is Start in a given folder, which stays when the cluster is stopped. A start that is under
// way when the context ends is given up.
func StartIn(ctx context.Context, folder string, arguments ...string) (*Cluster, error) {
	stop, err := up(ctx, folder, arguments)
	if err != nil {
		return nil, err
	}
	c, err := Use(folder)
	if err != nil {
		return nil, errors.Join(err, stop())
	}
	c.stop = stop
	return c, nil
}

// Use is the cluster that runs in a folder. Stopping it leaves it running.
func Use(folder string) (*Cluster, error) {
	c := &Cluster{folder: folder, stop: func() error { return nil }}
	var err error
	if c.config, err = clientcmd.BuildConfigFromFlags("", c.Kubeconfig()); err != nil {
		return nil, err
	}
	c.config.QPS = -1
	return c, nil
}

// up runs localcluster up, and returns once it says that the cluster is ready.
func up(ctx context.Context, folder string, arguments []string) (stop func() error, err error) {
	cmd := exec.Command(Program("localcluster"), append([]string{"up", "--until-stdin-closes", "--dir", folder}, arguments...)...) //nolint:noctx // it must not be killed, but come to its end
	var complaint bytes.Buffer
	cmd.Stderr = &complaint
	stdin, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("cannot run localcluster (make localcluster builds it): %w", err)
	}
	defer context.AfterFunc(ctx, func() { _ = stdin.Close() })()
	stop = func() error {
		_ = stdin.Close()
		_, _ = io.Copy(io.Discard, stdout)
		if err := cmd.Wait(); err != nil {
			return fmt.Errorf("localcluster up: %w\n%s", err, complaint.String())
		}
		return nil
	}
	lines := bufio.NewScanner(stdout)
	for lines.Scan() {
		if strings.HasPrefix(lines.Text(), "The cluster is ready.") {
			return stop, nil
		}
	}
	return nil, cmp.Or(stop(), errors.New("localcluster up has ended without saying why"))
}

// Config is how clients connect, as the administrator and without a rate limit.
func (c *Cluster) Config() *rest.Config { return rest.CopyConfig(c.config) }

// Kubeconfig is the path of the kubeconfig file.
func (c *Cluster) Kubeconfig() string { return filepath.Join(c.folder, "kubeconfig") }

// Stop takes the cluster down, if it was started here, and removes its folder, if Start made it.
func (c *Cluster) Stop() error { return c.stop() }

// Folder is where everything of the cluster is.
func (c *Cluster) Folder() string { return c.folder }

// Component does something to a component of the cluster: it can kill and restart one.
func (c *Cluster) Component(ctx context.Context, do, name string) error {
	text, err := exec.CommandContext(ctx, Program("localcluster"), do, name, "--dir", c.folder).CombinedOutput()
	if err != nil {
		return fmt.Errorf("localcluster %s %s: %w\n%s", do, name, err, text)
	}
	return nil
}

// Kubectl runs kubectl in the root folder of the repository, and gives what it printed.
func (c *Cluster) Kubectl(ctx context.Context, arguments ...string) (string, error) {
	return c.KubectlWith(ctx, "", arguments...)
}

// KubectlWith is Kubectl with a standard input, such as a manifest for apply -f -.
func (c *Cluster) KubectlWith(ctx context.Context, input string, arguments ...string) (string, error) {
	kubectl := exec.CommandContext(ctx, Program("kubectl"), arguments...)
	kubectl.Dir = Root()
	kubectl.Stdin = strings.NewReader(input)
	kubectl.Env = append(os.Environ(), "KUBECONFIG="+c.Kubeconfig(), "KUBECACHEDIR="+filepath.Join(c.folder, "kubectl"))
	output, err := kubectl.CombinedOutput()
	if err != nil {
		return string(output), fmt.Errorf("kubectl %s: %w\n%s", strings.Join(arguments, " "), err, output)
	}
	return string(output), nil
}

// Program is the path of a program that make builds.
func Program(name string) string { return filepath.Join(Root(), "bin", name) }

// Root is the root folder of the repository, in or below which this program was started. What is built with -trimpath
// does not know where its source is.
var Root = sync.OnceValue(func() string {
	folder, err := os.Getwd()
	if err != nil {
		panic(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(folder, "localcluster", "go.mod")); err == nil {
			return folder
		}
		above := filepath.Dir(folder)
		if above == folder {
			panic("this is not in the repository of Takt: run it there")
		}
		folder = above
	}
})

// shared is the one cluster of a test run.
var shared *Cluster

// Run is the body of a TestMain: it runs the tests of a package on the cluster that they share,
// with the CRDs of Takt, and returns the exit code.
func Run(m *testing.M) int {
	code, err := run(m)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return code
}

// RunAlone is Run on a cluster that is started for the package whatever runs already, with the given
// arguments of localcluster up: for tests that would disturb others.
func RunAlone(m *testing.M, arguments ...string) int {
	code, err := runOn(m, func() (*Cluster, error) { return Start(arguments...) })
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return code
}

func run(m *testing.M) (code int, err error) {
	return runOn(m, func() (*Cluster, error) {
		if folder := os.Getenv("TAKT_CLUSTER"); folder != "" {
			return Use(folder)
		}
		return Start()
	})
}

func runOn(m *testing.M, start func() (*Cluster, error)) (code int, err error) {
	account := Account()
	defer func() { err = errors.Join(err, account()) }()
	if shared, err = start(); err != nil {
		return 1, err
	}
	defer func() { err = errors.Join(err, shared.Stop()) }()
	if err := shared.InstallCRDs(context.Background()); err != nil {
		return 1, err
	}
	return m.Run(), nil
}

// Shared is the cluster that Run started.
func Shared() *Cluster { return shared }

// Own starts a cluster for one test, with the kinds of Takt, which goes with the test.
func Own(t testing.TB, arguments ...string) *Cluster {
	t.Helper()
	c, err := Start(arguments...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := c.Stop(); err != nil {
			t.Error(err)
		}
	})
	if err := c.InstallCRDs(t.Context()); err != nil {
		t.Fatal(err)
	}
	return c
}

// InstallCRDs makes the kinds of Takt known.
func (c *Cluster) InstallCRDs(ctx context.Context) error {
	_, err := c.Kubectl(ctx, "apply", "--server-side", "-k", "config/crd")
	if err != nil {
		return err
	}
	// For a CRD that has no conditions yet, kubectl does not wait: it fails.
	late := wait.PollUntilContextTimeout(ctx, 100*time.Millisecond, time.Minute, true,
		func(context.Context) (bool, error) {
			_, err = c.Kubectl(ctx, "wait", "--for=condition=Established", "--timeout=10s", "-f", "config/crd/bases")
			return err == nil, nil
		})
	if late != nil {
		return errors.Join(late, err)
	}
	return c.awaitDiscovery(ctx)
}

// awaitDiscovery waits until kubectl is told of the kinds of Takt, with their short names: the API server tells of them
// a moment after it serves them, and what kubectl was told it keeps for those who ask it next.
func (c *Cluster) awaitDiscovery(ctx context.Context) error {
	files, err := filepath.Glob(filepath.Join(Root(), "config", "crd", "bases", "*.yaml"))
	if err != nil {
		return err
	}
	var told string
	late := wait.PollUntilContextTimeout(ctx, 100*time.Millisecond, time.Minute, true,
		func(ctx context.Context) (bool, error) {
			told, err = c.Kubectl(ctx, "api-resources", "--api-group=takt.dev", "--output=name")
			return err == nil && strings.Count(told, "\n") >= len(files), nil
		})
	if late != nil {
		return errors.Join(fmt.Errorf("%w: kubectl is told of %q, and not of all %d kinds of Takt", late, told,
			len(files)), err)
	}
	return nil
}

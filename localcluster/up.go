package localcluster

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os/exec"
	"slices"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Up starts the cluster and returns once it is ready for work. A cluster that was taken down
// comes back with all its objects. When it fails, nothing is left running.
func (c *Cluster) Up(ctx context.Context, o Options) error {
	if err := o.validate(); err != nil {
		return err
	}
	if o.Kubelets > 0 {
		if err := c.dir.checkRealNodes(); err != nil {
			return err
		}
	}
	release, err := c.claim(0)
	if err != nil {
		return err
	}
	defer release()
	if running := c.running(); len(running) > 0 {
		return fmt.Errorf("a cluster runs in %s already (%s): use it, or take it down with localcluster down --dir %s",
			c.dir, strings.Join(running, ", "), c.dir)
	}
	err = c.start(ctx, o)
	if err != nil && (len(c.running()) > 0 || o.Kubelets > 0) {
		fmt.Fprintln(c.out, "Taking down what was started.")
		err = errors.Join(err, c.stop())
	}
	return err
}

func (c *Cluster) running() []string {
	return slices.DeleteFunc(everyComponent(), func(name string) bool {
		_, running := c.dir.process(name).runs()
		return !running
	})
}

func (c *Cluster) start(ctx context.Context, o Options) error {
	begin := time.Now()
	report := func(what string) {
		fmt.Fprintf(c.out, "%-24s ready after %.1f s\n", what, time.Since(begin).Seconds())
	}
	before, err := c.dir.readSettings()
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	ports, claim, err := claimPorts(before.Ports, portNames())
	if err != nil {
		return err
	}
	defer claim.Close()
	c.started = rand.Text()
	s := settings{Start: c.started, Options: o, Ports: ports}
	if err := c.settle(ctx, &s, before); err != nil {
		return err
	}
	launch := func(ctx context.Context, name string) error {
		if err := c.launch(ctx, name, s); err != nil {
			return err
		}
		report(name)
		return nil
	}
	for _, name := range []string{etcd, apiserver} {
		if err := launch(ctx, name); err != nil {
			return err
		}
	}
	client, err := c.client()
	if err != nil {
		return err
	}
	group, groupCtx := errgroup.WithContext(ctx)
	group.Go(func() error { return launch(groupCtx, controllerManager) })
	group.Go(func() error { return launch(groupCtx, scheduler) })
	group.Go(func() error { return syncNodes(groupCtx, client, o) })
	group.Go(func() error {
		if err := c.install(groupCtx, s); err != nil {
			return err
		}
		return c.launchInstalled(groupCtx, s, launch)
	})
	if err := group.Wait(); err != nil {
		return err
	}
	if err := poll(ctx, 200*time.Millisecond, func() error { return checkNodes(ctx, client, o, begin) }); err != nil {
		return fmt.Errorf("the cluster does not become ready: %w", err)
	}
	report(fmt.Sprintf("nodes: %d", o.Nodes+o.Kubelets))
	return nil
}

// settle finds a network for the real nodes, if there are to be some, and writes down how the cluster is started.
func (c *Cluster) settle(ctx context.Context, s *settings, before settings) (err error) {
	if s.Options.Kubelets > 0 {
		if s.Network, err = claimNetwork(ctx, before.Network, string(c.dir)); err != nil {
			return err
		}
	}
	if err := c.dir.writeSettings(*s); err != nil {
		return errors.Join(err, s.Network.release(ctx, string(c.dir)))
	}
	return c.dir.configure(*s)
}

// launchInstalled launches what needs the objects that install applies.
func (c *Cluster) launchInstalled(ctx context.Context, s settings, launch func(context.Context, string) error) error {
	group, groupCtx := errgroup.WithContext(ctx)
	group.Go(func() error { return launch(groupCtx, kwok) })
	group.Go(func() error { return launch(groupCtx, trainingOperator) })
	for node := range s.Options.Kubelets {
		group.Go(func() error { return c.launchNode(groupCtx, node, s) })
	}
	if s.Options.Kubelets > 0 {
		group.Go(func() error { return launch(groupCtx, coredns) })
	}
	return group.Wait()
}

// install applies what the components need before they start, and waits until it is in force.
func (c *Cluster) install(ctx context.Context, s settings) error {
	apply := []string{"apply", "--server-side", "--force-conflicts"}
	files := []string{c.dir.path("cluster.yaml"), c.dir.path("kubeflow-webhooks.yaml")}
	if s.Options.Kubelets > 0 {
		files = append(files, c.dir.path("realnodes.yaml"))
	}
	for _, file := range files {
		apply = append(apply, "--filename="+file)
	}
	kubeflow, err := libraryFile("kubeflow")
	if err != nil {
		return err
	}
	if err := c.kubectl(ctx, append(apply, "--filename="+kubeflow)...); err != nil {
		return err
	}
	if err := c.wakeCRDs(ctx); err != nil {
		return err
	}
	waiting, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	// For a CRD that has no conditions yet, kubectl does not wait: it fails.
	return poll(waiting, 100*time.Millisecond, func() error {
		return c.kubectl(ctx, "wait", "--for=condition=Established", "--timeout=10s",
			"crd/pytorchjobs.kubeflow.org", "crd/tfjobs.kubeflow.org")
	})
}

// wakeCRDs changes every CRD a little. One that was created just before the API server went down
// would otherwise never be served: it is established when it changes, and not on a start.
func (c *Cluster) wakeCRDs(ctx context.Context) error {
	return c.kubectl(ctx, "annotate", "customresourcedefinitions", "--all", "--overwrite",
		fmt.Sprintf("localcluster.takt.dev/woken=%d", time.Now().UnixNano()))
}

func (c *Cluster) kubectl(ctx context.Context, args ...string) error {
	program, err := libraryFile("kubernetes")
	if err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, program, append([]string{"kubectl", "--kubeconfig=" + c.Kubeconfig()}, args...)...)
	cmd.Env = c.dir.environment()
	if output, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("kubectl %s: %w\n%s", args[0], err, output)
	}
	return nil
}

// launch starts one component and waits until it is ready, or has ended, or ctx is done.
func (c *Cluster) launch(ctx context.Context, name string, s settings) error {
	program, err := s.program(name)
	if err != nil {
		return err
	}
	if name == kwok {
		if err := c.releaseNodes(ctx); err != nil {
			return err
		}
	}
	process := c.dir.process(name)
	if err := c.dir.start(name, program, c.dir.arguments(name, s), c.dir.environment()); err != nil {
		return err
	}
	if err := c.afterStart(ctx, name, s); err != nil {
		return err
	}
	client, err := c.dir.httpClient()
	if err != nil {
		return err
	}
	defer client.CloseIdleConnections()
	waiting, stop := context.WithCancel(ctx)
	defer stop()
	ended := false
	err = poll(waiting, 50*time.Millisecond, func() error {
		if _, running := process.runs(); !running {
			ended = true
			stop()
		}
		return checkReady(waiting, client, name, s)
	})
	switch {
	case ended:
		return fmt.Errorf("%s ended while it started; the end of %s:\n%s", name, process.logFile, process.logTail(8))
	case err != nil:
		return fmt.Errorf("%s does not become ready: %w; see %s", name, err, process.logFile)
	}
	return c.afterReady(ctx, name)
}

// releaseNodes drops the leases by which a KWOK that is gone still holds its nodes: the next one
// would wait for them to run out, and play no pod until then.
func (c *Cluster) releaseNodes(ctx context.Context) error {
	client, err := c.client()
	if err != nil {
		return err
	}
	var notReal []string
	for node := range maxKubelets {
		notReal = append(notReal, "metadata.name!="+realNodeName(node))
	}
	err = client.CoordinationV1().Leases(corev1.NamespaceNodeLease).DeleteCollection(ctx, metav1.DeleteOptions{},
		metav1.ListOptions{FieldSelector: strings.Join(notReal, ",")})
	if err != nil {
		return fmt.Errorf("cannot take over the nodes from the last kwok: %w", err)
	}
	return nil
}

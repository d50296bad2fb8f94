package localcluster

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/takt-dev/takt/localcluster/image"
	"github.com/takt-dev/takt/localcluster/machine"
)

// nodeProgram is the binary that localcluster itself starts for a component of a node: for all but the first process
// it is their parent inside the node.
func nodeProgram(string) (string, error) { return libraryFile("machine") }

// nodeArguments are what the first process of a node, or the parent of another, is called with.
func (d dir) nodeArguments(kind string, node int, s settings) []string {
	run := func(program string, arguments ...string) []string {
		return append([]string{"run", kind, program}, arguments...)
	}
	file := func(name string) string { return d.nodePath(node, name) }
	library, _ := libraryFile("node") // checkRealNodes has found it
	switch kind {
	case machineName:
		return []string{"enter", file("machine.json")}
	case containerdName:
		return run("containerd", "--config", file("containerd.toml"))
	case kubeletName:
		return run(library,
			"--config="+file("kubelet.yaml"),
			"--kubeconfig="+d.path("pki", componentOn(kubeletName, node)+".kubeconfig"),
			"--hostname-override="+realNodeName(node),
			"--node-ip="+s.Network.node(node),
		)
	default:
		return run(library, "--config="+file("kube-proxy.yaml"))
	}
}

// launchNode starts all components of a node, one after the other.
func (c *Cluster) launchNode(ctx context.Context, node int, s settings) error {
	for _, name := range componentsOn(node) {
		if err := c.launch(ctx, name, s); err != nil {
			return err
		}
	}
	return nil
}

// afterStart does what a component of a node cannot do for itself once it has started, before it can be ready.
func (c *Cluster) afterStart(ctx context.Context, name string, s settings) error {
	kind, node, onReal := splitComponent(name)
	if !onReal || kind != machineName {
		return nil
	}
	pid, running := c.dir.process(name).runs()
	if !running || pid == 0 {
		return fmt.Errorf("%s ended while it started; see %s", name, c.dir.process(name).logFile)
	}
	return s.Network.attach(ctx, node, pid, machine.Uplink)
}

// afterReady does what is to be done once a component of a node is ready, before others need it.
func (c *Cluster) afterReady(ctx context.Context, name string) error {
	kind, node, onReal := splitComponent(name)
	if !onReal || kind != containerdName {
		return nil
	}
	pause, err := libraryFile("pause")
	if err != nil {
		return err
	}
	return c.importInto(ctx, image.Image{Name: pauseImage, Binaries: []string{pause}}, node)
}

// ImportImage makes an image known to all real nodes.
func (c *Cluster) ImportImage(ctx context.Context, i image.Image) error {
	nodes, err := c.realNodes()
	if err != nil {
		return err
	}
	if err := c.importInto(ctx, i, nodes...); err != nil {
		return err
	}
	fmt.Fprintf(c.out, "All %d real nodes have the image %s.\n", len(nodes), i.Name)
	return nil
}

// LoadArchive makes the images of an archive known to all real nodes.
func (c *Cluster) LoadArchive(ctx context.Context, archive string) error {
	nodes, err := c.realNodes()
	if err != nil {
		return err
	}
	if err := c.loadInto(ctx, archive, nodes...); err != nil {
		return err
	}
	fmt.Fprintf(c.out, "All %d real nodes have what is in %s.\n", len(nodes), archive)
	return nil
}

// realNodes are the numbers of all real nodes, of which there must be some.
func (c *Cluster) realNodes() ([]int, error) {
	s, err := c.dir.readSettings()
	if err != nil {
		return nil, err
	}
	if s.Options.Kubelets == 0 {
		return nil, errors.New("the cluster has no real nodes, and simulated ones need no image: start it with --kubelets " +
			"1 or more")
	}
	var nodes []int
	for node := range s.Options.Kubelets {
		nodes = append(nodes, node)
	}
	return nodes, nil
}

func (c *Cluster) importInto(ctx context.Context, i image.Image, nodes ...int) error {
	archive, err := os.CreateTemp(c.dir.path("tmp"), "image-")
	if err != nil {
		return err
	}
	defer os.Remove(archive.Name()) //nolint:errcheck // it is in the folder for temporary files
	defer archive.Close()
	if err := i.Write(archive); err != nil {
		return err
	}
	if err := c.loadInto(ctx, archive.Name(), nodes...); err != nil {
		return fmt.Errorf("the image %s: %w", i.Name, err)
	}
	return nil
}

func (c *Cluster) loadInto(ctx context.Context, archive string, nodes ...int) error {
	group, groupCtx := errgroup.WithContext(ctx)
	for _, node := range nodes {
		group.Go(func() error {
			content, err := os.Open(archive)
			if err != nil {
				return err
			}
			defer content.Close()
			ctr := exec.CommandContext(groupCtx, "ctr", "-n", "k8s.io", "images", "import", "-")
			ctr.Stdin = content
			var said strings.Builder
			ctr.Stdout, ctr.Stderr = &said, &said
			if err := c.dir.startOn(node, ctr); err != nil {
				return err
			}
			if err := ctr.Wait(); err != nil {
				return fmt.Errorf("%s does not take %s: %w\n%s", realNodeName(node), archive, err, said.String())
			}
			return nil
		})
	}
	return group.Wait()
}

// startOn starts a program inside a node.
func (d dir) startOn(node int, cmd *exec.Cmd) error {
	name := componentOn(machineName, node)
	pid, running := d.process(name).runs()
	if !running || pid == 0 {
		return fmt.Errorf("%s does not run", name)
	}
	return startInside(cmd, pid)
}

// start starts the process of a component where it belongs.
func (d dir) start(name, program string, arguments, env []string) error {
	kind, node, onReal := splitComponent(name)
	how := (*exec.Cmd).Start
	switch {
	case onReal && kind == machineName:
		how = startApart
	case onReal:
		how = func(cmd *exec.Cmd) error { return d.startOn(node, cmd) }
	}
	return d.process(name).start(program, arguments, env, how)
}

// releaseNetwork removes the links of the system to its real nodes.
func (c *Cluster) releaseNetwork() error {
	s, err := c.dir.readSettings()
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	return s.Network.release(ctx, string(c.dir))
}

// stopNodes ends all that runs on real nodes, and removes what the system holds of them.
func (c *Cluster) stopNodes() error {
	var nodes errgroup.Group
	for node := range maxKubelets {
		nodes.Go(func() error { return c.stopNode(node) })
	}
	return nodes.Wait()
}

// stopNode ends a node as switching it off would, once its components have said good-bye: with its first process the
// system ends all others in it.
func (c *Cluster) stopNode(node int) error {
	var failed error
	for _, kind := range []string{kubeletName, proxyName, containerdName, machineName} {
		failed = errors.Join(failed, c.dir.process(componentOn(kind, node)).stop())
	}
	return errors.Join(failed, removeCgroups(c.dir.nodePath(node, "")))
}

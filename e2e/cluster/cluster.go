// Package cluster gives tests a real control plane: it starts bin/localcluster once for a test
// run, and every test works in a namespace of its own.
//
// The cluster ends with the test run, however that ends: localcluster holds the read end of a
// pipe whose write end dies with the test process.
package cluster

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
)

// Cluster is a running control plane.
type Cluster struct {
	folder string
	up     *exec.Cmd
	stdin  io.Closer
	config *rest.Config
}

// Start brings up a cluster with the given arguments of localcluster up, and returns once it is
// ready.
func Start(ctx context.Context, arguments ...string) (*Cluster, error) {
	program := filepath.Join(Root(), "bin", "localcluster")
	if _, err := os.Stat(program); err != nil {
		return nil, errors.New("bin/localcluster is missing: run make localcluster first")
	}
	folder, err := os.MkdirTemp("", "takt-")
	if err != nil {
		return nil, err
	}
	c := &Cluster{folder: folder}
	up := exec.CommandContext(ctx, program, append([]string{"up", "--until-stdin-closes", "--dir", folder}, arguments...)...)
	c.up = up
	if c.stdin, err = up.StdinPipe(); err != nil {
		return nil, err
	}
	stdout, err := up.StdoutPipe()
	if err != nil {
		return nil, err
	}
	var complaint bytes.Buffer
	up.Stderr = &complaint
	if err := up.Start(); err != nil {
		return nil, err
	}
	if !waitForReady(stdout) {
		return nil, errors.Join(fmt.Errorf("localcluster up: %s", complaint.String()), c.Stop())
	}
	go func() { _, _ = io.Copy(io.Discard, stdout) }()
	if c.config, err = clientcmd.BuildConfigFromFlags("", c.Kubeconfig()); err != nil {
		return nil, errors.Join(err, c.Stop())
	}
	c.config.QPS = -1
	return c, nil
}

// Config is how clients connect, as the administrator and without a rate limit.
func (c *Cluster) Config() *rest.Config { return rest.CopyConfig(c.config) }

// Kubeconfig is the path of the kubeconfig file.
func (c *Cluster) Kubeconfig() string { return filepath.Join(c.folder, "kubeconfig") }

// Stop takes the cluster down and removes all its files.
func (c *Cluster) Stop() error {
	return errors.Join(c.stdin.Close(), c.up.Wait(), os.RemoveAll(c.folder))
}

// Kubectl runs kubectl in the root folder of the repository, and gives what it printed.
func (c *Cluster) Kubectl(ctx context.Context, arguments ...string) (string, error) {
	kubectl := exec.CommandContext(ctx, filepath.Join(Root(), "bin", "kubectl"), arguments...)
	kubectl.Dir = Root()
	kubectl.Env = append(os.Environ(), "KUBECONFIG="+c.Kubeconfig(), "KUBECACHEDIR="+filepath.Join(c.folder, "kubectl"))
	output, err := kubectl.CombinedOutput()
	if err != nil {
		return string(output), fmt.Errorf("kubectl %s: %w\n%s", strings.Join(arguments, " "), err, output)
	}
	return string(output), nil
}

// Root is the root folder of the repository.
func Root() string {
	_, here, _, _ := runtime.Caller(0)
	return filepath.Join(filepath.Dir(here), "..", "..")
}

// shared is the one cluster of a test run.
var shared *Cluster

// Run is the body of a TestMain: it starts the cluster that the tests of a package share, with
// the CRDs of Takt, runs them, and takes it down. It returns the exit code.
func Run(m *testing.M, arguments ...string) int {
	ctx := context.Background()
	c, err := Start(ctx, arguments...)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	shared = c
	code := 1
	if err := c.installCRDs(ctx); err != nil {
		fmt.Fprintln(os.Stderr, err)
	} else {
		code = m.Run()
	}
	if err := c.Stop(); err != nil {
		fmt.Fprintln(os.Stderr, "cannot take the cluster down:", err)
		return 1
	}
	return code
}

// Shared is the cluster that Run started.
func Shared() *Cluster { return shared }

func (c *Cluster) installCRDs(ctx context.Context) error {
	if _, err := c.Kubectl(ctx, "apply", "--server-side", "-k", "config/crd"); err != nil {
		return err
	}
	_, err := c.Kubectl(ctx, "wait", "--for=condition=Established", "--timeout=1m", "-f", "config/crd/bases")
	return err
}

// waitForReady reads what localcluster up prints until it says that the cluster is ready; it is
// false when the output ends before.
func waitForReady(output io.Reader) bool {
	var seen []byte
	buffer := make([]byte, 4096)
	for {
		n, err := output.Read(buffer)
		seen = append(seen, buffer[:n]...)
		if bytes.Contains(seen, []byte("The cluster is ready.")) {
			return true
		}
		if err != nil {
			return false
		}
	}
}

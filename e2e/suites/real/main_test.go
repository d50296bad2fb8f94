// Package real trains with PyTorch under Takt: real nodes, real processes, training-operator, takt-scheduler and
// takt-operator as they are installed. The script is a normal one (testdata/train.py), and knows nothing of Takt.
//
// make e2e-real plays it. It needs root, and builds an image of a minute or two, once.
package real

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"github.com/go-logr/logr"
	ctrllog "sigs.k8s.io/controller-runtime/pkg/log"

	"github.com/takt-dev/takt/e2e/cluster"
)

const (
	trainImage = "localhost/pytorch:2.6"
	agentImage = "localhost/takt-agent:1"
)

var (
	home *cluster.Cluster
	// lacking says what keeps this machine from real training; nothing where it can be had.
	lacking string
)

func TestMain(m *testing.M) { os.Exit(run(m)) }

func run(m *testing.M) int {
	ctrllog.SetLogger(logr.Discard())
	if lacking = missing(); lacking != "" {
		return m.Run()
	}
	var err error
	if home, err = start(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	code := 1
	if err = prepare(context.Background()); err == nil {
		code = m.Run()
	}
	if err := errors.Join(err, home.Stop()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return code
}

// start starts a cluster, or takes the one that runs in the folder TAKT_CLUSTER.
func start() (*cluster.Cluster, error) {
	if folder := os.Getenv("TAKT_CLUSTER"); folder != "" {
		return cluster.Use(folder)
	}
	// There is one scheduler. Where the machine is busy it would lose its lease, and end.
	config, err := os.ReadFile(filepath.Join(cluster.Root(), "config/scheduler/instead/scheduler.yaml"))
	if err != nil {
		return nil, err
	}
	folder, err := os.MkdirTemp("", "scheduler-")
	if err != nil {
		return nil, err
	}
	file := filepath.Join(folder, "scheduler.yaml")
	alone := bytes.ReplaceAll(config, []byte("leaderElect: true"), []byte("leaderElect: false"))
	if err := os.WriteFile(file, alone, 0o600); err != nil {
		return nil, errors.Join(err, os.RemoveAll(folder))
	}
	c, err := cluster.Start("--kubelets=2", "--nodes=0", "--racks=1", "--gpus-per-node=2", "--timeout=5m",
		"--scheduler="+cluster.Program("takt-scheduler"), "--scheduler-config="+file)
	return c, errors.Join(err, os.RemoveAll(folder))
}

// missing says what real training needs and this machine lacks.
func missing() string {
	if os.Getenv("TAKT_REAL") == "" {
		return "it needs real nodes: make e2e-real plays it"
	}
	if output, err := exec.CommandContext(context.Background(), cluster.Program("localcluster"),
		"check").CombinedOutput(); err != nil {
		return string(output)
	}
	if _, err := os.Stat(cluster.Program("lib/pytorch.tar")); err != nil {
		return "the image with PyTorch is not built: make pytorch"
	}
	return ""
}

// prepare gives the cluster the kinds of Takt, the queue, the agent, and the image that trains.
func prepare(ctx context.Context) error {
	if err := home.InstallCRDs(ctx); err != nil {
		return err
	}
	if _, err := home.Kubectl(ctx, "apply", "--server-side", "-k", "config/queue"); err != nil {
		return err
	}
	if err := giveImage(ctx, agentImage, "--binary", cluster.Program("takt-agent"), "--user", "65532"); err != nil {
		return err
	}
	return giveImage(ctx, trainImage, append(slices.Clone(imageEnvironment), "--base",
		cluster.Program("lib/pytorch.tar"))...)
}

// giveImage makes an image, and gives it to all nodes.
func giveImage(ctx context.Context, name string, made ...string) error {
	image := exec.CommandContext(ctx, cluster.Program("localcluster"),
		append([]string{"image", name, "--dir", home.Folder()}, made...)...)
	if output, err := image.CombinedOutput(); err != nil {
		return fmt.Errorf("cannot make the image %s: %w\n%s", name, err, output)
	}
	return nil
}

// imageEnvironment is that of all images that train. Debian keeps what it links to when it installs in folders of its
// own.
var imageEnvironment = []string{
	"--env", "LD_LIBRARY_PATH=/usr/lib/x86_64-linux-gnu/blas:/usr/lib/x86_64-linux-gnu/lapack", "--env", "USE_LIBUV=0",
	"--env", "OMP_NUM_THREADS=1",
}

// needsRealTraining skips a test that is not asked for. Where it is asked for and cannot be had, it says so even to
// those who do not look at tests that pass.
func needsRealTraining(t *testing.T) {
	t.Helper()
	if lacking == "" {
		return
	}
	skip(t, lacking)
}

func skip(t *testing.T, why string) {
	t.Helper()
	if os.Getenv("TAKT_REAL") != "" {
		fmt.Fprintf(os.Stderr, "\nSKIPPED, NOT PASSED: %s\n%s\n", t.Name(), why)
	}
	t.Skip(why)
}

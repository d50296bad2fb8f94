package cluster

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
)

// The images that real nodes are given. No registry has them.
const (
	TrainImage = "localhost/pytorch:2.6"
	AgentImage = "localhost/takt-agent:1"
)

// ImageEnvironment is that of all images that train. Debian keeps what it links to when it installs in folders of its
// own.
var ImageEnvironment = []string{
	"--env", "LD_LIBRARY_PATH=/usr/lib/x86_64-linux-gnu/blas:/usr/lib/x86_64-linux-gnu/lapack", "--env", "USE_LIBUV=0",
	"--env", "OMP_NUM_THREADS=1",
}

// RealNodes are the arguments for a cluster of two real nodes of two GPUs each with takt-scheduler, whose configuration
// is written into a folder.
func RealNodes(folder string) ([]string, error) {
	scheduled, err := Scheduled(folder)
	return append([]string{"--kubelets=2", "--nodes=0", "--racks=1", "--gpus-per-node=2", "--timeout=5m"},
		scheduled...), err
}

// Scheduled are the arguments for a cluster with takt-scheduler, whose configuration is written into a folder. There is
// one scheduler: where the machine is busy it would lose its lease, and end.
func Scheduled(folder string) ([]string, error) {
	config, err := os.ReadFile(filepath.Join(Root(), "config/scheduler/instead/scheduler.yaml"))
	if err != nil {
		return nil, err
	}
	file := filepath.Join(folder, "scheduler-alone.yaml")
	alone := bytes.ReplaceAll(config, []byte("leaderElect: true"), []byte("leaderElect: false"))
	if err := os.WriteFile(file, alone, 0o600); err != nil {
		return nil, err
	}
	return []string{"--scheduler=" + Program("takt-scheduler"), "--scheduler-config=" + file}, nil
}

// LacksRealTraining says what real training needs and this machine lacks; nothing where it can be had.
func LacksRealTraining() string {
	check := exec.CommandContext(context.Background(), Program("localcluster"), "check")
	if output, err := check.CombinedOutput(); err != nil {
		return string(output)
	}
	if _, err := os.Stat(Program("lib/pytorch.tar")); err != nil {
		return "the image with PyTorch is not built: make pytorch"
	}
	return ""
}

// GiveTraining gives all nodes the image that trains, and that of the agent.
func (c *Cluster) GiveTraining(ctx context.Context) error {
	if err := c.GiveImage(ctx, AgentImage, "--binary", Program("takt-agent"), "--user", "65532"); err != nil {
		return err
	}
	return c.GiveImage(ctx, TrainImage, append(slices.Clone(ImageEnvironment), "--base", Program("lib/pytorch.tar"))...)
}

// GiveImage makes an image, and gives it to all nodes.
func (c *Cluster) GiveImage(ctx context.Context, name string, made ...string) error {
	arguments := append([]string{"image", name, "--dir", c.folder}, made...)
	image := exec.CommandContext(ctx, Program("localcluster"), arguments...)
	if output, err := image.CombinedOutput(); err != nil {
		return fmt.Errorf("cannot make the image %s: %w\n%s", name, err, output)
	}
	return nil
}

package peers

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"k8s.io/client-go/rest"
	"sigs.k8s.io/yaml"

	"github.com/takt-dev/takt/e2e/lib/cluster"
	"github.com/takt-dev/takt/e2e/lib/load"
	"github.com/takt-dev/takt/e2e/lib/schedulerprocess"
	"github.com/takt-dev/takt/e2e/lib/world"
	"github.com/takt-dev/takt/operator/settings"
)

// takt chooses sizes by itself. It is told the deadline, how much there is to do, and which runs are of the same code.
func takt() contender {
	runs := &operator{}
	return contender{
		name: "Takt", builder: "scheduler", module: "k8s.io/kubernetes", built: "this repository, with %s",
		least: func(load.Order) int { return 1 },
		start: func(b *testing.B, home *cluster.Cluster) []process {
			runs.home, runs.folder = home, b.TempDir()
			return []process{schedulerprocess.Start(b,
				schedulerprocess.Options{Cluster: home, Name: "default-scheduler", Instead: true}), runs}
		},
		operate: runs.run,
		job: func(w *world.World, o load.Order) {
			job := o.Elastic()
			job.PendingFor = starts
			w.PyTorchJob(o.Name, job)
		},
	}
}

// operator is takt-operator as a process.
type operator struct {
	home   *cluster.Cluster
	folder string
	pid    atomic.Int64
}

// PID is that of the process.
func (o *operator) PID() int { return int(o.pid.Load()) }

// run runs it until the context ends.
func (o *operator) run(ctx context.Context, _ *rest.Config, s settings.Settings) error {
	text, err := yaml.Marshal(s)
	if err != nil {
		return err
	}
	config := filepath.Join(o.folder, "takt.yaml")
	if err := os.WriteFile(config, text, 0o600); err != nil {
		return err
	}
	log, err := os.Create(filepath.Join(o.folder, "log"))
	if err != nil {
		return err
	}
	defer log.Close()
	cmd := exec.CommandContext(ctx, cluster.Program("takt-operator"), "--config", config, "--kubeconfig",
		o.home.Kubeconfig())
	cmd.Env = append(os.Environ(), "GOGC=30") // as the Deployment has it
	cmd.Stderr = log
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	cmd.WaitDelay = 30 * time.Second
	if err := cmd.Start(); err != nil {
		return err
	}
	o.pid.Store(int64(cmd.Process.Pid))
	err = cmd.Wait()
	if ctx.Err() == nil {
		said, _ := os.ReadFile(log.Name())
		return fmt.Errorf("%w: %s", err, said[max(0, len(said)-4000):])
	}
	return nil
}

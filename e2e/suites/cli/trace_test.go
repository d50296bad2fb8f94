package cli

import (
	"errors"
	"path/filepath"
	"testing"

	"github.com/takt-dev/takt/e2e/lib/training"
	"github.com/takt-dev/takt/e2e/lib/world"
)

// A job trains, and tells what it costs; once it has ended takt trace writes it down, and takt sim replays it.
func TestAJobThatHasEndedIsReplayed(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	pace := training.Speed{Base: 10, Scaling: 0.9}
	h.PyTorchJob("resnet", world.Job{
		Workers: 1, Max: 2, Suspended: true, Deadline: "1h", Training: world.Steps(400, pace),
	})
	h.Eventually("resnet has ended", world.Later, func() error {
		return world.Want("jobs that have finished", len(h.Ends("PyTorchJob")), 1)
	})
	folder := filepath.Join(t.TempDir(), "month")
	h.Eventually("it is on record", world.Later, func() error {
		if got := h.takt("trace", "--to", folder, "--operator-namespace", h.Namespace); got.code != 0 {
			return errors.New(got.errors)
		}
		return nil
	})
	replayed := h.takt("sim", "--trace", filepath.Join(folder, "jobs.csv"), "--throughputs",
		filepath.Join(folder, "speeds"),
		"--gpus", "2,4", "--price", "2", "--strict")
	h.wants(replayed, "The bound: of the 1 deadline no scheduler can meet more than 1 on 2", "GPUS", "cost", " 0.0")
	h.wants(h.takt("why", "resnet", "--operator-namespace", h.Namespace), "Its cost", "Its GPUs have cost 0.0")
	h.afterItsEnd()
}

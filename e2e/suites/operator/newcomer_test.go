package operator

import (
	"errors"
	"fmt"
	"testing"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/e2e/lib/extent"
	"github.com/takt-dev/takt/e2e/lib/training"
	"github.com/takt-dev/takt/e2e/lib/world"
)

// shrunk is an error unless a job has given back workers, and no resize of it has failed that was answered.
func shrunk(w *world.World, job string) error {
	found := false
	for _, r := range world.Answered(w.Resizes(job)) {
		switch phase := world.Phase(r); {
		case phase == v1alpha1.ConditionFailed || phase == v1alpha1.ConditionRolledBack:
			return fmt.Errorf("Resize %s from %d to %d ended as %s", r.Name, r.Spec.From, r.Spec.To, phase)
		case r.Spec.To < r.Spec.From && r.Spec.To > 0:
			found = true
		}
	}
	if !found {
		return fmt.Errorf("%s has never given back a worker", job)
	}
	return nil
}

func TestNewcomerWithATightDeadlineTakesFromAJobWithSlackAndBothAreInTime(t *testing.T) {
	t.Parallel()
	w := world.New(t, world.Options{Start: world.Operate})
	w.Nodes(1, 4)
	// One worker takes 50 min of two hours. There is so much to do that whatever it gains pays for a pause.
	patient := world.Steps(60000, training.Speed{Base: 20, Scaling: 0.95})
	w.PyTorchJob("patient", world.Job{Workers: 1, Max: 4, Suspended: true, Deadline: "2h", Training: patient})
	run(w, "patient", 4)
	settle(w, "patient")
	urgent := world.Steps(6750, training.Speed{Base: 20, Scaling: 0.95})
	w.PyTorchJob("urgent", world.Job{ // two workers take 175 s, one 337 s; on a machine that is slow it may need three
		Workers: 1, Max: 4, Suspended: true, Deadline: "5m", Training: urgent,
	})
	w.Eventually("the newcomer has what it needs", world.Soon, func() error {
		if n := w.Running("urgent"); n < 2 {
			return fmt.Errorf("it has %d workers", n)
		}
		return shrunk(w, "patient")
	})
	if err := w.History.Undisturbed("patient-worker-0"); err != nil {
		t.Error(err)
	}
	if !extent.Long() {
		w.Hurry("PyTorchJob", "urgent", urgent)
	}
	meet(t, w, "urgent")
	settle(w, "patient")
	w.Hurry("PyTorchJob", "patient", patient)
	meet(t, w, "patient")
}

func TestBestEffortJobFillsWhatIsLeftAndGivesItBack(t *testing.T) {
	t.Parallel()
	world.EachKind(t, func(t *testing.T, kind string) {
		w := world.New(t, world.Options{Start: world.Operate})
		w.Nodes(1, 4)
		w.Train(kind, "filler", world.Job{
			Workers: 1, Max: 4, Suspended: true, Queue: "default",
			Training: world.Steps(1e6, training.Speed{Base: 20, Scaling: 0.95}),
		})
		run(w, "filler", 4)
		settle(w, "filler")
		first := w.Names("filler")[0]
		resnet := world.Steps(7200, training.Speed{Base: 20, Scaling: 0.95})
		w.Train(kind, "resnet", world.Job{ // two workers take 186 s, one 360 s; on a machine that is slow it may need three
			Workers: 1, Max: 3, Suspended: true, Deadline: "5m20s", Training: resnet,
		})
		w.Eventually("the filler gives back what the deadline takes", world.Soon, func() error {
			if n := w.Running("resnet"); n < 2 {
				return fmt.Errorf("resnet has %d workers", n)
			}
			return shrunk(w, "filler")
		})
		if !extent.Long() {
			w.Hurry(kind, "resnet", resnet)
		}
		meet(t, w, "resnet")
		run(w, "filler", 4)
		advances(w, "filler")
		if err := errors.Join(w.History.Undisturbed(first), shrunk(w, "filler")); err != nil {
			t.Error(err)
		}
	})
}

// Each of the two takes all GPUs: so they take turns.
func TestTwoJobsThatNeedAllGPUsTakeTurnsAndBothAreInTime(t *testing.T) {
	t.Parallel()
	w := world.New(t, world.Options{Start: world.Operate})
	w.Nodes(1, 4)
	whole := func(deadline string) world.Job {
		return world.Job{ // 15 s each
			Workers: 4, Min: 4, Max: 4, Suspended: true, Deadline: deadline,
			Training: world.Steps(1000, training.Measured(0, 0, 0, 66)),
		}
	}
	w.PyTorchJob("later", whole("6m"))
	w.PyTorchJob("sooner", whole("5m"))
	meet(t, w, "sooner", "later")
}

// Neither is in time with one worker, and there are not enough GPUs for both to have all that they may.
func TestTwoDeadlinesThatCompeteAreBothMetBySharingOverTime(t *testing.T) {
	t.Parallel()
	w := world.New(t, world.Options{Start: world.Operate})
	w.Nodes(1, 4)
	w.PyTorchJob("later", world.Job{ // one worker 400 s, two 203 s, four 103 s
		Workers: 1, Max: 4, Suspended: true, Deadline: "380s",
		Training: world.Steps(8000, training.Speed{Base: 20, Scaling: 0.98}),
	})
	w.PyTorchJob("sooner", world.Job{ // one worker 250 s, two 127 s, three 85 s
		Workers: 1, Max: 4, Suspended: true, Deadline: "240s",
		Training: world.Steps(5000, training.Speed{Base: 20, Scaling: 0.98}),
	})
	meet(t, w, "sooner", "later")
}

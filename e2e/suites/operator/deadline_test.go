package operator

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/e2e/lib/training"
	"github.com/takt-dev/takt/e2e/lib/world"
)

// meet waits until jobs have finished, all of them in time.
func meet(t *testing.T, w *world.World, jobs ...string) {
	t.Helper()
	for _, name := range jobs {
		w.Eventually(name+" is finished", world.Later, func() error {
			return world.IsTrue(w.Job(name), v1alpha1.ConditionSucceeded)
		})
		if status := w.Job(name).Status; status.Verdict != v1alpha1.VerdictMet {
			t.Errorf("%s: the verdict is %s: %s", name, status.Verdict, status.Message)
		}
	}
}

// run waits until so many workers of a job run, and its status tells of as many.
func run(w *world.World, job string, workers int) {
	w.Eventually(job+" has its workers", world.Later, func() error {
		return errors.Join(
			world.Want("running workers", w.Running(job), workers),
			world.Want("workers in the status", int(w.Job(job).Status.Workers.Running), workers))
	})
}

// settle waits until no Resize of a job is under way.
func settle(w *world.World, job string) {
	w.Eventually(job+" is at rest", world.Soon, func() error {
		for _, r := range w.Resizes(job) {
			if !slices.Contains(v1alpha1.ResizeEnds, world.Phase(r)) {
				return errors.New("Resize " + r.Name + " is under way: " + world.Phase(r))
			}
		}
		return nil
	})
}

// GPUs that nobody else wants would be given to the job, however much time it has. So its minimum is
// seen only where somebody else waits for them: here a job that cannot do with fewer than seven.
func TestJobWithAGenerousDeadlineRunsAtItsMinimumAndIsInTime(t *testing.T) {
	t.Parallel()
	w := world.New(t, world.Options{Start: world.Operate})
	w.Nodes(1, 8)
	w.PyTorchJob("filler", world.Job{Workers: 7, Min: 7, Max: 7, Suspended: true, Queue: "default"})
	w.PyTorchJob("resnet", world.Job{ // one worker takes 15 s
		Workers: 1, Max: 8, Suspended: true, Deadline: "10m",
		Training: world.Steps(300, training.Speed{Base: 20, Scaling: 0.95}),
	})
	run(w, "filler", 7)
	meet(t, w, "resnet")
	if sizes := w.History.Sizes("PyTorchJob", "resnet"); slices.Max(sizes) != 1 {
		t.Errorf("its sizes were %v, and one worker was enough", sizes)
	}
	if err := w.History.Undisturbed("filler-worker-0", "filler-worker-6"); err != nil {
		t.Error(err)
	}
}

func TestTightDeadlineMakesTheJobGrowAndIsMet(t *testing.T) {
	t.Parallel()
	world.EachKind(t, func(t *testing.T, kind string) {
		w := world.New(t, world.Options{Start: world.Operate})
		w.Nodes(1, 8)
		w.Train(kind, "resnet", world.Job{ // one worker would take 480 s, eight take 67 s
			Workers: 1, Max: 8, Suspended: true, Deadline: "4m",
			Training: world.Steps(4800, training.Speed{Base: 10, Scaling: 0.95}),
		})
		meet(t, w, "resnet")
		if !slices.ContainsFunc(w.Resizes("resnet"), hasGrown) {
			t.Error("it has met its deadline without growing")
		}
	})
}

func TestImpossibleDeadlineIsCalledSoWithWhatWouldDoAndTheJobGoesOn(t *testing.T) {
	t.Parallel()
	w := world.New(t, world.Options{Start: world.Operate})
	w.Nodes(1, 8)
	w.PyTorchJob("resnet", world.Job{ // two workers take more than an hour
		Workers: 1, Max: 2, Suspended: true, Deadline: "10m",
		Training: world.Steps(72000, training.Speed{Base: 10, Scaling: 0.92}),
	})
	w.Eventually("its deadline is called infeasible, with what would do", world.Soon, func() error {
		status := w.Job("resnet").Status
		if !strings.Contains(status.Message, "more time") {
			return errors.New("the message is: " + status.Message)
		}
		return world.Want("verdict", status.Verdict, v1alpha1.VerdictInfeasible)
	})
	run(w, "resnet", 2)
	settle(w, "resnet")
	annotate(w, "takt.dev/deadline", "5s") // instead of the one that takes ten minutes
	verdictOf(w, "resnet", world.Later, v1alpha1.VerdictMissed)
	advances(w, "resnet") // it goes on beyond its deadline
	if err := errors.Join(world.Want("running", w.Running("resnet"), 2),
		w.History.Undisturbed("resnet-worker-0")); err != nil {
		t.Error(err)
	}
}

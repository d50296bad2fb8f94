package operator

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/e2e/lib/training"
	"github.com/takt-dev/takt/e2e/lib/world"
)

// trainsOn waits until the job resnet itself says that it has done so many steps more than it says now.
func trainsOn(w *world.World, more float64) {
	const job = "resnet"
	done := func() (steps float64) {
		_, _ = fmt.Sscanf(w.Read(kindOf(w, job), job).GetAnnotations()[training.ProgressAnnotation], "%g/", &steps)
		return steps
	}
	before := done()
	w.Eventually(job+" trains on", world.Later, func() error {
		if now := done(); now < before+more {
			return fmt.Errorf("it has done %g steps, and had done %g", now, before)
		}
		return nil
	})
}

// advances waits until a job has got further, and its status says so: amid a resize it says so once a minute.
func advances(w *world.World, job string) {
	before := w.Job(job).Status.Progress.PartsPerMillion
	w.Eventually(job+" advances", world.Later, func() error {
		if now := w.Job(job).Status.Progress.PartsPerMillion; now <= before {
			return fmt.Errorf("it has done %d ppm, as before", now)
		}
		return nil
	})
}

func TestJobThatWasSubmittedTooLargeTrainsOnTheGPUsThereAreAndGrowsLater(t *testing.T) {
	t.Parallel()
	world.EachKind(t, func(t *testing.T, kind string) {
		w := world.New(t, world.Options{Start: world.Operate})
		w.Nodes(1, 8)
		other := w.PlainPod("other", 3)
		w.Eventually("the other pod runs", world.Soon, func() error { return podRuns(w, "other") })
		w.Train(kind, "resnet", world.Job{
			Workers: 8, Min: 1, Max: 8, Queue: "default", Change: mayRestart(100),
			Training: world.Steps(1e5, training.Speed{Base: 20, Scaling: 0.95}),
		})
		w.Eventually("nobody waits any more", world.Soon, func() error {
			return world.Want("pods", len(w.Workers("resnet")), 5)
		})
		run(w, "resnet", 5)
		settle(w, "resnet")
		advances(w, "resnet")
		first := w.Names("resnet")[0]
		w.Delete(other)
		run(w, "resnet", 8)
		settle(w, "resnet")
		if err := w.History.Undisturbed(first); err != nil {
			t.Error(err)
		}
	})
}

func TestJobWhoseWorkersFitOnNoNodeSaysSoAndStartsOnceOneHasTheRoom(t *testing.T) {
	t.Parallel()
	w := world.New(t, world.Options{Start: world.Operate})
	w.Nodes(2, 7)
	first, second := w.PlainPod("first", 4), w.PlainPod("second", 4) // no node has room for both
	w.Eventually("each node has three free GPUs", world.Soon, func() error {
		return errors.Join(podRuns(w, "first"), podRuns(w, "second"))
	})
	w.PyTorchJob("resnet", world.Job{
		Workers: 1, Max: 2, GPUs: 4, Suspended: true, Queue: "default",
		Training: world.Steps(1e5, training.Speed{Base: 20, Scaling: 0.95}),
	})
	w.Eventually("it is told what is in the way", world.Soon, func() error {
		status := w.Job("resnet").Status
		if !strings.Contains(status.Message, "4 GPUs on one node") {
			return errors.New("the message is: " + status.Message)
		}
		return notAdmitted(w, "resnet", "NoSizes", "4 GPUs on one node")
	})
	w.Quiet(5*time.Second, world.Soon)
	if err := world.Want("Resizes", len(w.Resizes("resnet")), 0); err != nil {
		t.Errorf("something is tried in vain: %v", err)
	}
	w.Delete(first)
	run(w, "resnet", 1)
	w.Delete(second)
	run(w, "resnet", 2)
	settle(w, "resnet")
	advances(w, "resnet")
	for _, r := range world.Answered(w.Resizes("resnet")) {
		if world.Phase(r) != v1alpha1.ConditionSucceeded {
			t.Errorf("Resize %s from %d to %d ended as %s", r.Name, r.Spec.From, r.Spec.To, world.Phase(r))
		}
	}
}

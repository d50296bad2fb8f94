package scheduler

import (
	"errors"
	"fmt"
	"strconv"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/e2e/lib/world"
)

// resizedLive waits until the last resize of bert has ended, and all so far have succeeded while it trained, but for
// those that nobody answered in time.
func resizedLive(w *world.World) {
	w.Eventually("its resizes have succeeded", world.Soon, func() error {
		var problems []error
		for _, r := range world.Answered(w.Resizes("bert")) {
			problems = append(problems, world.Want(r.Name, world.Phase(r), v1alpha1.ConditionSucceeded),
				world.Want("mode", r.Spec.Mode, v1alpha1.ResizeLive))
		}
		return errors.Join(problems...)
	})
}

// In this suite nobody's pods are placed for want of a Resize, so workers that come to a Job which runs have a node
// only once the operator has marked them. It dies in the middle of a growth.
func TestSchedulerAndOperatorResizeAnIndexedJobWhileItTrains(t *testing.T) {
	t.Parallel()
	w := both(t, 2*time.Minute)
	w.Nodes(1, 4)
	w.PlainPod("other", 2)
	w.Eventually("other has its GPUs", world.Soon, func() error { return onNode(w, "other") })
	w.IndexedJob("bert", world.Job{
		Workers: 2, Max: 4, Suspended: true, Queue: "default", Training: endless(), Change: scheduledHere(w),
	})
	running := func(want int) func() error {
		return func() error { return world.Want("running", w.Running("bert"), want) }
	}
	w.Eventually("it starts with all that is free", world.Later, running(2))
	resizedLive(w)
	first := w.Names("bert")

	w.StopOperator()
	w.StartOperatorThatCrashes(4)
	remove(t, w, "other")
	w.Eventually("the operator dies", world.Soon, func() error {
		if !w.OperatorCrashed() {
			return errors.New("it lives")
		}
		return nil
	})
	w.StopOperator()
	w.StartOperator()
	w.Eventually("it grows", world.Later, running(4))
	resizedLive(w)
	if err := w.History.Undisturbed(first...); err != nil {
		t.Error(err)
	}
	all := w.Resizes("bert")
	grown := all[len(all)-1]
	cameWith(w, grown)

	w.PlainPod("urgent", 1)
	w.Eventually("it gives back what another waits for", world.Later, running(3))
	w.Eventually("which has it", world.Soon, func() error { return onNode(w, "urgent") })
	resizedLive(w)
	if err := w.History.Undisturbed(first...); err != nil {
		t.Error(err)
	}

	w.PlainPod("more", 2)
	w.Eventually("it gives back some that it was started with", world.Later, running(1))
	w.Eventually("another has them", world.Soon, func() error { return onNode(w, "more") })
	remove(t, w, "more")
	w.Eventually("it grows again", world.Later, running(3))
	resizedLive(w)
	all = w.Resizes("bert")
	cameWith(w, all[len(all)-1])
	by(t, w, "bert")

	w.Delete(w.Job("bert"))
	w.Steadily("it trains on once Takt has let go of it", 2*time.Second, running(3))
	w.Eventually("nothing of Takt is written on it but on its template", world.Soon, func() error {
		return world.Want("ask", w.Read("Job", "bert").GetAnnotations()["takt.dev/ask"], "")
	})
}

// cameWith checks that the scheduler has placed the new workers of a growth of bert as one gang, those too whose
// indices it was started with.
func cameWith(w *world.World, grown v1alpha1.Resize) {
	w.Eventually("the scheduler tells that the new workers have nodes", world.Soon, func() error {
		var problems []error
		for _, r := range w.Resizes("bert") {
			if r.Name == grown.Name {
				problems = append(problems, world.Want("fits", r.Status.Placement.Fits, grown.Spec.To-grown.Spec.From))
			}
		}
		for _, pod := range w.Workers("bert")[grown.Spec.From:] {
			epoch := strconv.FormatInt(grown.Spec.Epoch, 10)
			problems = append(problems, world.Want("epoch of "+pod.Name, pod.Labels[v1alpha1.EpochLabel], epoch))
		}
		return errors.Join(problems...)
	})
}

func TestSchedulerAndOperatorResizeAnIndexedJobByRestarts(t *testing.T) {
	t.Parallel()
	w := both(t, 2*time.Minute)
	w.Nodes(1, 4)
	w.PlainPod("other", 2)
	w.Eventually("other has its GPUs", world.Soon, func() error { return onNode(w, "other") })
	w.IndexedJob("bert", world.Job{
		Cold: true, Workers: 2, Min: 2, Max: 4, Suspended: true, Queue: "default", Training: endless(),
		Change: scheduledHere(w),
	})
	resized := func(to int) {
		w.Eventually(fmt.Sprintf("it has %d workers", to), world.Later, func() error {
			return world.Want("running", w.Running("bert"), to)
		})
		w.Eventually("its resizes have succeeded, each by a restart", world.Soon, func() error {
			var problems []error
			for _, r := range world.Answered(w.Resizes("bert")) {
				problems = append(problems, world.Want(r.Name, world.Phase(r), v1alpha1.ConditionSucceeded),
					world.Want("mode", r.Spec.Mode, v1alpha1.ResizeCold),
					world.Want("fits", r.Status.Placement.Fits, r.Spec.To))
			}
			return errors.Join(problems...)
		})
		all, job := w.Resizes("bert"), w.Read("Job", "bert")
		epoch := strconv.FormatInt(all[len(all)-1].Spec.Epoch, 10)
		for _, note := range []struct{ where, key, want string }{
			{"labels", v1alpha1.EpochLabel, epoch}, {"annotations", "takt.dev/size", strconv.Itoa(to)},
		} {
			got, _, err := unstructured.NestedString(job.Object, "spec", "template", "metadata", note.where, note.key)
			if err := errors.Join(err, world.Want(note.key+" of its template", got, note.want)); err != nil {
				t.Error(err)
			}
		}
		by(t, w, "bert")
	}
	resized(2)
	remove(t, w, "other")
	resized(4)
	w.PlainPod("urgent", 1)
	w.Eventually("it gives back what another waits for", world.Later, func() error { return onNode(w, "urgent") })
	resized(3)
}

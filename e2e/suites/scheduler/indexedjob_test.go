package scheduler

import (
	"errors"
	"fmt"
	"strconv"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/e2e/lib/extent"
	"github.com/takt-dev/takt/e2e/lib/training"
	"github.com/takt-dev/takt/e2e/lib/world"
)

// forScheduler has the pods of an Indexed Job placed by the scheduler of the world.
func forScheduler(t *testing.T, w *world.World) func(*unstructured.Unstructured) {
	return func(job *unstructured.Unstructured) {
		if err := unstructured.SetNestedField(job.Object, w.Namespace, "spec", "template", "spec",
			"schedulerName"); err != nil {
			t.Fatal(err)
		}
	}
}

// names are those of the workers of a job.
func names(w *world.World, job string) (all []string) {
	for _, pod := range w.Workers(job) {
		all = append(all, pod.Name)
	}
	return all
}

// resizedLive waits until the last resize of bert has ended, and all so far have succeeded while it trained.
func resizedLive(w *world.World) {
	w.Eventually("its resizes have succeeded", world.Soon, func() error {
		var problems []error
		for _, r := range w.Resizes("bert") {
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
	w := both(t, time.Minute)
	w.Nodes(1, 4)
	w.PlainPod("other", 2)
	w.Eventually("other has its GPUs", world.Soon, func() error { return onNode(w, "other") })
	w.IndexedJob("bert", world.Job{
		Workers: 2, Max: 4, Suspended: true, Queue: "default", Training: endless(), Change: forScheduler(t, w),
	})
	running := func(want int) func() error {
		return func() error { return world.Want("running", w.Running("bert"), want) }
	}
	w.Eventually("it starts with all that is free", world.Later, running(2))
	resizedLive(w)
	first := names(w, "bert")

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
	if !extent.Long() {
		t.Skip("make test-long plays it: it takes a minute and a half")
	}
	t.Parallel()
	w := both(t, time.Minute)
	w.Nodes(1, 4)
	w.IndexedJob("bert", world.Job{
		Cold: true, Min: 1, Max: 4, Suspended: true, Deadline: "150s", Change: forScheduler(t, w),
		Training: world.Steps(3200, training.Speed{Base: 20, Scaling: 0.9}),
	})
	w.Eventually("it is in time", world.Later, func() error {
		return errors.Join(world.IsTrue(w.Job("bert"), v1alpha1.ConditionSucceeded),
			world.Want("verdict", w.Job("bert").Status.Verdict, v1alpha1.VerdictMet))
	})
	all := w.Resizes("bert")
	if len(all) < 2 {
		t.Fatal("it was never grown")
	}
	for _, r := range all {
		if err := errors.Join(world.Want(r.Name, world.Phase(r), v1alpha1.ConditionSucceeded),
			world.Want("mode", r.Spec.Mode, v1alpha1.ResizeCold)); err != nil {
			t.Error(err)
		}
		if r.Status.Placement.Fits != r.Spec.To {
			t.Errorf("%s is told that %d fit", r.Name, r.Status.Placement.Fits)
		}
	}
	last := all[len(all)-1]
	template := w.Read("Job", "bert")
	for field, want := range map[string]string{"labels takt.dev/epoch": fmt.Sprint(last.Spec.Epoch),
		"annotations takt.dev/size": fmt.Sprint(last.Spec.To)} {
		var where, key string
		if _, err := fmt.Sscan(field, &where, &key); err != nil {
			t.Fatal(err)
		}
		got, _, _ := unstructured.NestedString(template.Object, "spec", "template", "metadata", where, key)
		if got != want {
			t.Errorf("%s of its template is %q, want %q", key, got, want)
		}
	}
}

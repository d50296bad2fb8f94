package scheduler

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/e2e/lib/training"
	"github.com/takt-dev/takt/e2e/lib/world"
	"github.com/takt-dev/takt/elastic/resize"
	"github.com/takt-dev/takt/operator/settings"
)

// both is a world with the operator and the scheduler, which has so much time to place what is new.
func both(t *testing.T, placeWithin time.Duration) *world.World {
	t.Helper()
	w := world.New(t, world.Options{Start: world.Operate, Settings: func(s *settings.Settings) {
		world.Allow(&s.Resizes, time.Minute)
		s.Resizes.PlaceWithin = metav1.Duration{Duration: placeWithin}
		s.Resizes.SettleAfter = metav1.Duration{Duration: 2 * time.Second}
		s.Resizes.RetryAfter = metav1.Duration{Duration: 5 * time.Second}
	}})
	scheduled(t, w)
	return w
}

// started waits until resnet has started, and gives the names of its first workers, and a mark in a history that has
// come to these. Starts before that one may have been taken back, as nobody has placed their pods in time.
func started(w *world.World) (first []string, mark int) {
	size := 0
	w.Eventually("the start of resnet has succeeded", world.Later, func() error {
		for _, r := range w.Resizes("resnet") {
			if r.Spec.From == 0 && world.Phase(r) == v1alpha1.ConditionSucceeded {
				size = int(r.Spec.To)
				return nil
			}
		}
		return errors.New("it has not")
	})
	workers := w.Workers("resnet")
	for _, pod := range workers[:min(size, len(workers))] {
		w.CatchUp(&pod)
		first = append(first, pod.Name)
	}
	return first, w.History.Mark()
}

// scheduledHere changes the templates of a job: its pods are for the scheduler of the world.
func scheduledHere(w *world.World) func(*unstructured.Unstructured) {
	return func(job *unstructured.Unstructured) { world.InPods(job, w.Namespace, "schedulerName") }
}

// oneOnANode does that as well, and has each node room for one of its pods.
func oneOnANode(w *world.World) func(*unstructured.Unstructured) {
	return func(job *unstructured.Unstructured) {
		scheduledHere(w)(job)
		world.OnePerNode(job)
	}
}

// by fails the test unless each pod of the world that has a GPU was placed by its scheduler.
func by(t *testing.T, w *world.World, job string) {
	t.Helper()
	for _, pod := range w.Workers(job) {
		if pod.Spec.SchedulerName != w.Namespace {
			t.Errorf("%s is for the scheduler %s", pod.Name, pod.Spec.SchedulerName)
		}
	}
}

func endless() training.Spec { return world.Steps(1e5, training.Speed{Base: 20, Scaling: 0.95}) }

func TestSchedulerAndOperatorGrowAJob(t *testing.T) {
	t.Parallel()
	world.EachKind(t, func(t *testing.T, kind string) {
		w := both(t, 2*time.Minute)
		w.Nodes(2, 4)
		for _, other := range []string{"other-0", "other-1"} { // one on each node
			w.PlainPod(other, 3)
			w.Eventually(other+" has its GPUs", world.Soon, func() error { return onNode(w, other) })
		}
		w.Train(kind, "resnet", world.Job{
			Workers: 1, Max: 8, Suspended: true, Queue: "default", Training: endless(), Change: scheduledHere(w),
		})
		running := func(want int) func() error {
			return func() error { return world.Want("running", w.Running("resnet"), want) }
		}
		first, mark := started(w)
		w.Eventually("it has all that is free", world.Later, running(2))
		remove(t, w, "other-0")
		remove(t, w, "other-1")
		w.Eventually("it has everything", world.Later, running(8))
		w.Eventually("its last growth has succeeded", world.Soon, func() error {
			all := w.Resizes("resnet")
			return world.Want("phase", world.Phase(all[len(all)-1]), v1alpha1.ConditionSucceeded)
		})
		w.Eventually("each Resize has grown it, and is told that all have a node", world.Soon, func() error {
			var problems []error
			for _, r := range world.Answered(w.Resizes("resnet")) {
				want := fmt.Sprintf("All %d new pods fit", r.Spec.To-r.Spec.From)
				if r.Spec.To-r.Spec.From == 1 {
					want = "The new pod fits"
				}
				if r.Spec.To < r.Spec.From || world.Phase(r) != v1alpha1.ConditionSucceeded {
					problems = append(problems, fmt.Errorf("%s, %d to %d, is %s", r.Name, r.Spec.From, r.Spec.To, world.Phase(r)))
				} else if p := r.Status.Placement; p.Fits != r.Spec.To-r.Spec.From || !strings.Contains(p.Message, want) {
					problems = append(problems, fmt.Errorf("%s is told that %d fit: %q", r.Name, p.Fits, p.Message))
				}
			}
			return errors.Join(problems...)
		})
		if err := w.History.UndisturbedSince(mark, first...); err != nil {
			t.Error(err)
		}
		by(t, w, "resnet")
	})
}

// Takt does not understand what keeps the workers apart: it believes that there is room. The scheduler knows better.
func TestSchedulerAndOperatorRollBackWhatDoesNotFit(t *testing.T) {
	t.Parallel()
	world.EachKind(t, func(t *testing.T, kind string) {
		w := both(t, 40*time.Second)
		w.Nodes(1, 4)
		w.Train(kind, "resnet", world.Job{
			Workers: 1, Max: 4, Suspended: true, Queue: "default", Training: endless(), Change: oneOnANode(w),
		})
		first, mark := started(w)
		var rejected v1alpha1.Resize
		w.Eventually("a growth has been rolled back", world.Later, func() error {
			for _, r := range w.Resizes("resnet") {
				// One whose pods came late, or that no scheduler has looked at in time, tells nothing of room.
				if end := r.Status.Conditions; r.Spec.From > 0 && world.Phase(r) == v1alpha1.ConditionRolledBack &&
					end[len(end)-1].Reason == string(resize.NothingFits) && r.Status.Placement.ObservedAt != "" {
					rejected = r
					return nil
				}
			}
			return errors.New("none has")
		})
		if p := rejected.Status.Placement; p.Fits != 0 || !strings.Contains(p.Message, "anti-affinity rules") {
			t.Errorf("%s is told that %d fit: %q", rejected.Name, p.Fits, p.Message)
		}
		if said := rejected.Status.Conditions[len(rejected.Status.Conditions)-1]; !strings.Contains(said.Message,
			"The new pod does not fit") {
			t.Errorf("and it says %q", said.Message)
		}
		if err := w.History.UndisturbedSince(mark, first...); err != nil {
			t.Error(err)
		}
		for _, r := range w.History.Since(mark) {
			if pod, is := r.Object.(*corev1.Pod); is && pod.Spec.NodeName != "" && !slices.Contains(first, pod.Name) {
				t.Errorf("%s was bound", pod.Name)
			}
		}
		before := w.Job("resnet").Status.Progress.PartsPerMillion
		w.Eventually("it advances", world.Soon, func() error {
			if w.Job("resnet").Status.Progress.PartsPerMillion <= before {
				return errors.New("it does not")
			}
			return nil
		})
	})
}

func TestSchedulerAndOperatorSettleForWhatFits(t *testing.T) {
	t.Parallel()
	world.EachKind(t, func(t *testing.T, kind string) {
		w := both(t, time.Minute)
		w.Nodes(3, 4)
		w.Train(kind, "resnet", world.Job{
			Workers: 1, Max: 8, Suspended: true, Queue: "default", Training: endless(), Change: oneOnANode(w),
		})
		first, mark := started(w)
		w.Eventually("it runs on each node", world.Later, func() error {
			return world.Want("running", w.Running("resnet"), 3)
		})
		w.Eventually("a growth has settled for fewer", world.Later, func() error {
			for _, r := range w.Resizes("resnet") {
				if a := r.Status.Asked; a != nil && r.Spec.From > 0 && *a < r.Spec.To &&
					world.Phase(r) == v1alpha1.ConditionSucceeded {
					return nil
				}
			}
			return errors.New("none has")
		})
		if err := w.History.UndisturbedSince(mark, first...); err != nil {
			t.Error(err)
		}
		by(t, w, "resnet")
	})
}

// Half of the workers are on a node that is gone for good, and another has room for them. Those that come in their
// place are placed by the scheduler, too, and the others do not notice.
func TestSchedulerAndOperatorOutliveANode(t *testing.T) {
	t.Parallel()
	world.EachKind(t, func(t *testing.T, kind string) {
		w := both(t, 2*time.Minute)
		w.Nodes(2, 2)
		w.Train(kind, "resnet", world.Job{
			Workers: 4, Min: 4, Suspended: true, Queue: "default", Training: endless(), Change: scheduledHere(w),
		})
		running := func() error { return world.Want("running", w.Running("resnet"), 4) }
		w.Eventually("it has all that is free", world.Later, running)
		_, mark := started(w)
		workers := w.Workers("resnet")
		stays, gone := workers[0].Spec.NodeName, ""
		var left []string
		for _, pod := range workers {
			if pod.Spec.NodeName == stays {
				left = append(left, pod.Name)
			} else {
				gone = pod.Spec.NodeName
			}
		}
		w.Nodes(1, 2)
		w.Remove(gone)
		w.Eventually("all run again", world.Later, running)
		if err := w.History.UndisturbedSince(mark, left...); err != nil {
			t.Error(err)
		}
		by(t, w, "resnet")
	})
}

// The pods are as their controllers make them, with a leader and parameter servers too.
func TestSchedulerPlacesThePodsOfAllKindsOfJobs(t *testing.T) {
	t.Parallel()
	for name, make := range map[string]func(*world.World, world.Job){
		"a PyTorchJob": func(w *world.World, j world.Job) { w.PyTorchJob("job", j) },
		"a PyTorchJob with a master": func(w *world.World, j world.Job) {
			j.Cold, j.Master = true, true
			w.PyTorchJob("job", j)
		},
		"a TFJob":              func(w *world.World, j world.Job) { j.Cold = true; w.TFJob("job", j) },
		"a TFJob with servers": func(w *world.World, j world.Job) { j.Servers = 1; w.TFJob("job", j) },
		"an Indexed Job":       func(w *world.World, j world.Job) { w.IndexedJob("job", j) },
		"an Indexed Job that is not elastic": func(w *world.World, j world.Job) {
			j.Cold = true
			w.IndexedJob("job", j)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := both(t, 2*time.Minute)
			w.Nodes(1, 4)
			make(w, world.Job{
				Workers: 2, Max: 3, Suspended: true, Queue: "default", Training: endless(), Change: scheduledHere(w),
			})
			w.Eventually("it runs", world.Later, func() error {
				if w.Running("job") < 2 {
					return fmt.Errorf("%d workers run", w.Running("job"))
				}
				return nil
			})
			w.Eventually("its Resize is told that all have a node", world.Soon, func() error {
				all := world.Answered(w.Resizes("job"))
				if len(all) == 0 {
					return errors.New("it has none")
				}
				return world.Want("fits", all[0].Status.Placement.Fits, all[0].Spec.To)
			})
			by(t, w, "job")
		})
	}
}

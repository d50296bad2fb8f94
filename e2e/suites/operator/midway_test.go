package operator

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/utils/ptr"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/e2e/lib/training"
	"github.com/takt-dev/takt/e2e/lib/world"
	"github.com/takt-dev/takt/operator/settings"
)

// midway is a world in which the job resnet is in the middle of growing from two workers to four: the
// new ones have their places, but take ten minutes to start. Unless the job says something to Takt
// itself, somebody has made an ElasticJob for it.
func midway(t *testing.T, kind string, j world.Job) *world.World {
	t.Helper()
	w := world.New(t, world.Options{Start: world.Operate, Settings: func(s *settings.Settings) {
		s.Resizes.PlaceWithin.Duration, s.Resizes.ReadyWithin.Duration = 5*time.Minute, 5*time.Minute
	}})
	w.Nodes(1, 4)
	busy := w.PlainPod("busy", 2)
	w.Eventually("half of the node is busy", world.Soon, func() error {
		return world.Want("has a node", w.Pod("busy").Spec.NodeName != "", true)
	})
	j.Workers, j.Min, j.Max, j.Suspended, j.PendingFor = 2, 2, 4, true, "10m"
	w.Train(kind, "resnet", j)
	if j.Queue == "" && j.Deadline == "" {
		w.ElasticJob("resnet", v1alpha1.ElasticJobSpec{JobRef: v1alpha1.JobReference{Kind: kind}})
	}
	w.Eventually("two workers run", world.Soon, func() error {
		w.Begin("resnet")
		return runs(w, "resnet", 2)
	})
	w.Delete(busy)
	w.Eventually("resnet is about to grow", world.Soon, func() error {
		return errors.Join(world.Want("pods", len(w.Workers("resnet")), 4),
			world.Want("phase", lastPhase(w), v1alpha1.ConditionPlaced),
			conditionIs(w.Job("resnet"), v1alpha1.ConditionResizing, metav1.ConditionTrue, "SpareCapacity",
				"4 workers instead of 2"))
	})
	return w
}

// lastPhase is how far the last Resize of resnet is.
func lastPhase(w *world.World) string {
	resizes := w.Resizes("resnet")
	if len(resizes) == 0 {
		return "none"
	}
	return world.Phase(resizes[len(resizes)-1])
}

// ended is an error unless the last Resize of resnet that made it grow has ended so, for one of these reasons.
func ended(w *world.World, how string, reasons ...string) error {
	for _, r := range slices.Backward(w.Resizes("resnet")) {
		if r.Spec.From != 2 || r.Spec.To != 4 {
			continue
		}
		c := r.Status.Conditions[len(r.Status.Conditions)-1]
		return errors.Join(world.Want("resize ended", c.Type, how),
			world.Want(fmt.Sprintf("%s is one of %q", c.Reason, reasons), slices.Contains(reasons, c.Reason), true))
	}
	return errors.New("there is no such resize")
}

// marked is a mark in a history that has come to what there is of resnet.
func marked(w *world.World, kind string) int {
	w.CatchUp(w.Read(kind, "resnet"))
	pods := w.Workers("resnet")
	for _, pod := range pods {
		w.CatchUp(&pod)
	}
	w.Eventually("the history knows of no other pods", world.Soon, func() error {
		return world.Want("pods", w.History.Present("Pod"), len(pods))
	})
	return w.History.Mark()
}

// untouched fails the test if resnet or one of its pods was changed since a mark.
func untouched(t *testing.T, w *world.World, kind string, mark int) {
	t.Helper()
	for _, r := range w.History.Writes(mark) {
		if r.Kind == kind || r.Kind == "Pod" {
			t.Errorf("%s %s was %s", r.Kind, r.Object.GetName(), r.Event)
		}
	}
}

// gone is an error while anything is left that Takt made for resnet.
func gone(w *world.World) error {
	return errors.Join(world.Want("ElasticJob", w.Job("resnet").Name, ""),
		world.Want("Resizes", len(w.Resizes("resnet")), 0))
}

func TestAJobThatIsDeletedInTheMiddleOfAResizeTakesEverythingWithIt(t *testing.T) {
	t.Parallel()
	world.EachKind(t, func(t *testing.T, kind string) {
		w := midway(t, kind, world.Job{Queue: "default"})
		w.Delete(w.TrainingJob(kind, "resnet"))
		w.Eventually("nothing is left of it", world.Soon, func() error {
			return errors.Join(gone(w), world.Want("pods", len(w.Workers("resnet")), 0))
		})
		w.Train(kind, "bert", world.Job{Workers: 4, Min: 4, Suspended: true, Queue: "default"})
		w.Eventually("its GPUs are free for others", world.Soon, func() error { return runs(w, "bert", 4) })
	})
}

func TestAJobThatItsUserSuspendsInTheMiddleOfAResizeStaysSuspended(t *testing.T) {
	t.Parallel()
	world.EachKind(t, func(t *testing.T, kind string) {
		w := midway(t, kind, world.Job{Queue: "default"})
		w.Suspend(kind, "resnet", true)
		w.Eventually("the resize is given up, and the job said to be suspended by its user", world.Soon, func() error {
			return errors.Join(ended(w, v1alpha1.ConditionFailed, "ChangedByHand"),
				world.Want("pods", len(w.Workers("resnet")), 0),
				conditionIs(w.Job("resnet"), v1alpha1.ConditionSuspended, metav1.ConditionTrue, "SuspendedByUser"),
				world.Want("desired workers", w.Job("resnet").Status.Workers.Desired, 0))
		})
		mark := marked(w, kind)
		w.Steadily("it stays suspended", 5*time.Second, func() error {
			return world.Want("pods", len(w.Workers("resnet")), 0)
		})
		untouched(t, w, kind, mark)
		w.Suspend(kind, "resnet", false)
		w.Eventually("it goes on once its user resumes it", world.Soon, func() error {
			w.Begin("resnet")
			return errors.Join(runs(w, "resnet", 4), world.IsTrue(w.Job("resnet"), v1alpha1.ConditionRunning),
				conditionIs(w.Job("resnet"), v1alpha1.ConditionSuspended, metav1.ConditionFalse, "NotSuspended"))
		})
	})
}

func TestAJobThatItsUserScalesInTheMiddleOfAResizeIsNotFoughtFor(t *testing.T) {
	t.Parallel()
	world.EachKind(t, func(t *testing.T, kind string) {
		w := midway(t, kind, world.Job{Queue: "default"})
		first := w.Names("resnet")[:2]
		w.Scale(kind, "resnet", 3)
		w.Eventually("the resize is given up", world.Soon, func() error {
			w.Begin("resnet")
			return ended(w, v1alpha1.ConditionFailed, "ChangedByHand")
		})
		w.Eventually("its size is held, and that is said", world.Soon, func() error {
			return errors.Join(conditionIs(w.Job("resnet"), v1alpha1.ConditionResizing, metav1.ConditionFalse, "SizeHeld"),
				world.Want("takt.dev/hold", w.Read(kind, "resnet").GetAnnotations()["takt.dev/hold"],
					"by-hand/"+string(w.Read(kind, "resnet").GetUID())))
		})
		asWanted := func() error { return world.Want("workers", len(w.Workers("resnet")), 3) }
		w.Eventually("its controller has removed the pod that is too many", world.Soon, asWanted)
		w.Steadily("it stays as its user wants it", 8*time.Second, asWanted)
		if err := w.History.Undisturbed(first...); err != nil {
			t.Error(err)
		}
	})
}

func TestAJobThatEndsInTheMiddleOfAResizeLeavesNoPodWaiting(t *testing.T) {
	t.Parallel()
	short := world.Steps(1, tenASecond)
	finish := fmt.Sprintf(`{"metadata":{"annotations":{%q:%q}}}`, training.SimulateAnnotation, short.String())
	for name, tc := range map[string]struct {
		kind, change, condition, reason string
		before                          []string // why the resize may have gone back before its job was seen to end
	}{
		"finishes": {
			kind: "PyTorchJob", change: finish, condition: v1alpha1.ConditionSucceeded, reason: "JobFinished",
		},
		// training-operator deletes the pods one by one before it says that the job has failed.
		"fails": {
			kind: "PyTorchJob", change: `{"spec":{"runPolicy":{"activeDeadlineSeconds":1}}}`,
			condition: v1alpha1.ConditionFailed, reason: "JobFailed", before: []string{"PodsMissing"},
		},
		// A worker has finished before the others, and before the job is said to be done.
		"an Indexed Job finishes": {
			kind: "Job", change: finish, condition: v1alpha1.ConditionSucceeded, reason: "JobFinished",
			before: []string{"JobAtItsEnd"},
		},
		"an Indexed Job fails": {
			kind: "Job", change: `{"spec":{"activeDeadlineSeconds":1}}`,
			condition: v1alpha1.ConditionFailed, reason: "JobFailed", before: []string{"PodsMissing"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := midway(t, tc.kind, world.Job{Queue: "default"})
			w.Patch(w.TrainingJob(tc.kind, "resnet"), tc.change)
			w.Eventually("the job and its resize have ended", world.Soon, func() error {
				return errors.Join(conditionIs(w.Job("resnet"), tc.condition, metav1.ConditionTrue, tc.reason),
					ended(w, v1alpha1.ConditionRolledBack, append(tc.before, tc.reason)...))
			})
			w.Eventually("no pod waits any more", world.Soon, func() error {
				for _, pod := range w.Workers("resnet") {
					if pod.Status.Phase == corev1.PodPending {
						return fmt.Errorf("%s is %s", pod.Name, pod.Status.Phase)
					}
				}
				return nil
			})
			w.Train(tc.kind, "bert", world.Job{Workers: 2, Min: 2, Suspended: true, Queue: "default"})
			w.Eventually("their GPUs are free for others", world.Soon, func() error { return runs(w, "bert", 2) })
		})
	}
}

// bare is an error while anything of Takt is on the job resnet that it can take away: the template of an Indexed Job
// that runs stays as it is.
func bare(w *world.World, kind string) error {
	job := w.Read(kind, "resnet")
	if kind == "Job" {
		return world.Want("ask", job.GetAnnotations()["takt.dev/ask"], "")
	}
	labels, _, err := unstructured.NestedMap(job.Object,
		append(append([]string{}, worker...), "template", "metadata", "labels")...)
	return errors.Join(err, world.Want("labels", labels["takt.dev/epoch"], nil))
}

func TestAJobThatIsLetGoOfInTheMiddleOfAResizeStaysAsItIs(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		deadline string
		letGo    func(*world.World)
	}{
		"its annotation is removed": {"100h", func(w *world.World) {
			job := w.TrainingJob(kindOf(w, "resnet"), "resnet")
			w.Patch(job, `{"metadata":{"annotations":{"takt.dev/deadline":null}}}`)
		}},
		"its ElasticJob is deleted": {"", func(w *world.World) { w.Delete(w.Job("resnet")) }},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			world.EachKind(t, func(t *testing.T, kind string) {
				w := midway(t, kind, world.Job{Deadline: tc.deadline})
				tc.letGo(w)
				w.Eventually("the ElasticJob and its Resizes are gone, and nothing of Takt is on the job", world.Soon,
					func() error { return errors.Join(gone(w), bare(w, kind)) })
				mark := marked(w, kind)
				w.Steadily("the job is as it was", 5*time.Second, func() error {
					return errors.Join(world.Want("pods", len(w.Workers("resnet")), 4),
						world.Want("running", w.Running("resnet"), 2))
				})
				untouched(t, w, kind, mark)
			})
		})
	}
}

func TestADeadlineMayChangeInTheMiddleOfAResize(t *testing.T) {
	t.Parallel()
	world.EachKind(t, func(t *testing.T, kind string) {
		w := midway(t, kind, world.Job{Deadline: "100h"})
		before := w.Job("resnet").Status.Deadline
		w.Patch(w.TrainingJob(kind, "resnet"), `{"metadata":{"annotations":{"takt.dev/deadline":"90h"}}}`)
		w.Eventually("the job is held to the new one", world.Soon, func() error {
			job := w.Job("resnet")
			return errors.Join(world.Want("deadline of its spec", job.Spec.Deadline, job.Status.Deadline),
				world.Want("deadline has changed", job.Status.Deadline != before, true),
				world.Want("answered generation", job.Status.ObservedGeneration, job.Generation))
		})
		w.Steadily("the resize goes on", 3*time.Second, func() error {
			return world.Want("phase", lastPhase(w), v1alpha1.ConditionPlaced)
		})
	})
}

func TestAColdJobThatIsLetGoOfWhileItIsStoppedIsStartedAgain(t *testing.T) {
	t.Parallel()
	world.EachKind(t, func(t *testing.T, kind string) {
		w := world.New(t, world.Options{Start: world.Operate})
		w.Nodes(1, 4)
		busy := w.PlainPod("busy", 2)
		w.Train(kind, "resnet", world.Job{
			Workers: 2, Cold: true, Suspended: true, StopAfter: "3m",
			Change: func(job *unstructured.Unstructured) { world.InPods(job, int64(180), "terminationGracePeriodSeconds") },
		})
		w.ElasticJob("resnet", v1alpha1.ElasticJobSpec{
			JobRef:  v1alpha1.JobReference{Kind: kind},
			Workers: v1alpha1.WorkerRange{Min: ptr.To[int32](2), Max: ptr.To[int32](4)},
		})
		w.Eventually("two workers run", world.Soon, func() error { return runs(w, "resnet", 2) })
		w.Delete(busy)
		w.Eventually("it is stopped to be resized", world.Soon, func() error {
			size := world.DeclaredSize(w.Read(kind, "resnet"))
			return errors.Join(world.Want("size", size, 0), world.Want("running", w.Running("resnet"), 0),
				conditionIs(w.Job("resnet"), v1alpha1.ConditionResizing, metav1.ConditionTrue, "SpareCapacity",
					"4 workers instead of 2"))
		})
		w.Delete(w.Job("resnet"))
		w.Eventually("it is started again", world.Later, func() error {
			w.Stop("resnet")
			return errors.Join(gone(w), world.Want("running", w.Running("resnet"), 2))
		})
		w.Steadily("it trains on", 3*time.Second, func() error { return world.Want("running", w.Running("resnet"), 2) })
	})
}

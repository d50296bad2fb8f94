package keeping_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	kubeflow "github.com/kubeflow/training-operator/pkg/apis/kubeflow.org/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic/resize"
	"github.com/takt-dev/takt/operator/fixture"
	"github.com/takt-dev/takt/operator/kind"
	"github.com/takt-dev/takt/operator/progress"
	"github.com/takt-dev/takt/operator/rooms"
	"github.com/takt-dev/takt/operator/shorthand"
	"github.com/takt-dev/takt/operator/view"
)

// hasAsk says whether resnet has the annotation with what Takt has asked of it.
func hasAsk(t *testing.T, o *rooms.Rooms) bool {
	t.Helper()
	_, there := fixture.Get(t, o, "resnet", &kubeflow.PyTorchJob{}).Annotations[kind.AskAnnotation]
	return there
}

// free fails the test unless resnet runs, or not, at a size, and has nothing of Takt on its template.
func free(t *testing.T, o *rooms.Rooms, runs bool, workers int32) {
	t.Helper()
	job := fixture.Get(t, o, "resnet", &kubeflow.PyTorchJob{})
	worker := job.Spec.PyTorchReplicaSpecs["Worker"]
	if suspended := job.Spec.RunPolicy.Suspend; (suspended == nil || !*suspended) != runs || *worker.Replicas != workers {
		t.Errorf("it runs: %t, with %d workers, want %t, %d", !runs, *worker.Replicas, runs, workers)
	}
	if len(worker.Template.Labels)+len(worker.Template.Annotations) > 0 {
		t.Errorf("it has kept %v %v", worker.Template.Labels, worker.Template.Annotations)
	}
}

func TestAJobThatTaktHasStoppedRunsOnceItIsLetGoOf(t *testing.T) {
	stop := resize.Ask{Epoch: 3, Stage: resize.Forward, Workers: 4, Suspended: true, At: fixture.Start}
	removed := func(t *testing.T, o *rooms.Rooms) {
		fixture.Annotate(t, o, "kubectl-annotate", fixture.Start, map[string]string{shorthand.DeadlineAnnotation: ""})
	}
	deleted := func(t *testing.T, o *rooms.Rooms) {
		if err := o.Client.Delete(t.Context(), fixture.Keeps(t, o)); err != nil {
			t.Fatal(err)
		}
	}
	for name, c := range map[string]struct {
		letGo   func(*testing.T, *rooms.Rooms)
		ask     resize.Ask
		back    resize.Workers
		workers int32
	}{
		"its annotation is removed":      {removed, stop, 0, 4},
		"its ElasticJob is deleted":      {deleted, stop, 0, 4},
		"half way through a cold resize": {deleted, stop, 6, 6},
		"while it runs at the size of Takt": {
			removed, resize.Ask{Epoch: 3, Stage: resize.Forward, Workers: 5, At: fixture.Start}, 0, 5,
		},
	} {
		t.Run(name, func(t *testing.T) {
			o := fixture.Stopped(t, interceptor.Funcs{},
				fixture.AnnotatedJob(map[string]string{shorthand.DeadlineAnnotation: "6h"}))
			if fixture.Keeps(t, o) == nil {
				t.Fatal("it is not taken on")
			}
			fixture.ResizedTo(t, o, c.ask, kind.Target{ReturnsTo: c.back})
			fixture.Annotate(t, o, "takt", fixture.Start,
				map[string]string{shorthand.HoldAnnotation: shorthand.HeldByHand("another")})
			fixture.Keeps(t, o)
			workers := fixture.Get(t, o, "resnet", &kubeflow.PyTorchJob{}).Spec.PyTorchReplicaSpecs["Worker"]
			if len(workers.Template.Labels) == 0 {
				t.Error("it is let go of before anybody has said so")
			}
			c.letGo(t, o)
			fixture.Keeps(t, o)
			fixture.Keeps(t, o) // its ElasticJob goes first, and its end wakes the keeper
			free(t, o, true, c.workers)
			if hasAsk(t, o) {
				t.Error("it has kept what was asked of it")
			}
			if _, held := fixture.Get(t, o, "resnet", &kubeflow.PyTorchJob{}).Annotations[shorthand.HoldAnnotation]; held {
				t.Error("it keeps the size that Takt saw somebody set")
			}
		})
	}
}

// A training may tell its progress on its job as often as a slow API server answers.
func TestAJobThatTellsItsProgressAllTheTimeIsLetGoOf(t *testing.T) {
	told := 0
	tells := func(ctx context.Context, c client.WithWatch) error {
		var job kubeflow.PyTorchJob
		if err := c.Get(ctx, fixture.Request("resnet").NamespacedName, &job); err != nil {
			return err
		}
		told++
		metav1.SetMetaDataAnnotation(&job.ObjectMeta, progress.ProgressAnnotation, fmt.Sprint(told))
		return c.Update(ctx, &job)
	}
	for name, c := range map[string]struct {
		times, suspends int
		words           bool // its words go, and not its ElasticJob
		free            bool
	}{
		"while it is read and written":           {4, 0, false, true},
		"and more often than that":               {100, 0, false, false},
		"and is suspended meanwhile":             {4, 2, false, false},
		"while its words are forgotten":          {4, 0, true, true},
		"and more often than they are forgotten": {100, 0, true, false},
	} {
		t.Run(name, func(t *testing.T) {
			told = 0
			busy := false
			o := fixture.Stopped(t, interceptor.Funcs{Patch: func(ctx context.Context, on client.WithWatch, object client.Object,
				patch client.Patch, options ...client.PatchOption,
			) error {
				if _, is := object.(*kubeflow.PyTorchJob); is && busy && told < c.times {
					if err := tells(ctx, on); err != nil {
						return err
					}
					if told == c.suspends {
						var job kubeflow.PyTorchJob
						if err := on.Get(ctx, client.ObjectKeyFromObject(object), &job); err != nil {
							return err
						}
						job.Spec.RunPolicy.Suspend = new(true)
						if err := on.Update(ctx, &job); err != nil {
							return err
						}
					}
				}
				return on.Patch(ctx, object, patch, options...)
			}}, fixture.AnnotatedJob(map[string]string{shorthand.DeadlineAnnotation: "6h"}))
			fixture.Keeps(t, o)
			fixture.ResizedTo(t, o, resize.Ask{Epoch: 3, Stage: resize.Forward, Workers: 5, At: fixture.Start}, kind.Target{})
			if err := o.Client.Delete(t.Context(), fixture.Keeps(t, o)); err != nil {
				t.Fatal(err)
			}
			if c.words {
				fixture.Annotate(t, o, "kubectl-annotate", fixture.Start, map[string]string{shorthand.DeadlineAnnotation: ""})
			}
			busy = true
			of, _ := o.Kinds.Get("PyTorchJob")
			_, err := o.Keeper(of).Reconcile(t.Context(), fixture.Request("resnet"))
			if busy = false; apierrors.IsConflict(err) == c.free || hasAsk(t, o) == c.free {
				t.Errorf("after it has told %d times it has kept what was asked of it: %t (%v)", told, hasAsk(t, o), err)
			}
		})
	}
}

// Its words are forgotten first, and then what was asked of it: the second write goes by what the first has left.
func TestLettingGoIsNotInItsOwnWay(t *testing.T) {
	refused := 0
	o := fixture.Stopped(t, interceptor.Funcs{Patch: func(ctx context.Context, on client.WithWatch, object client.Object,
		patch client.Patch, options ...client.PatchOption,
	) error {
		err := on.Patch(ctx, object, patch, options...)
		if apierrors.IsConflict(err) {
			refused++
		}
		return err
	}}, fixture.AnnotatedJob(map[string]string{shorthand.DeadlineAnnotation: "6h"}))
	fixture.Keeps(t, o)
	fixture.ResizedTo(t, o, resize.Ask{Epoch: 3, Stage: resize.Forward, Workers: 5, At: fixture.Start}, kind.Target{})
	if err := o.Client.Delete(t.Context(), fixture.Keeps(t, o)); err != nil {
		t.Fatal(err)
	}
	fixture.Annotate(t, o, "kubectl-annotate", fixture.Start, map[string]string{shorthand.DeadlineAnnotation: ""})
	of, _ := o.Kinds.Get("PyTorchJob")
	if _, err := o.Keeper(of).Reconcile(t.Context(), fixture.Request("resnet")); err != nil {
		t.Fatal(err)
	}
	if refused > 0 || hasAsk(t, o) {
		t.Errorf("%d writes were refused, and it has kept what was asked of it: %t", refused, hasAsk(t, o))
	}
}

// Its controller would take pods that are about to be gone for workers that have failed, and a job whose workers are
// not started anew for one that has.
func TestAJobIsLetGoOfOnceItsPodsAreGone(t *testing.T) {
	job := fixture.AnnotatedJob(map[string]string{shorthand.DeadlineAnnotation: "6h"})
	pod := fixture.Worker0(job, "node")
	pod.DeletionTimestamp, pod.Finalizers = new(metav1.NewTime(fixture.Start)), []string{"test/goes"}
	o := fixture.Stopped(t, interceptor.Funcs{}, job, pod)
	o.Limits.StopWithin = time.Minute
	fixture.Keeps(t, o)
	fixture.ResizedTo(t, o, resize.Ask{Epoch: 3, Stage: resize.Forward, Workers: 4, Suspended: true, At: fixture.Start},
		kind.Target{})
	fixture.Annotate(t, o, "kubectl-annotate", fixture.Start, map[string]string{shorthand.DeadlineAnnotation: ""})
	fixture.Keeps(t, o)
	fixture.Keeps(t, o)
	if suspended := fixture.Get(t, o, "resnet", &kubeflow.PyTorchJob{}).Spec.RunPolicy.Suspend; suspended == nil ||
		!*suspended {
		t.Error("it runs again before its pods are gone")
	}
	o.Now = func() time.Time { return fixture.Start.Add(2 * time.Minute) } // one that takes too long is not waited for
	fixture.Keeps(t, o)
	free(t, o, true, 4)
}

// The scheduler would hold them for a while, for a Resize that is gone. Those that it has placed go on.
func TestPodsThatWaitForTheirGangAreMadeAnewOnceTheirJobIsLetGoOf(t *testing.T) {
	job := fixture.AnnotatedJob(map[string]string{shorthand.DeadlineAnnotation: "6h"})
	pod := func(name, node, gang string) *corev1.Pod {
		pod := fixture.Worker0(job, node)
		pod.Name, pod.UID, pod.Annotations = name, types.UID(name), map[string]string{v1alpha1.GangAnnotation: gang}
		return pod
	}
	o := fixture.Stopped(t, interceptor.Funcs{}, job, pod("placed", "node", "{}"), pod("held", "", "{}"),
		pod("plain", "", ""))
	fixture.Keeps(t, o)
	fixture.ResizedTo(t, o, resize.Ask{Epoch: 3, Stage: resize.Forward, Workers: 4, At: fixture.Start}, kind.Target{})
	fixture.Annotate(t, o, "kubectl-annotate", fixture.Start, map[string]string{shorthand.DeadlineAnnotation: ""})
	fixture.Keeps(t, o)
	fixture.Keeps(t, o)
	var left corev1.PodList
	if err := o.Client.List(t.Context(), &left); err != nil {
		t.Fatal(err)
	}
	names := []string{}
	for _, pod := range left.Items {
		names = append(names, pod.Name)
	}
	if want := []string{"placed", "plain"}; !slices.Equal(names, want) {
		t.Errorf("there are %v, want %v", names, want)
	}
}

func TestAJobThatItsUserHasSuspendedStaysSo(t *testing.T) {
	o := fixture.Stopped(t, interceptor.Funcs{},
		fixture.AnnotatedJob(map[string]string{shorthand.DeadlineAnnotation: "6h"}))
	fixture.Keeps(t, o)
	fixture.ResizedTo(t, o, resize.Ask{Epoch: 3, Stage: resize.Forward, Workers: 4, At: fixture.Start}, kind.Target{})
	job := fixture.Get(t, o, "resnet", &kubeflow.PyTorchJob{})
	job.Spec.RunPolicy.Suspend = new(true)
	if err := o.Client.Update(t.Context(), job); err != nil {
		t.Fatal(err)
	}
	fixture.Annotate(t, o, "kubectl-annotate", fixture.Start, map[string]string{shorthand.DeadlineAnnotation: ""})
	fixture.Keeps(t, o)
	fixture.Keeps(t, o)
	free(t, o, false, 4)
	if !hasAsk(t, o) {
		t.Error("nothing tells any more that it is suspended by its user, should Takt look after it again")
	}
}

// It was submitted suspended, for Takt to start it: who takes the line off again is told why nothing runs.
// Takt leaves the job as it is once it runs again. Before that it would be told of a job that is stopped.
func TestItIsToldOnceThatAJobIsLetGoOf(t *testing.T) {
	o := fixture.Stopped(t, interceptor.Funcs{},
		fixture.AnnotatedJob(map[string]string{shorthand.DeadlineAnnotation: "6h"}))
	events := fixture.Listens(o)
	ej := fixture.Keeps(t, o)
	fixture.Keeps(t, o) // notes that it is taken on
	fixture.ResizedTo(t, o, resize.Ask{Epoch: 3, Stage: resize.Forward, Workers: 4, Suspended: true, At: fixture.Start},
		kind.Target{})
	if err := o.Client.Delete(t.Context(), ej); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		fixture.Keeps(t, o)
	}
	var told []string
	for len(events) > 0 {
		told = append(told, strings.Fields(<-events)[1])
	}
	if want := []string{"Resumed", "LetGo"}; !slices.Equal(told, want) {
		t.Errorf("told: %v, want %v", told, want)
	}
}

func TestAJobThatNeverStartedIsToldToStaySuspendedOnceItIsLetGoOf(t *testing.T) {
	job := fixture.AnnotatedJob(map[string]string{shorthand.DeadlineAnnotation: "6h"})
	job.Spec.RunPolicy.Suspend = new(true)
	o := fixture.Stopped(t, interceptor.Funcs{}, job)
	events := fixture.Listens(o)
	ej := fixture.Keeps(t, o)
	ej.Status.Conditions = []metav1.Condition{
		{Type: v1alpha1.ConditionAdmitted, Status: metav1.ConditionTrue, Reason: view.ReasonPromised},
	}
	if err := o.Client.Status().Update(t.Context(), ej); err != nil {
		t.Fatal(err)
	}
	fixture.Annotate(t, o, "kubectl-annotate", fixture.Start, map[string]string{shorthand.DeadlineAnnotation: ""})
	fixture.Keeps(t, o)
	free(t, o, false, 1)
	if len(events) != 1 {
		t.Fatalf("%d events", len(events))
	}
	if told := <-events; !strings.Contains(told,
		"it stays suspended until somebody sets spec.runPolicy.suspend to false.") {
		t.Errorf("told: %s", told)
	}
}

// A manifest that was read from the cluster and applied anew brings along what Takt has written on the
// template of another job.
func TestACopiedManifestBringsNothingOfTaktAlong(t *testing.T) {
	o := fixture.Stopped(t, interceptor.Funcs{}, fixture.AnnotatedJob(nil))
	fixture.ResizedTo(t, o, resize.Ask{Epoch: 3, Stage: resize.Forward, Workers: 4, At: fixture.Start}, kind.Target{})
	job := fixture.Get(t, o, "resnet", &kubeflow.PyTorchJob{})
	job.Annotations[kind.AskAnnotation] = `{"job":"another","epoch":3,"stage":"Forward","workers":4,"suspended":true}`
	if err := o.Client.Update(t.Context(), job); err != nil {
		t.Fatal(err)
	}
	if ej := fixture.Keeps(t, o); ej != nil {
		t.Errorf("nobody asks for %+v", ej)
	}
	free(t, o, true, 4)
}

// An ElasticJob that somebody has written keeps its job, whatever is written on that.
func TestAJobOfAnotherElasticJobIsNotLetGoOf(t *testing.T) {
	o := fixture.Stopped(t, interceptor.Funcs{}, fixture.AnnotatedJob(nil),
		fixture.ElasticJob("other", func(ej *v1alpha1.ElasticJob) {
			ej.Spec.JobRef.Name = "resnet"
		}))
	fixture.ResizedTo(t, o, resize.Ask{Epoch: 3, Stage: resize.Forward, Workers: 4, Suspended: true, At: fixture.Start},
		kind.Target{})
	fixture.Keeps(t, o)
	if job := fixture.Get(t, o, "resnet", &kubeflow.PyTorchJob{}); !*job.Spec.RunPolicy.Suspend {
		t.Error("it runs")
	}
}

// What was suspended when it was created so that Takt finds its size, and is then left alone, runs as it is.
func TestAJobThatIsHeldForTaktAndLeftAloneRuns(t *testing.T) {
	for name, c := range map[string]struct {
		seen   time.Duration // since when
		change func(*kubeflow.PyTorchJob, *v1alpha1.ElasticJob)
		runs   bool
	}{
		"its queue is not there": {
			passesWithin, func(_ *kubeflow.PyTorchJob, ej *v1alpha1.ElasticJob) { ej.Spec.Queue = "none" }, true,
		},
		"its queue is not there yet": {
			passesWithin - time.Second, func(_ *kubeflow.PyTorchJob, ej *v1alpha1.ElasticJob) { ej.Spec.Queue = "none" }, false,
		},
		"its queue is not there, nor what it waits for": {time.Hour, func(_ *kubeflow.PyTorchJob, ej *v1alpha1.ElasticJob) {
			ej.Spec.Queue, ej.Spec.After = "none", []v1alpha1.Predecessor{{Name: "prepare"}}
		}, false},
		"without GPUs": {time.Second, func(job *kubeflow.PyTorchJob, _ *v1alpha1.ElasticJob) {
			job.Spec.PyTorchReplicaSpecs["Worker"].Template.Spec.Containers[0].Resources.Limits = nil
		}, true},
		"suspended by its user, in no queue": {time.Hour, func(job *kubeflow.PyTorchJob, ej *v1alpha1.ElasticJob) {
			ej.Spec.Queue = "none"
			delete(job.Annotations, kind.HeldAnnotation)
		}, false},
		"resumed by its user, and suspended again": {time.Hour, func(_ *kubeflow.PyTorchJob, ej *v1alpha1.ElasticJob) {
			ej.Spec.Queue = "none"
			ej.Status.Conditions = []metav1.Condition{
				{Type: v1alpha1.ConditionSuspended, Status: metav1.ConditionTrue, Reason: v1alpha1.ReasonSuspendedByUser},
			}
		}, false},
		"looked after": {time.Hour, func(*kubeflow.PyTorchJob, *v1alpha1.ElasticJob) {}, false},
	} {
		t.Run(name, func(t *testing.T) {
			job := fixture.AnnotatedJob(map[string]string{kind.HeldAnnotation: "until-admitted"})
			job.Spec.RunPolicy.Suspend = new(true)
			job.CreationTimestamp = metav1.NewTime(fixture.Start.Add(-time.Hour)) // by a clock that may be behind
			ej := fixture.ElasticJob("resnet")
			c.change(job, ej)
			o := fixture.Stopped(t, interceptor.Funcs{}, job, ej)
			fixture.Plans(t, o)
			at := fixture.Start.Add(c.seen)
			o.Now = func() time.Time { return at }
			o.Furnish()
			fixture.Plans(t, o)
			free(t, o, c.runs, 1)
		})
	}
}

// Its queue was deleted, or no longer lets its namespace in. One that is made anew within a minute finds it as it was.
func TestAJobThatTaktHasStoppedDoesNotWaitForEverForItsQueue(t *testing.T) {
	for name, c := range map[string]struct {
		gone time.Duration
		runs bool
	}{"gone for a moment": {passesWithin - time.Second, false}, "gone for good": {passesWithin, true}} {
		t.Run(name, func(t *testing.T) {
			job := fixture.AnnotatedJob(nil)
			job.CreationTimestamp = metav1.NewTime(fixture.Start.Add(-time.Hour))
			queue := &v1alpha1.TrainingQueue{ObjectMeta: metav1.ObjectMeta{Name: "research", UID: "research"}}
			o := fixture.Stopped(t, interceptor.Funcs{}, job, queue, fixture.ElasticJob("resnet", func(ej *v1alpha1.ElasticJob) {
				ej.Spec.Queue = "research"
			}))
			fixture.ResizedTo(t, o, resize.Ask{Epoch: 3, Stage: resize.Forward, Workers: 4, Suspended: true, At: fixture.Start},
				kind.Target{})
			suspended := func() bool { return *fixture.Get(t, o, "resnet", &kubeflow.PyTorchJob{}).Spec.RunPolicy.Suspend }
			fixture.Plans(t, o)
			if err := o.Client.Delete(t.Context(), queue); err != nil {
				t.Fatal(err)
			}
			rest, err := o.Planner.Plan(t.Context())
			if err != nil || rest > passesWithin || !suspended() {
				t.Errorf("it waits: %t, and is looked at again after %s (%v)", suspended(), rest, err)
			}
			at := fixture.Start.Add(c.gone)
			o.Now = func() time.Time { return at }
			o.Furnish()
			fixture.Plans(t, o)
			if suspended() == c.runs {
				t.Errorf("it runs: %t, want %t", !suspended(), c.runs)
			}
			if *fixture.Get(t, o, "resnet", &kubeflow.PyTorchJob{}).Spec.PyTorchReplicaSpecs["Worker"].Replicas != 4 {
				t.Error("it has another size than before")
			}
		})
	}
}

// passesWithin is how long a job waits for its refusal to pass.
const passesWithin = time.Minute

// What is held for Takt when it is created, and resumed by somebody else, is theirs: suspended later on, it stays
// so, even once nothing is left of Takt that knows who it was.
func TestAJobThatSomebodyElseHasStartedIsNotHeldForTaktAnyMore(t *testing.T) {
	for name, queue := range map[string]string{"looked after": "", "left alone": "none"} {
		t.Run(name, func(t *testing.T) {
			job := fixture.AnnotatedJob(map[string]string{kind.HeldAnnotation: "until-admitted"})
			job.CreationTimestamp = metav1.NewTime(fixture.Start.Add(-time.Hour))
			ej := fixture.ElasticJob("resnet")
			if queue != "" {
				ej.Spec.Queue = queue
			}
			o := fixture.Stopped(t, interceptor.Funcs{}, job, fixture.Worker0(job, "node"), ej, fixture.Node("node", "1"))
			events := fixture.Listens(o)
			fixture.Plans(t, o)
			annotations := fixture.Get(t, o, "resnet", &kubeflow.PyTorchJob{}).Annotations
			if _, held := annotations[kind.HeldAnnotation]; held {
				t.Error("it is held as before")
			}
			if _, holds := annotations[shorthand.HoldAnnotation]; holds {
				t.Error("nobody has set its size")
			}
			if len(events) > 0 {
				t.Errorf("told: %s", <-events)
			}
			free(t, o, true, 1)
		})
	}
}

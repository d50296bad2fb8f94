package planning_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	kubeflow "github.com/kubeflow/training-operator/pkg/apis/kubeflow.org/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/elastic/resize"
	"github.com/takt-dev/takt/operator/fixture"
	"github.com/takt-dev/takt/operator/memory"
	"github.com/takt-dev/takt/operator/progress"
	"github.com/takt-dev/takt/operator/reporting"
	"github.com/takt-dev/takt/operator/rooms"
	"github.com/takt-dev/takt/operator/view"
	"github.com/takt-dev/takt/predictor"
)

// nearlyDone is resnet, promised to be finished within an hour, of whose three workers some have finished: the last
// ones. It has told of 900 of 1000 steps, and takes the seconds for one that are given since.
func nearlyDone(t *testing.T, finished, seconds int, others ...client.Object) *rooms.Rooms {
	t.Helper()
	const workers = 3
	now, due := fixture.Start, fixture.Start.Add(time.Hour)
	ej := fixture.ElasticJob("resnet", func(ej *v1alpha1.ElasticJob) { ej.Spec.Deadline = v1alpha1.NewTime(due) })
	job := fixture.PyTorchJob("resnet", int32(workers), fixture.ResizedByRestart, func(job *kubeflow.PyTorchJob) {
		job.Status.ReplicaStatuses = map[kubeflow.ReplicaType]*kubeflow.ReplicaStatus{"Worker": {Succeeded: int32(finished)}}
	})
	objects := append([]client.Object{ej, job, fixture.Node("node", "4"), &corev1.Namespace{
		ObjectMeta: metav1.ObjectMeta{Name: "team"},
	}}, others...)
	for i, pod := range fixture.WorkersOf(job, workers, "node") {
		if i >= workers-finished {
			pod.Status.Phase = corev1.PodSucceeded
		}
		objects = append(objects, pod)
	}
	o := fixture.Stopped(t, interceptor.Funcs{}, objects...)
	o.Now = func() time.Time { return now }
	o.Furnish()
	ej.Status = fixture.StatusAsWritten(t.Context(), t, o, ej, func(known *memory.Job, due time.Time) {
		for done := range 20 {
			now = now.Add(time.Duration(seconds) * time.Second)
			known.Run.Sample(progress.Sample{Source: v1alpha1.ProgressLogs, At: now, Done: float64(900 + done), Total: 1000,
				Unit: "steps"}, predictor.Shape{Workers: predictor.Workers(workers - finished), Nodes: 1, GPU: "A100"})
		}
		known.Decide(elastic.Outcome{Workers: 2, Verdict: elastic.OnTrack, Reason: elastic.ForDeadline, Promised: true},
			due, now)
	})
	if err := o.Client.Status().Update(t.Context(), ej); err != nil {
		t.Fatal(err)
	}
	return o
}

// The workers of a job that is resized by a restart end one after the other. Once the first has, the job keeps its
// size, and what was said of it and promised holds until it ends: by what those do that are left.
func TestAJobAtItsEndKeepsItsSizeAndItsPromise(t *testing.T) {
	for seconds, c := range map[int]struct {
		finished int
		verdict  v1alpha1.Verdict
		says     string
	}{
		10: {1, v1alpha1.VerdictOnTrack, "One of its workers has finished, so its training is at its end"},
		20: {2, v1alpha1.VerdictOnTrack, "2 of its workers have finished, so its training is at its end"},
		90: {2, v1alpha1.VerdictInfeasible, "the promise that was made cannot be kept"},
	} {
		t.Run(fmt.Sprintf("%d of 3 have finished, and a step takes %d s", c.finished, seconds), func(t *testing.T) {
			o := nearlyDone(t, c.finished, seconds)
			fixture.Plans(t, o)
			if _, err := o.Reporter.Reconcile(t.Context(), fixture.Request("resnet")); err != nil {
				t.Fatal(err)
			}
			status := fixture.Get(t, o, "resnet", &v1alpha1.ElasticJob{}).Status
			admitted := reporting.ConditionOf(&status)
			if admitted.Reason != view.ReasonPromised || status.Verdict != c.verdict {
				t.Errorf("it is %s, and %s: %s", status.Verdict, admitted.Reason, admitted.Message)
			}
			if !strings.Contains(status.Message, c.says) || strings.Contains(status.Message, "restarts it") {
				t.Errorf("it says %q", status.Message)
			}
			if w := status.Workers; w.Min != 3 || w.Max != 3 {
				t.Errorf("it may have %d to %d", w.Min, w.Max)
			}
			keepsSize(t, o, 3, false)
		})
	}
}

// Others have the GPUs of workers that have finished, and none of those that are left, though one of them waits for a
// node anew.
func TestAJobAtItsEndHoldsTheGPUsOfTheWorkersThatAreLeft(t *testing.T) {
	o := nearlyDone(t, 1, 10, fixture.ElasticJob("bert"), fixture.PyTorchJob("bert", 4, fixture.SuspendedAtFirst))
	waits := &corev1.Pod{}
	if err := o.Client.Get(t.Context(), fixture.Request("resnet-worker-1").NamespacedName, waits); err != nil {
		t.Fatal(err)
	}
	waits.Spec.NodeName, waits.Status.Phase = "", corev1.PodPending
	if err := o.Client.Update(t.Context(), waits); err != nil {
		t.Fatal(err)
	}
	sc, err := o.Planner.Observe(t.Context())
	if err != nil || len(sc.Snapshot.Jobs) != 2 {
		t.Fatalf("%+v: %v", sc, err)
	}
	if len(sc.Snapshot.Demands) > 0 {
		t.Errorf("its worker counts as another's: %+v", sc.Snapshot.Demands)
	}
	for _, outcome := range elastic.Plan(sc.Snapshot).Jobs {
		if outcome.Workers != 2 {
			t.Errorf("%s is to have %d of the 4 GPUs: %s", outcome.Name, outcome.Workers, outcome.Why)
		}
	}
}

// It goes on as it is on a node that goes, and what was learned of its other sizes stays for its record.
func TestAJobAtItsEndCanBePlannedFor(t *testing.T) {
	o := nearlyDone(t, 1, 10)
	node := &corev1.Node{}
	if err := o.Client.Get(t.Context(), client.ObjectKey{Name: "node"}, node); err != nil {
		t.Fatal(err)
	}
	fixture.Goes(node)
	if err := o.Client.Update(t.Context(), node); err != nil {
		t.Fatal(err)
	}
	s, err := o.View.Look(t.Context(), fixture.Get(t, o, "resnet", &v1alpha1.ElasticJob{}))
	if err != nil {
		t.Fatal(err)
	}
	every := []predictor.Shape{{Workers: 1, Nodes: 1, GPU: "A100"}, {Workers: 3, Nodes: 1, GPU: "A100"}}
	s.Known.PlannedWith(every, 4)
	sc, err := o.Planner.Observe(t.Context())
	if err != nil || len(sc.Snapshot.Jobs) != 1 || sc.Snapshot.Check() != nil {
		t.Fatalf("%+v: %v, %v", sc.Snapshot, sc.Snapshot.Check(), err)
	}
	if job := sc.Snapshot.Jobs[0]; len(job.On) != 2 || len(job.Sizes) != 1 || job.Sizes[0].Workers != 2 {
		t.Errorf("it is on %v, with sizes %+v", job.On, job.Sizes)
	}
	if kept, _ := s.Known.Sizes(); len(kept) != len(every) {
		t.Errorf("of its sizes only %v are known any more", kept)
	}
}

// What was begun before the first worker had finished is taken back, as far as it can be.
func TestAResizeOfAJobAtItsEndIsTakenBack(t *testing.T) {
	ej := fixture.ElasticJob("resnet")
	o := nearlyDone(t, 1, 10, fixture.ResizeOf(ej, 1, 3, 2))
	s, err := o.View.Look(t.Context(), fixture.Get(t, o, "resnet", &v1alpha1.ElasticJob{}))
	if err != nil || s.Active() == nil {
		t.Fatalf("%+v: %v", s, err)
	}
	step := resize.Next(o.Resizer.Observed(t.Context(), s, s.Active()))
	start := fixture.ResizeOf(ej, 1, 0, 3)
	if step := resize.Next(o.Resizer.Observed(t.Context(), s, start)); step.Reason == resize.JobAtItsEnd {
		t.Errorf("a start is taken back, which stops those that train: %+v", step)
	}
	if step.Do != resize.AddCondition || step.Condition != resize.RolledBack || step.Reason != resize.JobAtItsEnd {
		t.Errorf("the next step is %+v", step)
	}
}

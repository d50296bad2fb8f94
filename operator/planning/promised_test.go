package planning_test

import (
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/operator/fixture"
	"github.com/takt-dev/takt/operator/memory"
	"github.com/takt-dev/takt/operator/rooms"
	"github.com/takt-dev/takt/operator/view"
)

// A promise holds for the deadline that was promised, and for later ones. Whoever brings it forward asks anew, and is
// not told that the promise cannot be kept.
func TestAnEarlierDeadlineThanThePromisedOneIsAnotherQuestion(t *testing.T) {
	was := fixture.Start.Add(6 * time.Hour)
	for name, c := range map[string]struct {
		to   time.Time
		want bool
	}{"as it was": {was, true}, "earlier": {was.Add(-16 * time.Minute), false}, "later": {was.Add(time.Hour), true}} {
		t.Run(name, func(t *testing.T) {
			ej := fixture.ElasticJob("resnet", func(ej *v1alpha1.ElasticJob) { ej.Spec.Deadline = v1alpha1.NewTime(was) })
			job := fixture.PyTorchJob("resnet", 1)
			o := fixture.Stopped(t, interceptor.Funcs{}, ej, job, fixture.Worker0(job, "node"), fixture.Node("node", "8"),
				&corev1.Namespace{
					ObjectMeta: metav1.ObjectMeta{Name: "team"},
				})
			ej.Status = fixture.StatusAsWritten(t.Context(), t, o, ej, func(known *memory.Job, _ time.Time) {
				known.Decide(elastic.Outcome{Workers: 1, Verdict: elastic.OnTrack, Reason: elastic.ForDeadline, Promised: true},
					was, fixture.Start)
			})
			if ej.Status.Promised != v1alpha1.NewTime(was) {
				t.Fatalf("the promised deadline is %q", ej.Status.Promised)
			}
			ej.Spec.Deadline = v1alpha1.NewTime(c.to)
			// What was decided for another deadline changes nothing, nor does a restart.
			ej.Status = fixture.StatusAsWritten(t.Context(), t, o, ej, nil)
			if ej.Status.Promised != v1alpha1.NewTime(was) {
				t.Errorf("before the next plan the promised deadline is %q", ej.Status.Promised)
			}
			status := ej.Status
			if err := o.Client.Update(t.Context(), ej); err != nil {
				t.Fatal(err)
			}
			ej.Status = status
			if err := o.Client.Status().Update(t.Context(), ej); err != nil {
				t.Fatal(err)
			}
			sc, err := o.Planner.Observe(t.Context())
			if err != nil || len(sc.Snapshot.Jobs) != 1 {
				t.Fatalf("%+v: %v", sc, err)
			}
			if got := sc.Snapshot.Jobs[0].Promised; got != c.want {
				t.Errorf("promised: %t", got)
			}
			// The answer to it, which was no.
			ej.Status = fixture.StatusAsWritten(t.Context(), t, o, ej, func(known *memory.Job, _ time.Time) {
				known.Decide(elastic.Outcome{Workers: 1, Verdict: elastic.AtRisk, Reason: elastic.FreeGPUs}, c.to, fixture.Start)
			})
			if ej.Status.Promised != "" || (&view.Subject{ElasticJob: ej}).IsPromised(c.to) {
				t.Errorf("it is still promised %q", ej.Status.Promised)
			}
		})
	}
}

// The clock of a leader may be ahead, beyond the deadline: what it plans is no answer to whether that is promised. The
// next leader reads a right clock, and keeps the promise. Where the clock was right, the promise is what it was.
func TestAClockBeyondTheDeadlineForgetsNoPromise(t *testing.T) {
	due := fixture.Start.Add(time.Hour / 2)
	ej := fixture.ElasticJob("resnet", func(ej *v1alpha1.ElasticJob) { ej.Spec.Deadline = v1alpha1.NewTime(due) })
	job := fixture.PyTorchJob("resnet", 1)
	now := fixture.Start
	leader := func() *rooms.Rooms {
		o := fixture.Stopped(t, interceptor.Funcs{}, ej, job, fixture.Worker0(job, "node"), fixture.Node("node", "8"),
			&corev1.Namespace{
				ObjectMeta: metav1.ObjectMeta{Name: "team"},
			})
		o.Now = func() time.Time { return now }
		o.Furnish()
		return o
	}
	decide := func(promised bool) {
		ej.Status = fixture.StatusAsWritten(t.Context(), t, leader(), ej, func(known *memory.Job, _ time.Time) {
			known.Decide(elastic.Outcome{Workers: 1, Verdict: elastic.OnTrack, Reason: elastic.FreeGPUs,
				Promised: promised}, due, now)
		})
	}
	decide(true)
	now = fixture.Start.Add(time.Hour)
	decide(false)
	if is := admittedOf(ej); is.Message != "The deadline was promised, and has passed." {
		t.Errorf("beyond the deadline it is told: %s: %s", is.Reason, is.Message)
	}
	now = fixture.Start
	ej.Status = fixture.StatusAsWritten(t.Context(), t, leader(), ej, nil)
	if ej.Status.Promised != v1alpha1.NewTime(due) {
		t.Errorf("the promised deadline is %q", ej.Status.Promised)
	}
	sc, err := leader().Planner.Observe(t.Context())
	if err != nil || len(sc.Snapshot.Jobs) != 1 {
		t.Fatalf("%+v: %v", sc, err)
	}
	if !sc.Snapshot.Jobs[0].Promised {
		t.Error("the promise is forgotten")
	}
	decide(false)
	if ej.Status.Promised != "" || admittedOf(ej).Reason == view.ReasonPromised {
		t.Errorf("it is promised still, though nothing can keep that: %q, %+v", ej.Status.Promised, admittedOf(ej))
	}
}

func admittedOf(ej *v1alpha1.ElasticJob) metav1.Condition {
	return *meta.FindStatusCondition(ej.Status.Conditions, v1alpha1.ConditionAdmitted)
}

// Between two plans a promise may have been told that the second does not read yet: what a process has decided to
// promise it carries on, until it plans for another deadline or not at all.
func TestAPromiseIsCarriedBeforeItIsRead(t *testing.T) {
	due := fixture.Start.Add(6 * time.Hour)
	ej := fixture.ElasticJob("resnet", func(ej *v1alpha1.ElasticJob) { ej.Spec.Deadline = v1alpha1.NewTime(due) })
	job := fixture.PyTorchJob("resnet", 1)
	o := fixture.Stopped(t, interceptor.Funcs{}, ej, job, fixture.Worker0(job, "node"), fixture.Node("node", "8"),
		&corev1.Namespace{
			ObjectMeta: metav1.ObjectMeta{Name: "team"},
		})
	promised := func() bool {
		sc, err := o.Planner.Observe(t.Context())
		if err != nil || len(sc.Snapshot.Jobs) != 1 {
			t.Fatalf("%+v: %v", sc, err)
		}
		return sc.Snapshot.Jobs[0].Promised
	}
	if promised() {
		t.Error("it is promised before anything was decided")
	}
	known := o.Memory.Of(job.UID, fixture.Start, nil)
	for at, want := range map[time.Time]bool{due: true, due.Add(-time.Minute): false} {
		known.Decide(elastic.Outcome{Workers: 1, Verdict: elastic.OnTrack, Reason: elastic.ForDeadline,
			Promised: true}, at, fixture.Start)
		if got := promised(); got != want {
			t.Errorf("with a promise of %s for a deadline at %s, promised: %t", at, due, got)
		}
	}
	known.Undecide()
	if promised() {
		t.Error("it is promised though nothing is decided any more")
	}
}

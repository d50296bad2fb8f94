package reporting_test

import (
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/operator/fixture"
	"github.com/takt-dev/takt/operator/learn"
	"github.com/takt-dev/takt/operator/memory"
	"github.com/takt-dev/takt/operator/view"
)

// saidOnTrack is of a job that was told to be in time.
func saidOnTrack(ej *v1alpha1.ElasticJob) {
	ej.Spec.Deadline = v1alpha1.NewTime(fixture.Start.Add(time.Hour))
	ej.Status.Deadline, ej.Status.Verdict, ej.Status.Message = ej.Spec.Deadline, v1alpha1.VerdictOnTrack, "It will be met."
	ej.Status.Prediction.ETA = v1alpha1.NewTime(fixture.Start.Add(20 * time.Minute))
}

// A job that takes no part in the plan is not on track any more, whatever was said of it before. A process that has not
// planned yet says what the one before it did.
func TestAJobThatIsSetAsideIsNotOnTrack(t *testing.T) {
	hindered := func(reason string) func(*memory.Job, time.Time) {
		return func(known *memory.Job, _ time.Time) {
			known.Withhold(memory.Hindrance{Reason: reason, Message: "So it is."}, fixture.Start)
		}
	}
	for name, c := range map[string]struct {
		ej      func(*v1alpha1.ElasticJob)
		known   func(*memory.Job, time.Time)
		verdict v1alpha1.Verdict
		message string
		eta     bool
	}{
		"no node fits":        {saidOnTrack, hindered(memory.ReasonNoNode), v1alpha1.VerdictAtRisk, "So it is.", false},
		"a quota is full":     {saidOnTrack, hindered(memory.ReasonQuota), v1alpha1.VerdictAtRisk, "So it is.", false},
		"it comes to no node": {saidOnTrack, hindered(memory.ReasonUnplaced), v1alpha1.VerdictAtRisk, "So it is.", false},
		"it could not run":    {saidOnTrack, hindered(memory.ReasonCannotRun), v1alpha1.VerdictAtRisk, "So it is.", false},
		"it makes no sense":   {saidOnTrack, hindered(memory.ReasonNonsense), v1alpha1.VerdictAtRisk, "So it is.", false},
		"there is no deadline": {fixture.BestEffort, hindered(memory.ReasonQuota), v1alpha1.VerdictBestEffort, "So it is.",
			false},
		"its size stays":         {saidOnTrack, hindered(memory.ReasonByHand), v1alpha1.VerdictOnTrack, "So it is.", false},
		"nothing is planned yet": {saidOnTrack, nil, v1alpha1.VerdictOnTrack, "It will be met.", true},
		"it is planned for another deadline": {saidOnTrack, func(known *memory.Job, due time.Time) {
			known.Decide(elastic.Outcome{Verdict: elastic.OnTrack}, due.Add(time.Hour), fixture.Start)
			hindered(memory.ReasonQuota)(known, due)
		}, v1alpha1.VerdictOnTrack, "So it is.", false},
	} {
		t.Run(name, func(t *testing.T) {
			ej := fixture.ElasticJob("resnet", c.ej)
			o := fixture.Stopped(t, interceptor.Funcs{}, ej, fixture.PyTorchJob("resnet", 1, fixture.SuspendedAtFirst))
			st := fixture.StatusAsWritten(t.Context(), t, o, ej, c.known)
			if st.Verdict != c.verdict || st.Message != c.message || (st.Prediction.ETA != "") != c.eta {
				t.Errorf("%s, ETA %q: %s", st.Verdict, st.Prediction.ETA, st.Message)
			}
		})
	}
}

// The last node that could run a job goes while it waits.
func TestAJobThatLosesItsLastNodeIsToldSo(t *testing.T) {
	o := fixture.Stopped(t, interceptor.Funcs{}, fixture.ElasticJob("resnet", saidOnTrack),
		fixture.PyTorchJob("resnet", 1, fixture.SuspendedAtFirst),
		&corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "team"}})
	is := func(when string, verdict v1alpha1.Verdict, says string) {
		t.Helper()
		if _, err := o.Reporter.Reconcile(t.Context(), fixture.Request("resnet")); err != nil {
			t.Fatal(err)
		}
		st := fixture.Get(t, o, "resnet", &v1alpha1.ElasticJob{}).Status
		if st.Verdict != verdict || !strings.Contains(st.Message, says) {
			t.Errorf("%s: %s: %s", when, st.Verdict, st.Message)
		}
	}
	is("before the plan", v1alpha1.VerdictOnTrack, "It will be met.")
	fixture.Plans(t, o)
	is("after it", v1alpha1.VerdictAtRisk, "No node that Takt may use can run its workers")
	o = fixture.Afresh(o)
	is("told by another process", v1alpha1.VerdictAtRisk, "No node that Takt may use can run its workers")
}

// What a process before this one has said stands until this one has planned, as it was said: once, and after the
// deadline as before it.
func TestAFreshProcessSaysNothingTwice(t *testing.T) {
	const begun = "It has begun already, so it does not wait for first."
	for name, c := range map[string]struct {
		due     time.Duration
		verdict v1alpha1.Verdict
		message string
	}{
		"before its deadline": {time.Hour, v1alpha1.VerdictOnTrack, "It will be met. " + begun},
		"after it": {-time.Minute, v1alpha1.VerdictMissed,
			"Its deadline has passed, and it is not finished. It goes on as best-effort. Its size stays. " + begun},
	} {
		t.Run(name, func(t *testing.T) {
			ej := fixture.ElasticJob("resnet", saidOnTrack, func(ej *v1alpha1.ElasticJob) {
				ej.Spec.After = []v1alpha1.Predecessor{{Name: "first"}}
				ej.Spec.Deadline = v1alpha1.NewTime(fixture.Start.Add(c.due))
				ej.Status.Deadline, ej.Status.Verdict, ej.Status.Message = ej.Spec.Deadline, c.verdict, c.message
			})
			job := fixture.PyTorchJob("resnet", 1)
			run := learn.NewRun(view.RunName(ej, job.UID))
			run.Planned([]byte(`{"workers":1}`))
			ej.Status.Memory = run.Keep()
			o := fixture.Stopped(t, interceptor.Funcs{}, ej, job, fixture.Worker0(job, "node"), fixture.Node("node", "8"))
			for range 2 {
				st := fixture.StatusAsWritten(t.Context(), t, o, ej, nil)
				if st.Verdict != c.verdict || st.Message != c.message || st.Prediction.ETA == "" {
					t.Errorf("%s, ETA %q: %s", st.Verdict, st.Prediction.ETA, st.Message)
				}
				ej.Status = st
			}
		})
	}
}

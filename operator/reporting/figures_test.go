package reporting_test

import (
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/elastic/coretime"
	"github.com/takt-dev/takt/operator/fixture"
	"github.com/takt-dev/takt/operator/memory"
	"github.com/takt-dev/takt/operator/wording"
)

// The columns of a job are those of the plan that its message is about, whatever its present size would give.
func TestColumnsAreOfThePlanThatTheMessageIsAbout(t *testing.T) {
	ej := fixture.ElasticJob("resnet", func(ej *v1alpha1.ElasticJob) {
		ej.Spec.DeadlineAfter = v1alpha1.NewDuration(2 * time.Hour)
	})
	job := fixture.PyTorchJob("resnet", 1)
	o := fixture.Stopped(t, interceptor.Funcs{}, ej, job, fixture.Worker0(job, "node"), fixture.Node("node", "8"),
		&corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "team"}})
	now, two := coretime.Seconds(fixture.Start), elastic.Seconds(7200)
	plan := func(deadline elastic.Seconds, work elastic.Work) elastic.Outcome {
		return elastic.Plan(elastic.Snapshot{
			Now: now, Nodes: []elastic.Node{{Name: "node", GPUs: 8}, {Name: "other", GPUs: 8}},
			Jobs: []elastic.Job{{
				Name: "team/resnet", Deadline: &deadline, Left: work, Workers: 1, On: []string{"node"},
				BusyUntil: now + 600, Pause: 60,
				Sizes: []elastic.Size{
					{Workers: 1, Speed: 1, Expected: 1.2, Best: 1.5}, {Workers: 8, Speed: 6, Expected: 8, Best: 9},
				},
			}},
		}).Jobs[0]
	}
	for _, work := range []elastic.Work{1000, 4000, 18000, 30000, 43000} {
		outcome := plan(now+two/2, work)
		status := fixture.StatusAsWritten(t.Context(), t, o, ej, func(known *memory.Job, due time.Time) {
			known.Undecide()
			known.Decide(outcome, due, fixture.Start)
		})
		eta, err := status.Prediction.ETA.Time()
		if err != nil {
			t.Fatal(err)
		}
		if slack := wording.Span(fixture.Start.Add(time.Hour).Sub(eta)); status.Summary.Slack != slack {
			t.Errorf("%v left: SLACK is %s, and from the ETA to the deadline it is %s", work, status.Summary.Slack, slack)
		}
		earliest, _ := status.Prediction.Earliest.Time()
		latest, _ := status.Prediction.Latest.Time()
		if earliest.After(eta) || eta.After(latest) {
			t.Errorf("%v left: ETA %v is not within %v and %v", work, eta, earliest, latest)
		}
		percent, onTrack := status.Prediction.OnTimePercent, status.Verdict == v1alpha1.VerdictOnTrack
		if percent == nil || onTrack != (*percent >= 90) || onTrack == latest.After(fixture.Start.Add(time.Hour)) {
			t.Errorf("%v left, %s: in time with %v %%, and at %v at the latest", work, status.Verdict, percent, latest)
		}
	}
}

// Small moves of the end are no news, but what is remembered of a plan is all of the same plan.
func TestAPlanIsRememberedAsAWhole(t *testing.T) {
	var known memory.Job
	at := func(in elastic.Seconds) *elastic.Seconds { in += coretime.Seconds(fixture.Start); return &in }
	outcome := func(in elastic.Seconds) elastic.Outcome {
		return elastic.Outcome{Verdict: elastic.OnTrack, Message: elastic.Shorten(in), ExpectedEnd: at(in),
			LateEnd: at(in + 60), Latest: at(in + 60)}
	}
	if !known.Decide(outcome(3600), fixture.Start.Add(time.Hour), fixture.Start) {
		t.Error("the first plan is no news")
	}
	news := 0
	for in := elastic.Seconds(3590); in > 3300; in -= 10 {
		if known.Decide(outcome(in), fixture.Start.Add(time.Hour), fixture.Start) {
			news++
		}
		if d := known.Decided(); *d.ExpectedEnd != *at(in) || d.Message != elastic.Shorten(in) {
			t.Fatalf("%q goes with an end in %v", d.Message, *d.ExpectedEnd-coretime.Seconds(fixture.Start))
		}
	}
	if !known.Decide(*known.Decided(), fixture.Start.Add(2*time.Hour), fixture.Start) {
		t.Error("it is no news that the deadline is another")
	}
	if news < 2 || news > 5 {
		t.Errorf("the end has moved by a twelfth in small steps: news %d times", news)
	}
}

// A job that waits tells when it starts, and tells it anew where that has moved far.
func TestAJobThatWaitsTellsWhenItStarts(t *testing.T) {
	ej := fixture.ElasticJob("resnet")
	o := fixture.Stopped(t, interceptor.Funcs{}, ej, fixture.PyTorchJob("resnet", 1, fixture.SuspendedAtFirst),
		fixture.Node("node", "8"))
	at := func(in time.Duration) *elastic.Seconds { return new(coretime.Seconds(fixture.Start.Add(in))) }
	status := fixture.StatusAsWritten(t.Context(), t, o, ej, func(known *memory.Job, _ time.Time) {
		for _, step := range []struct {
			starts *elastic.Seconds
			news   bool
		}{{at(time.Hour), true}, {at(time.Hour + time.Minute), false}, {nil, true}, {nil, false}, {at(2 * time.Hour), true}} {
			o := elastic.Outcome{Verdict: elastic.BestEffort, Reason: elastic.NoRoom, Starts: step.starts}
			if news := known.Decide(o, time.Time{}, fixture.Start); news != step.news {
				t.Errorf("that it starts at %v is news: %t", step.starts, news)
			}
		}
	})
	if got, want := status.Prediction,
		(v1alpha1.PredictionStatus{StartsAt: v1alpha1.NewTime(fixture.Start.Add(2 * time.Hour))}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
}

// A plan for another deadline says nothing of this one: until there is one for it, what was told of it stays, and what
// was told of another does not.
func TestWhatIsToldWaitsForThePlanOfANewDeadline(t *testing.T) {
	const (
		said    = "At worst it will be met with 30m to spare."
		changed = "Its deadline is another now: the next plan says more."
		gone    = "It has no deadline any more: the next plan says more."
	)
	in := func(d time.Duration) v1alpha1.Time { return v1alpha1.NewTime(fixture.Start.Add(d)) }
	for name, c := range map[string]struct {
		before, now    v1alpha1.Time
		verdict        v1alpha1.Verdict
		slack, message string
	}{
		"the same":        {in(2 * time.Hour), in(2 * time.Hour), v1alpha1.VerdictOnTrack, "40m", said},
		"another":         {in(2 * time.Hour), in(time.Hour), v1alpha1.VerdictEstimating, "", changed},
		"it is new":       {"", in(time.Hour), v1alpha1.VerdictEstimating, "", changed},
		"it is taken off": {in(2 * time.Hour), "", v1alpha1.VerdictBestEffort, "", gone},
	} {
		t.Run(name, func(t *testing.T) {
			ej := fixture.ElasticJob("resnet", func(ej *v1alpha1.ElasticJob) {
				ej.Spec.Deadline = c.now
				ej.Status = v1alpha1.ElasticJobStatus{Deadline: c.before, Verdict: v1alpha1.VerdictOnTrack, Message: said}
				ej.Status.Summary.Slack, ej.Status.Prediction.OnTimePercent = "40m", new(int32(99))
			})
			job := fixture.PyTorchJob("resnet", 1)
			o := fixture.Stopped(t, interceptor.Funcs{}, ej, job, fixture.Worker0(job, "node"), fixture.Node("node", "8"))
			end := coretime.Seconds(fixture.Start.Add(20 * time.Minute))
			got := fixture.StatusAsWritten(t.Context(), t, o, ej, func(known *memory.Job, _ time.Time) {
				known.Decide(elastic.Outcome{
					Verdict: elastic.OnTrack, Message: "At worst it will be met with 5m to spare.",
					ExpectedEnd: &end, LateEnd: &end, Latest: &end,
				},
					fixture.Start.Add(25*time.Minute), fixture.Start)
			})
			if got.Verdict != c.verdict || got.Message != c.message || got.Summary.Slack != c.slack ||
				(got.Prediction.OnTimePercent == nil) != (c.slack == "") {
				t.Errorf("%s, SLACK %s, %v%%: %s", got.Verdict, got.Summary.Slack, got.Prediction.OnTimePercent, got.Message)
			}
		})
	}
}

package reporting_test

import (
	"testing"
	"time"

	"k8s.io/client-go/tools/events"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/elastic/coretime"
	"github.com/takt-dev/takt/operator/fixture"
	"github.com/takt-dev/takt/operator/telling"
)

// A job that is just about in time has another verdict with each reading. What is worse is said at once, and what is
// clearly better, too.
func TestAVerdictDoesNotFlip(t *testing.T) {
	for name, c := range map[string]struct {
		due     time.Duration
		worst   func(i int) time.Duration // how long before its deadline it ends at worst; less than 0 is after it
		flips   int                       // at most
		at, end v1alpha1.Verdict          // after the second plan, and at last
	}{
		"a deadline of seconds": {30 * time.Second,
			func(i int) time.Duration { return time.Duration(1-2*(i%2)) * time.Second }, 6, v1alpha1.VerdictAtRisk, ""},
		"a deadline of hours": {3 * time.Hour, func(i int) time.Duration { return time.Duration(1-2*(i%2)) * time.Second },
			1, v1alpha1.VerdictAtRisk, v1alpha1.VerdictAtRisk},
		"clearly better": {3 * time.Hour, func(i int) time.Duration {
			if i == 1 {
				return -time.Second
			}
			return time.Hour
		}, 2, v1alpha1.VerdictAtRisk, v1alpha1.VerdictOnTrack},
		"a little better, for good": {5 * time.Minute, func(i int) time.Duration {
			if i == 1 {
				return -time.Second
			}
			return 5 * time.Second
		}, 2, v1alpha1.VerdictAtRisk, v1alpha1.VerdictOnTrack},
	} {
		t.Run(name, func(t *testing.T) {
			job := fixture.PyTorchJob("resnet", 1)
			o := fixture.Stopped(t, interceptor.Funcs{}, job, fixture.Worker0(job, "node"), fixture.Node("node", "8"),
				fixture.ElasticJob("resnet", func(ej *v1alpha1.ElasticJob) {
					ej.Spec.Deadline = v1alpha1.NewTime(fixture.Start.Add(c.due))
				}))
			now, sink := fixture.Start, events.NewFakeRecorder(100)
			o.Now = func() time.Time { return now }
			o.Events = telling.NewRecorder(sink, o.Now)
			o.Furnish()
			flips, last := 0, v1alpha1.Verdict("")
			for i := range 30 {
				now = fixture.Start.Add(time.Duration(i) * time.Second)
				latest := coretime.Seconds(fixture.Start.Add(c.due - c.worst(i)))
				verdict := elastic.OnTrack
				if c.worst(i) < 0 {
					verdict = elastic.AtRisk
				}
				s, err := o.View.Look(t.Context(), fixture.Get(t, o, "resnet", &v1alpha1.ElasticJob{}))
				if err != nil {
					t.Fatal(err)
				}
				due, _ := s.Deadline()
				s.Known.Decide(elastic.Outcome{Workers: 1, Verdict: verdict, Message: "So it is.", ExpectedEnd: &latest,
					LateEnd: &latest, Latest: &latest}, due, now)
				if _, err := o.Reporter.Reconcile(t.Context(), fixture.Request("resnet")); err != nil {
					t.Fatal(err)
				}
				is := fixture.Get(t, o, "resnet", &v1alpha1.ElasticJob{}).Status.Verdict
				if last != "" && is != last {
					flips++
				}
				if last = is; i == 1 && is != c.at {
					t.Errorf("after a second it is %s, want %s", is, c.at)
				}
			}
			if flips > c.flips || c.end != "" && last != c.end {
				t.Errorf("its verdict changes %d times, at last to %s; want at most %d, to %s", flips, last, c.flips, c.end)
			}
			if len(sink.Events) > 2*c.flips+2 {
				t.Errorf("%d events", len(sink.Events))
			}
		})
	}
}

// An ElasticJob that is there before its job is told about, too, though nothing is remembered of it.
func TestAnElasticJobWithoutAJobIsToldAbout(t *testing.T) {
	o := fixture.Stopped(t, interceptor.Funcs{}, fixture.ElasticJob("resnet"))
	if _, err := o.Reporter.Reconcile(t.Context(), fixture.Request("resnet")); err != nil {
		t.Fatal(err)
	}
	if says := fixture.Get(t, o, "resnet", &v1alpha1.ElasticJob{}).Status.Message; says == "" {
		t.Error("nothing is said of it")
	}
}

package stories

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/e2e/lib/extent"
	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/elastic/coretime"
	"github.com/takt-dev/takt/operator/fixture"
	"github.com/takt-dev/takt/operator/learn"
	"github.com/takt-dev/takt/operator/memory"
	"github.com/takt-dev/takt/operator/progress"
)

// told is what an operator tells and decides of a job.
type told struct {
	ends     time.Time
	verdict  v1alpha1.Verdict
	workers  elastic.Workers
	promised bool
}

func seen(w *fixture.Watched) told {
	status := fixture.Get(w.T, w.Rooms, w.Job, &v1alpha1.ElasticJob{}).Status
	ends, _ := status.Prediction.ETA.Time()
	return told{ends, status.Verdict, w.Plan.Workers, w.Plan.Promised}
}

func percents(seconds float64) (progress.Sample, error) {
	return progress.Sample{Done: math.Floor(seconds / 216), Total: 100, Unit: "%"}, nil
}

func parts(seconds float64) (progress.Sample, error) {
	return progress.Sample{Done: math.Floor(seconds/21.6) / 1000, Total: 1, Unit: progress.Share}, nil
}

// evaluates trains ten minutes and evaluates five.
func evaluates(seconds float64) (progress.Sample, error) {
	cycles := math.Floor(seconds / 900)
	return fixture.Counts(600*cycles + min(600, seconds-900*cycles))
}

// inBursts tells every two minutes what was done meanwhile, in three parts.
func inBursts(seconds float64) (progress.Sample, error) {
	whole := 120 * math.Floor(seconds/120)
	return fixture.Counts(whole - max(0, 40-2*(seconds-whole)))
}

// calm has no decision hang by a hair: nobody acts here on what is decided, and so it would be taken for the other, and
// stay so, at the next moment.
func calm(ej *v1alpha1.ElasticJob) {
	ej.Spec.Deadline, ej.Spec.Workers.Max = v1alpha1.NewTime(fixture.Start.Add(10*time.Hour)), new(int32(4))
}

func TestStoryAnOperatorThatIsKilledKnowsWhatItKnew(t *testing.T) {
	until := 48.0
	if testing.Short() {
		until = 24
	}
	tests := map[string]struct {
		tells func(float64) (progress.Sample, error)
		note  func(float64) string
		from  float64 // minutes after which a few reports were seen, by whichever process
	}{
		"every step": {fixture.Counts, nil, 4}, "whole percents": {percents, nil, 12}, "shares": {parts, nil, 8},
		"evaluates": {evaluates, nil, 4}, "in bursts": {inBursts, nil, 12},
		"whole percents, by an annotation": {
			silent, func(seconds float64) string { return fmt.Sprintf("%.0f%%", math.Floor(seconds/216)) }, 12,
		},
	}
	for _, name := range extent.Some(t, slices.Sorted(maps.Keys(tests)), 3) {
		test := tests[name]
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			lives, dies := fixture.Watch(t, test.tells, calm), fixture.Watch(t, test.tells, calm)
			lives.Note, dies.Note = test.note, test.note
			lives.Minutes(test.from, 0)
			dies.Minutes(test.from, 2)
			for at := test.from; at < until; at += 4 {
				want, got := seen(lives), seen(dies)
				left := want.ends.Sub(lives.At)
				if left <= 0 || got.verdict != want.verdict || got.workers != want.workers || got.promised != want.promised ||
					got.ends.Sub(want.ends).Abs() > left/12 {
					t.Errorf("after %g min it is taken for %+v, want %+v", at, got, want)
				}
				lives.Minutes(4, 0)
				dies.Minutes(4, 2)
			}
		})
	}
}

// What was known is planned with before the first reading of a fresh process succeeds.
func TestStoryAFreshOperatorPlansWithWhatWasKnown(t *testing.T) {
	for name, lasted := range map[string]float64{"for a minute": 1, "for long": 60} {
		t.Run(name, func(t *testing.T) {
			w := fixture.Watch(t, fixture.Counts, calm)
			w.Minutes(lasted, 0)
			before, plan := w.Look(), w.Plan
			if plan.ExpectedEnd == nil {
				t.Fatalf("nothing is known after %g min: %s", lasted, plan.Message)
			}
			w.Kill()
			w.From.Answer = func(context.Context) (progress.Sample, error) { return progress.Sample{}, progress.ErrTimeout }
			w.Decide()
			s := w.Look()
			if s == before || w.Plan.Workers != plan.Workers || w.Plan.Promised != plan.Promised ||
				w.Plan.Verdict != plan.Verdict || w.Plan.ExpectedEnd == nil ||
				math.Abs(float64(*w.Plan.ExpectedEnd-*plan.ExpectedEnd)) > 60 {
				t.Errorf("it is planned as %+v, want %+v", w.Plan, plan)
			}
		})
	}
}

// What a job has told long ago is not what it has done by now: the first plan waits a little for a reading.
func TestStoryWhatWasKnownLongAgoIsReadAgainFirst(t *testing.T) {
	w := fixture.Watch(t, fixture.Counts)
	w.Minutes(10, 0)
	w.At = w.At.Add(time.Hour)
	w.Kill()
	sc, err := w.Rooms.Planner.Observe(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if !w.Rooms.Planner.Early(sc) {
		t.Error("it is planned with what was so an hour ago")
	}
}

// What a run has measured is in its profile once it has ended, due to be stored at that moment or not.
func TestStoryWhatARunHasMeasuredIsStoredAtItsEnd(t *testing.T) {
	for name, after := range map[string]time.Duration{"at once": time.Second, "after it was silent": time.Hour} {
		t.Run(name, func(t *testing.T) {
			w := fixture.Watch(t, fixture.Counts)
			w.Minutes(4, 0)
			w.At = w.At.Add(after)
			w.Finish()
			if _, err := w.Rooms.Reader.Reconcile(t.Context(), fixture.Request(w.Job)); err != nil {
				t.Fatal(err)
			}
			if profile := fixture.Get(t, w.Rooms, w.Job, &v1alpha1.TrainingProfile{}); len(profile.Status.Speeds) != 1 {
				t.Errorf("it is stored as %+v", profile.Status)
			}
		})
	}
}

// How a job is going to be in time, and what it waits for, is gone on from by a fresh process.
func TestStoryAFreshOperatorGoesOnWithThePlan(t *testing.T) {
	planned := func(w *fixture.Watched) elastic.Job {
		sc, err := w.Rooms.Planner.Observe(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return sc.Snapshot.Jobs[0]
	}
	w := fixture.Watch(t, fixture.Counts)
	w.Minutes(10, 0)
	reserved := planned(w).Reserved
	if len(reserved) == 0 {
		t.Fatal("it is not planned: this proves nothing")
	}
	w.Say()
	w.Kill()
	if again := planned(w).Reserved; !slices.EqualFunc(again, reserved, aboutTheSame) {
		t.Errorf("reserved is %v, want %v", again, reserved)
	}

	d := w.Plan
	d.Workers, d.Reason, d.Why = 8, elastic.ForDeadline, "8 workers are what its deadline takes."
	s := w.Look()
	due, _ := s.Deadline()
	s.Known.Decide(d, due, w.At)
	s.Known.Withhold(memory.NotFree(8), w.At)
	w.Say()
	said := fixture.Get(t, w.Rooms, w.Job, &v1alpha1.ElasticJob{}).Status
	w.At = w.At.Add(5 * time.Second)
	want := elastic.Awaited{Workers: 8, Since: coretime.Seconds(w.At.Add(-5 * time.Second)), Reason: d.Reason, Why: d.Why}
	for range 2 { // processes, of which the first says something before it plans
		w.Kill()
		if awaits := planned(w).Awaits; awaits == nil || *awaits != want {
			t.Errorf("it awaits %+v, want %+v", awaits, want)
		}
		w.Say()
		now := fixture.Get(t, w.Rooms, w.Job, &v1alpha1.ElasticJob{}).Status
		if now.Workers.Desired != said.Workers.Desired || now.Prediction.ETA != said.Prediction.ETA ||
			now.Message != said.Message {
			t.Errorf("before it plans it says %d workers, %s: %s; want %d, %s: %s", now.Workers.Desired, now.Prediction.ETA,
				now.Message, said.Workers.Desired, said.Prediction.ETA, said.Message)
		}
	}
}

func aboutTheSame(a, b elastic.Span) bool {
	return a.Workers == b.Workers && math.Abs(float64(a.From-b.From))+math.Abs(float64(a.To-b.To)) < 0.01
}

// A plan that makes no sense is not gone on from.
func TestNonsenseIsNotGoneOnFrom(t *testing.T) {
	for name, text := range map[string]string{
		"no workers":      `{"workers":1,"reserved":[{"from":1,"to":2,"workers":0}]}`,
		"backwards":       `{"workers":1,"reserved":[{"from":2,"to":1,"workers":1}]}`,
		"one in another":  `{"workers":1,"reserved":[{"from":1,"to":3,"workers":1},{"from":2,"to":4,"workers":1}]}`,
		"fewer than none": `{"workers":-1}`,
		"another form":    `[]`,
	} {
		t.Run(name, func(t *testing.T) {
			run := learn.NewRun("resnet-1")
			run.Planned([]byte(text))
			kept, err := learn.Recalled("resnet-1", run.Keep())
			if err != nil {
				t.Fatal(err)
			}
			if known := memory.New().Of("1", fixture.Start, func() *learn.Run { return kept }); known.LastPlanned() != nil {
				t.Errorf("it goes on from %+v", known.LastPlanned())
			}
		})
	}
}

package learn

import (
	"math"
	"testing"
	"time"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic/resize"
	"github.com/takt-dev/takt/operator/progress"
)

// Many a script that goes on from a checkpoint trains for so many epochs as are left, and counts these from the first.
// It has lost what it did since its checkpoint, and not all.
func TestATrainingThatCountsWhatIsLeftHasNotLostAll(t *testing.T) {
	r, now := NewRun("a-1"), 0
	trains := func(from, until, over float64, workers int) {
		for done := from; done < until; done += 0.1 {
			now += 10
			r.Sample(progress.Sample{
				Source: v1alpha1.ProgressLogs, At: at(now), Unit: "epochs", Done: done - over, Total: 100 - over,
			}, size(workers))
		}
	}
	r.Team("first", at(0), at(0))
	trains(0, 52.35, 0, 2)
	for _, next := range []struct {
		team           string
		workers        int
		over, until    float64
		lost, wantDone float64
	}{{"second", 4, 50, 70.35, 2.3, 0.703}, {"third", 4, 70, 80.35, 0.3, 0.803}} {
		now += 60
		r.Team(next.team, at(now), at(now))
		trains(next.over, next.until, next.over, next.workers)
		if lost := r.stretch.lostTime().Seconds() / 100; math.Abs(lost-next.lost) > 0.15 {
			t.Errorf("the %s workers have done %.2f epochs once more, want %.1f", next.team, lost, next.lost)
		}
		r.Restarted(v1alpha1.RestartCold, resize.Cost{Measured: true, Pause: time.Minute})
		for _, each := range []*Run{r, recalled(t, r)} {
			v := each.View(at(now), time.Minute)
			if math.Abs(v.Done-next.wantDone) > 0.002 || v.Total != 100 || v.Sentence != "" {
				t.Errorf("of the %s workers %.3f of %g is done, want %.3f of 100: %s", next.team, v.Done, v.Total, next.wantDone,
					v.Sentence)
			}
		}
	}
}

// A total that is smaller by what was done tells nothing of what is left where more workers share the steps.
func TestStepsThatMoreWorkersShareAreNotWhatIsLeft(t *testing.T) {
	r := NewRun("a-1")
	r.Team("first", at(0), at(0))
	for _, s := range line(0, 5, 101, 0, 10) {
		s.Total = 10000
		r.Sample(s, size(2))
	}
	r.Team("second", at(600), at(600))
	next := steps(650, 0)
	next.Total = 5000
	r.Sample(next, size(4))
	if r.tally.before != 0 {
		t.Errorf("it is taken to count what is left behind %g", r.tally.before)
	}
}

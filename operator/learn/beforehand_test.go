package learn

import (
	"testing"
	"time"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/operator/progress"
)

// planned is what somebody wrote of the work before the job began.
func planned(seconds int) progress.Sample {
	return progress.Sample{
		Source: v1alpha1.ProgressAnnotation, At: at(seconds), Total: 1000, Unit: "steps", Beforehand: true,
	}
}

// Nobody may stop a training for standing still at what was written before it began.
func TestACounterThatNobodyHasSeenAdvanceReportsNothing(t *testing.T) {
	r := NewRun("resnet-1")
	reads(2, planned(0), planned(10), planned(20))(r)
	if r.Progress().Reported {
		t.Error("it counts as a report of progress")
	}
	if v := r.View(at(20), time.Hour); !v.Known || v.Total != 1000 || v.Source != v1alpha1.ProgressAnnotation {
		t.Errorf("what was written is lost: %+v", v)
	}
	reads(2, steps(30, 400), steps(40, 410), steps(50, 420))(r)
	if !r.Progress().Reported {
		t.Error("the counter of another source reports nothing")
	}
	if v := r.View(at(50), time.Hour); v.Health != Good || v.Done != .42 || v.Source != v1alpha1.ProgressAgent {
		t.Errorf("after another source has begun to tell: %+v", v)
	}
	if p := r.Progress(); p.Advances != 2 {
		t.Errorf("it has advanced %d times: to change the source is no advance", p.Advances)
	}
	if shape := size(2); r.speeds[shape] == nil {
		t.Error("no speed is learned")
	}
}

// What was written before a job began is dated by its beginning, and is no reading that has become old.
func TestWhatWasWrittenBeforehandDoesNotBecomeStale(t *testing.T) {
	r := NewRun("resnet-1")
	reads(2, planned(0), planned(0))(r)
	if v := r.View(at(1000), 5*time.Minute); v.Health.Doubtful() {
		t.Errorf("%s: %s", v.Health, v.Sentence)
	}
	fails(1000, "the job is gone")(r)
	if v := r.View(at(1000), 5*time.Minute); v.Health != Unreadable {
		t.Errorf("if it cannot be read any more: %s: %s", v.Health, v.Sentence)
	}
}

package resizing

import (
	"testing"
	"time"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic/resize"
)

// PAUSE and LOST are there wherever a resize has cost something; what is not known is empty, not nothing.
func TestCostIsOnRecordWhereverThereIsOne(t *testing.T) {
	for name, test := range map[string]struct {
		cost        resize.Cost
		pause, lost v1alpha1.Duration
		said        string
		reason      resize.Reason
	}{
		"measured": {resize.Cost{Measured: true, Pause: 9 * time.Second}, "9s", "0s", "The training paused for 9s.",
			resize.ProgressSeen},
		"of seconds": {resize.Cost{Measured: true, Pause: 35400 * time.Millisecond, Lost: 130400 * time.Millisecond},
			"35s", "2m10s", "The training paused for 35s, and does the work of 2m10s once more.", resize.ProgressSeen},
		"of few seconds": {resize.Cost{Measured: true, Pause: 3680 * time.Millisecond, Lost: 430 * time.Millisecond}, "3.7s",
			"400ms", "The training paused for 3.7s, and does the work of 400ms once more.", resize.ProgressSeen},
		"a stop": {resize.Cost{Lost: 10 * time.Minute}, "", "10m0s", "The training does the work of 10m once more.",
			resize.AllStopped},
		"a job that failed": {resize.Cost{Lost: 10 * time.Minute}, "", "10m0s", "The work of 10m is lost.",
			resize.JobHasFailed},
		"a job that was cut short": {resize.Cost{Lost: 10 * time.Minute}, "", "10m0s", "The work of 10m is lost.",
			resize.JobIsCutShort},
		"never went on": {resize.Cost{Pause: time.Hour, Lost: time.Minute}, "1h0m0s", "1m0s",
			"The training paused for 1h, and does the work of 1m once more.", resize.NoProgress},
		"nothing is lost": {},
	} {
		t.Run(name, func(t *testing.T) {
			r := &v1alpha1.Resize{}
			note(r, resize.Step{Condition: resize.Succeeded, Reason: test.reason, Message: "So it is.",
				Cost: test.cost}, present)
			if pause, lost := r.Status.Cost.Pause, r.Status.Cost.Lost; !sameSpan(pause, test.pause) ||
				!sameSpan(lost, test.lost) {
				t.Errorf("PAUSE %q and LOST %q, want %q and %q", pause, lost, test.pause, test.lost)
			}
			if said := costs(costOf(r, r.Ending()), r.Ending()); said != test.said {
				t.Errorf("it is said: %q, want %q", said, test.said)
			}
		})
	}
}

func sameSpan(a, b v1alpha1.Duration) bool {
	is, _ := a.Duration()
	want, _ := b.Duration()
	return is == want && (a == "") == (b == "")
}

// What a Resize was to change is told as something to come only while it is.
func TestWhatAResizeHasChangedIsOver(t *testing.T) {
	for name, test := range map[string]struct {
		from, to int32
		end      string
		want     string
	}{
		"grown":       {2, 4, v1alpha1.ConditionSucceeded, "the job has 4 workers now, and had 2."},
		"started":     {0, 1, v1alpha1.ConditionSucceeded, "the job has started with 1 worker."},
		"stopped":     {2, 0, v1alpha1.ConditionSucceeded, "the job has stopped."},
		"rolled back": {2, 4, v1alpha1.ConditionRolledBack, "the job was to have 4 workers instead of 2."},
		"not started": {0, 4, v1alpha1.ConditionFailed, "the job was to start with 4 workers."},
		"not stopped": {4, 0, v1alpha1.ConditionFailed, "the job was to stop."},
	} {
		t.Run(name, func(t *testing.T) {
			r := proposed(1, test.from, test.to, test.end)
			if got := changed(r, r.Ending()); got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

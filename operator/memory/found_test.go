package memory

import (
	"testing"
	"time"

	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/elastic/coretime"
	"github.com/takt-dev/takt/operator/learn"
)

// A job that was half done when it was decided about, and was expected to take another hour, is looked at again.
func TestWhatALookTells(t *testing.T) {
	now := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	end := coretime.Seconds(now.Add(time.Hour))
	known := elastic.Outcome{ExpectedEnd: &end, LateEnd: &end}
	seen := learn.View{Known: true, Done: 0.5, SavedAt: now.Add(-time.Hour)}
	for name, test := range map[string]struct {
		decided elastic.Outcome
		after   time.Duration
		change  func(*learn.View)
		want    News
	}{
		"it tells nothing":                 {known, time.Minute, func(*learn.View) {}, NoNews},
		"it is as far as it was to be":     {known, 6 * time.Minute, func(v *learn.View) { v.Done = 0.55 }, AsForeseen},
		"it has saved its state once more": {known, time.Minute, func(v *learn.View) { v.SavedAt = now }, AsForeseen},
		"it is a moment late":              {known, 6 * time.Minute, func(v *learn.View) { v.Done = 0.545 }, AsForeseen},
		"it is much further":               {known, 6 * time.Minute, func(v *learn.View) { v.Done = 0.7 }, Unforeseen},
		"it is hardly further":             {known, 30 * time.Minute, func(v *learn.View) { v.Done = 0.51 }, Unforeseen},
		"it has lost what it had done":     {known, 6 * time.Minute, func(v *learn.View) { v.Done = 0.1 }, Unforeseen},
		"nothing is known of its end": {
			elastic.Outcome{}, 6 * time.Minute, func(v *learn.View) { v.Done = 0.55 }, Unforeseen,
		},
		"it is not well": {known, time.Minute, func(v *learn.View) { v.Health = learn.Stale }, Unforeseen},
		"it is done":     {known, 6 * time.Minute, func(v *learn.View) { v.Done = 1 }, Unforeseen},
	} {
		t.Run(name, func(t *testing.T) {
			var job Job
			job.Finds(FoundBy(seen), now)
			job.Decide(test.decided, time.Time{}, now)
			then := seen
			test.change(&then)
			if got := job.Finds(FoundBy(then), now.Add(test.after)); got != test.want {
				t.Errorf("it is %d, want %d", got, test.want)
			}
		})
	}
	var first Job
	if got := first.Finds(FoundBy(seen), now); got != Unforeseen {
		t.Errorf("the first that is heard of a job is %d", got)
	}
}

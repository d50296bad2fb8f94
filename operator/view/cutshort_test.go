package view

import (
	"testing"
	"time"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/operator/kind"
	"github.com/takt-dev/takt/operator/learn"
	"github.com/takt-dev/takt/operator/memory"
	"github.com/takt-dev/takt/operator/progress"
	"github.com/takt-dev/takt/predictor"
)

// Those who train until they leave may do the rest of the work meanwhile: what was said of its end last is of the size
// that it was to have then.
func TestAJobIsDoneByThoseWhoTrainUntilTheyLeave(t *testing.T) {
	read := time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)
	for name, test := range map[string]struct {
		done    float64 // when it was last read, of 1000 steps, of which four workers do two in a second
		workers int
		want    bool
	}{
		"what was left takes two seconds":    {996, 4, true},
		"what was left takes ten seconds":    {980, 4, false},
		"nobody knows how fast its size was": {996, 3, false},
	} {
		t.Run(name, func(t *testing.T) {
			s := &Subject{Job: kind.Job{UID: "uid", EndedAt: read.Add(3 * time.Second)}}
			s.Known = memory.New().Of(s.Job.UID, read.Add(-time.Hour), func() *learn.Run { return learn.NewRun("uid") })
			four := predictor.Shape{Workers: 4, Nodes: 1}
			for before := 300.; before >= 0; before -= 10 {
				s.Known.Run.Sample(progress.Sample{
					Source: v1alpha1.ProgressLogs, At: read.Add(-time.Duration(before) * time.Second),
					Done: test.done - 2*before, Total: 1000, Unit: "steps",
				}, four)
			}
			if got := s.doneBy(s.Job.EndedAt, read, test.done/1000, test.workers); got != test.want {
				t.Errorf("it is done: %t, want %t", got, test.want)
			}
		})
	}
}

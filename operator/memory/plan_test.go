package memory

import (
	"testing"
	"time"

	"github.com/takt-dev/takt/elastic/resize"
	"github.com/takt-dev/takt/operator/learn"
)

// Whoever puts back what Takt asks for again and again is given in to, also where the operator is started anew between.
func TestWhatManifestsHaveTakenBackIsKept(t *testing.T) {
	now := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	run := learn.NewRun("resnet-1")
	for i := range 3 {
		job := New().Of("job", now, func() *learn.Run { return run })
		times := job.Overruled(resize.Epoch(7+i), now.Add(time.Duration(i)*time.Hour))
		if len(times) != i+1 {
			t.Errorf("after %d times it knows of %v", i+1, times)
		}
		job.KeepPlan()
		kept, err := learn.Recalled("resnet-1", job.Run.Keep())
		if err != nil {
			t.Fatal(err)
		}
		run = kept
	}
}

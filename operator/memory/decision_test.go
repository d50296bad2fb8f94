package memory

import (
	"sync"
	"testing"
	"time"

	"github.com/takt-dev/takt/elastic"
)

// The planner decides while statuses are written: with the race detector this fails where one of them does not lock.
func TestWhatIsDecidedMayBeAskedForMeanwhile(t *testing.T) {
	now := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	var job Job
	var planner sync.WaitGroup
	planner.Go(func() { job.Decide(elastic.Outcome{}, now.Add(-time.Hour), now) })
	job.Overdue()
	planner.Wait()
	if due, overdue := job.Overdue(); !overdue || !due.Equal(now.Add(-time.Hour)) {
		t.Errorf("due %s, overdue: %t", due, overdue)
	}
}

package memory

import (
	"testing"
	"time"
)

// A process that begins cannot know when pods failed before. Where all workers run it does not matter: who had failed
// was made again.
func TestWhenPodsHaveFailedLast(t *testing.T) {
	now := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	yes, no := func() bool { return true }, func() bool { return false }
	var job Job
	same := func(what string, want, got time.Time) {
		t.Helper()
		if !got.Equal(want) {
			t.Errorf("%s: %s, want %s", what, got, want)
		}
	}
	same("none has", time.Time{}, job.LastFailed(0, no, now))
	same("one has", now, job.LastFailed(1, no, now))
	same("no more have", now, job.LastFailed(1, yes, now.Add(time.Minute)))
	same("one more has", now.Add(2*time.Minute), job.LastFailed(2, yes, now.Add(2*time.Minute)))

	var fresh, missing Job
	same("some had, and all run", time.Time{}, fresh.LastFailed(3, yes, now))
	same("one has since", now.Add(time.Minute), fresh.LastFailed(4, no, now.Add(time.Minute)))
	same("some had, and some are missing", now, missing.LastFailed(3, no, now))
}

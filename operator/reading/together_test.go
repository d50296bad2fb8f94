package reading

import (
	"testing"
	"time"

	"github.com/takt-dev/takt/operator/settings"
)

// Who is looked at seldom is looked at together with others, no later than it would be.
func TestSeldomLooksAreMadeTogether(t *testing.T) {
	now := time.Date(2026, 11, 21, 12, 0, 1, 0, time.UTC)
	r := &Reader{Settings: settings.Default(), Together: 2 * time.Second, Now: func() time.Time { return now }}
	for wait, want := range map[time.Duration]time.Duration{
		10 * time.Second:                 10 * time.Second,
		59500 * time.Millisecond:         59500 * time.Millisecond,
		time.Minute:                      59 * time.Second,
		5 * time.Minute:                  5*time.Minute - time.Second,
		5*time.Minute + time.Second:      5*time.Minute + time.Second,
		5*time.Minute + 2*time.Second:    5*time.Minute + time.Second,
		5*time.Minute + time.Millisecond: 5*time.Minute - time.Second,
	} {
		if got := r.together(wait); got != want {
			t.Errorf("one that is due in %s is looked at in %s, want %s", wait, got, want)
		}
	}
	r.Together = 0
	if got := r.together(5 * time.Minute); got != 5*time.Minute {
		t.Errorf("where nobody is looked at together, one is looked at in %s", got)
	}
}

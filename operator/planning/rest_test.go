package planning

import (
	"testing"
	"time"

	"github.com/go-logr/logr"

	"github.com/takt-dev/takt/operator/settings"
)

// Where nothing happens, planning takes a small part of the time, however long a plan takes.
func TestPlansOfManyJobsRestLonger(t *testing.T) {
	p := NewPlanner(logr.Discard())
	p.Settings = settings.Default()
	p.Settings.Planning.Every.Duration = 30 * time.Second
	for thought, want := range map[time.Duration]time.Duration{
		10 * time.Millisecond: 30 * time.Second, time.Second: 100 * time.Second, time.Minute: 5 * time.Minute,
	} {
		if p.took = thought; p.rest() != want {
			t.Errorf("a plan takes %s, and the next is made after %s; want %s", thought, p.rest(), want)
		}
	}
}

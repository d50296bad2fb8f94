package habit

import (
	"math"
	"math/bits"
	"time"
)

// Site are habits that come of the cluster on which a training runs, and of the framework that it uses.
type Site struct {
	// First is how long it prepares its data at its very first start.
	First time.Duration
	// Pulls is how long its image takes to a node that does not have it.
	Pulls time.Duration
	// Leaves is how long a worker takes to leave. It saves before it does.
	Leaves time.Duration
	// PerWorker is how much longer a start takes for each worker.
	PerWorker time.Duration
	// Behind is how long it trains on until a save is whole.
	Behind time.Duration
	// Offloads: with fewer workers it keeps a part of its model elsewhere, and is three times slower.
	Offloads int
	// Powers says that only a power of two of its workers have something to do.
	Powers bool
	// Hangs is how long after a start it hangs, until its watchdog starts it again.
	Hangs time.Duration
	// Falls is how often it falls in its first minutes, and is started again in place.
	Falls int
	// Zeroes says that it shows its bar at zero from each start until it goes on from its last checkpoint.
	Zeroes bool
	// Swings is by what part its speed goes up and down within two hours.
	Swings float64
}

// watchdog is how long a training hangs until it is started again, and firstMinutes when one falls that does at first.
const (
	watchdog     = 10 * time.Minute
	firstMinutes = 90 * time.Second
)

// lived says that only living it tells how long it takes.
func (s Site) lived() bool {
	return s.First > 0 || s.PerWorker > 0 || s.Hangs > 0 || s.Falls > 0 || s.Swings > 0
}

// busy are the workers that have something to do.
func (s Site) busy(workers int) int {
	if !s.Powers || workers < 1 {
		return workers
	}
	return 1 << (bits.Len(uint(workers)) - 1)
}

// Holds is how much longer than usual it may take, by these habits, until it goes on after a start.
func (s Site) Holds(workers int) time.Duration {
	holds := s.First + s.Pulls + s.Leaves + time.Duration(workers)*s.PerWorker
	if s.Hangs > 0 {
		holds += watchdog
	}
	return holds
}

// stuck says that it does nothing in this second: it has just fallen, or hangs.
func (l *Life) stuck() bool {
	switch {
	case l.fell < l.Falls && l.age > firstMinutes:
		l.fell++
		l.GoBack()
		return true
	case l.Hangs > 0 && l.age > l.Hangs+watchdog:
		l.GoBack()
		return true
	}
	return l.Hangs > 0 && l.age > l.Hangs
}

// swing is the part of its speed that it has at this moment.
func (l *Life) swing() float64 {
	return 1 + l.Swings*math.Sin(math.Pi*l.ran.Hours())
}

// writeBehind has what is being saved be saved once it is whole.
func (l *Life) writeBehind() {
	if l.behind > 0 {
		if l.behind -= time.Second; l.behind <= 0 {
			l.Saved = l.writes
		}
	}
}

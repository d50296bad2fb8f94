package learn

import (
	"slices"
	"time"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/predictor"
)

// A clock that is wrong, or somebody's hand, may date a measurement years ahead. It would be the newest of all until
// then: what was measured since would make room for it. So it counts as older than all that has a date which can be.

// toCome says of a moment that nothing can have been measured then yet, however clocks differ.
func toCome(at, now time.Time) bool { return at.After(now.Add(clockOff)) }

// newerAt puts the later of two moments first, but those that are to come last.
func newerAt(now time.Time) func(a, b v1alpha1.Time) int {
	return func(a, b v1alpha1.Time) int {
		one, other := timeOf(a), timeOf(b)
		switch ahead := toCome(one, now); {
		case ahead == toCome(other, now):
			return other.Compare(one)
		case ahead:
			return 1
		default:
			return -1
		}
	}
}

// backdated is a profile in which nothing is dated later than now: what is to come is as old as the oldest of the rest.
// Where there is no rest, it may be that the clock that is wrong is ours.
func backdated(p predictor.Profile, now time.Time) predictor.Profile {
	until := moment(now.Add(clockOff))
	var oldest *predictor.Seconds
	each(&p, func(seen *predictor.Seconds) {
		if *seen <= until && (oldest == nil || *seen < *oldest) {
			oldest = new(*seen)
		}
	})
	if oldest == nil {
		return p
	}
	p = predictor.Profile{Speeds: slices.Clone(p.Speeds), Restarts: slices.Clone(p.Restarts), Runs: slices.Clone(p.Runs)}
	each(&p, func(seen *predictor.Seconds) {
		if *seen > until {
			*seen = *oldest
		}
	})
	return p
}

// each goes through the dates of all that a profile has.
func each(p *predictor.Profile, do func(seen *predictor.Seconds)) {
	for i := range p.Speeds {
		do(&p.Speeds[i].Seen)
	}
	for i := range p.Restarts {
		do(&p.Restarts[i].Seen)
	}
	for i := range p.Runs {
		do(&p.Runs[i].Seen)
	}
}

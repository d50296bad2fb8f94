package learn

import (
	"slices"
	"time"
)

// saves learns how often a job saves its state by itself.
type saves struct {
	at        time.Time // of the newest
	intervals []float64 // seconds, at the present size
	typical   time.Duration
	// vanish says that a start of all workers found nothing of what was saved: it went with their pods.
	vanish bool
}

const (
	keptIntervals = 7
	// regular is how many intervals must be seen before another save is expected.
	regular = 2
)

// saw takes the moment of the newest save. The time between two saves is another after a change of
// size: what lies across one tells nothing.
func (s *saves) saw(at, changed time.Time) {
	if !at.After(s.at) {
		return
	}
	if !s.at.IsZero() && s.at.After(changed) {
		if len(s.intervals) == keptIntervals {
			s.intervals = slices.Delete(s.intervals, 0, 1)
		}
		s.intervals = append(s.intervals, at.Sub(s.at).Seconds())
		s.typical = span(median(s.intervals))
	}
	s.at = at
}

func (s *saves) change() { s.intervals = nil }

// expected is when the job is going to save its state; zero if that is not known.
func (s *saves) expected() time.Time {
	if len(s.intervals) < regular {
		return time.Time{}
	}
	return s.at.Add(span(median(s.intervals)))
}

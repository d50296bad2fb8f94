package learn

import (
	"math"

	"github.com/takt-dev/takt/predictor"
)

// slowing is how a training has become slower as a whole. A speed that drops while the size stays has another reason
// than the size, such as longer sequences, or GPUs that are hot: other sizes are slower by as much. One that rises says
// nothing of them, as each start may have a slow beginning.
type slowing struct {
	until predictor.Rate // how fast it was since it has this size, before its speed changed; 0 if it has not
	taken predictor.Rate // how fast it was taken to be when it came back to this size; 0 if it never had it before
	now   float64        // by how much it is slower than both, as a logarithm; more than 0 where it is faster than taken
	since float64        // by how much it has become slower since this size was measured: 0 or less
}

const (
	slowedOff  = 0.3 // the standard deviation of how much slower another size is, as a share of it
	mostSlowed = 5   // as a logarithm, in all
)

// slows finds out by how much it is slower than it was from a moment on, and says whether that is news. What it has
// slowed down by before, as far as it is taken to have, is none: a training may do so after each start.
func (s *speed) slows(changed predictor.Seconds) bool {
	const news = 0.02
	if s.seen.Turned > changed {
		s.slow.until = max(s.slow.until, s.pace.Before(changed))
	}
	if s.slow.until == 0 {
		return false
	}
	now := min(0, s.beside(s.slow.until))
	if s.slow.taken > 0 {
		than := s.beside(s.slow.taken)
		now = max(now, min(0, than)) + max(0, than)
	}
	if math.Abs(now-s.slow.now) < news {
		return false
	}
	s.slow.now = now
	return true
}

// beside is by how much it is faster than a rate, as a logarithm.
func (s *speed) beside(rate predictor.Rate) float64 { return math.Log(float64(s.seen.Moving / rate)) }

// sinceSlowed is what a size does by now that was measured before the training became slower.
func (r *Run) sinceSlowed(own *speed, m predictor.Measure) predictor.Measure {
	by := own.slow.since
	if present := r.speeds[r.shape]; present != nil && present != own {
		by = slower(by, present.slow.now)
	}
	m.Rate *= predictor.Rate(math.Exp(by))
	m.Spread = math.Hypot(m.Spread, slowedOff*by)
	return m
}

// slower is by how much a size is slower as the training has become so by some more.
func slower(since, now float64) float64 { return min(0, max(-mostSlowed, since+now)) }

// settleSlowing keeps, as the size changes to another, by how much those that are measured no more are slower by now.
// Workers who begin anew at the same size may be as fast again as the first of them were.
func (r *Run) settleSlowing(next predictor.Shape) {
	if present := r.speeds[r.shape]; present != nil {
		for _, s := range r.speeds {
			if s != present {
				s.slow.since = slower(s.slow.since, present.slow.now)
			}
		}
		present.slow.until, present.slow.taken, present.slow.now = 0, 0, 0
	}
	if s := r.speeds[next]; s != nil {
		s.slow.taken = s.seen.Moving * predictor.Rate(math.Exp(s.slow.since))
	}
}

// catchUp has all that was measured of a size be as slow as it is taken to be by now: what is measured next joins it.
func (s *speed) catchUp() {
	if s.slow.since == 0 {
		return
	}
	by := math.Exp(s.slow.since)
	s.pace.Scale(by)
	for i := range s.rates {
		s.rates[i] *= by
	}
	s.slow.since = 0
}

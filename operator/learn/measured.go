package learn

import (
	"math"
	"slices"
	"time"

	"github.com/takt-dev/takt/predictor"
)

// window is how many of the latest measurements tell what is typical.
const window = 15

// speed is what this run has measured of one shape.
type speed struct {
	pace  predictor.Pace
	seen  predictor.Measure // what the pace tells; its Rate is 0 if nothing was measured by this process
	told  float64           // the share of its pauses, as last told to the other sizes
	rates []float64         // the latest readings, units per second
	count int64             // of those of this process
	at    time.Time         // of the latest
	every time.Duration     // the usual time between two reports; zero if that is not known
	slow  slowing

	// What an operator before this one had stored of the run.
	before      float64
	beforeCount int64

	stored      float64 // typical rate, as last handed out to be stored; 0 if never
	storedCount int64
}

func (s *speed) add(rate float64, at time.Time) {
	if len(s.rates) == window {
		s.rates = slices.Delete(s.rates, 0, 1)
	}
	s.rates = append(s.rates, rate)
	s.count++
	s.at = at
}

func (s *speed) total() int64 { return s.count + s.beforeCount }

// typical is the rate that was measured. What was stored before counts for as many measurements as
// are missing from the window.
func (s *speed) typical() float64 {
	n := float64(len(s.rates))
	missing := min(float64(s.beforeCount), window-n)
	switch {
	case n == 0:
		return s.before
	case missing <= 0:
		return float64(s.seen.Rate)
	default:
		return math.Exp((n*math.Log(float64(s.seen.Rate)) + missing*math.Log(s.before)) / (n + missing))
	}
}

// spread is the width of the middle half of the measurements; zero if there are too few.
func (s *speed) spread() float64 {
	if len(s.rates) < enoughReadings {
		return 0
	}
	sorted := slices.Clone(s.rates)
	slices.Sort(sorted)
	at := func(q float64) float64 { return sorted[int(math.Round(q*float64(len(sorted)-1)))] }
	return at(0.75) - at(0.25)
}

// restarts is what this run has measured of one kind of restart.
type restarts struct {
	costs  []predictor.Cost // the latest
	count  int64
	at     time.Time
	stored int64 // of the count, as last handed out to be stored
}

func (r *restarts) add(c predictor.Cost, at time.Time) {
	if len(r.costs) == window {
		r.costs = slices.Delete(r.costs, 0, 1)
	}
	r.costs = append(r.costs, c)
	r.count++
	r.at = at
}

// takeBack forgets the latest.
func (r *restarts) takeBack() {
	r.costs = r.costs[:len(r.costs)-1]
	r.count--
	r.stored = min(r.stored, r.count)
}

// typical is the cost in the middle, of each part by itself: what is lost where something is kept, if it ever is.
func (r *restarts) typical() predictor.Cost {
	var pauses, losses []float64
	scratch := r.scratch() == int64(len(r.costs))
	for _, c := range r.costs {
		pauses = append(pauses, float64(c.Pause))
		if c.Scratch == scratch {
			losses = append(losses, float64(c.Lost))
		}
	}
	return predictor.Cost{
		Pause: predictor.Seconds(median(pauses)), Lost: predictor.Seconds(median(losses)), Scratch: scratch,
	}
}

// scratch is how many of the latest were not seen to keep anything.
func (r *restarts) scratch() int64 {
	count := int64(0)
	for _, c := range r.costs {
		if c.Scratch {
			count++
		}
	}
	return count
}

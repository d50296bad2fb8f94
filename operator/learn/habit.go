package learn

import (
	"math"
	"slices"

	"github.com/takt-dev/takt/predictor"
)

const (
	// unseenSlower is by how much a training may become slower by what was not seen of it yet, with a probability of 10 %,
	// if it has only begun: it pauses, or for longer.
	unseenSlower = 1.25
	// mostDrift is how far a speed that drifts is taken to get, as the logarithm of a factor.
	mostDrift = 0.4
	// goesOn is how many times as long as it was seen to.
	goesOn = 2
	// widest is how many times slower or faster a job may be at the most for what is left to do: where next to
	// nothing is, its end is near, however that goes.
	widest = 100
)

// measure lets the model know the pace of a shape, and that of the others if it tells how the job pauses at
// them; false if it tells nothing that could be.
func (r *Run) measure(shape predictor.Shape, own *speed) bool {
	const news = 0.02 // of the time
	if !r.settle(shape, own) {
		return false
	}
	pauses := own.seen.Habit.Known && math.Abs(own.seen.Habit.Share-own.told) > news
	if pauses {
		own.told = own.seen.Habit.Share
	}
	if slows := own.slows(moment(r.stretch.changedAt)); pauses || slows {
		for other, s := range r.speeds {
			if s != own {
				r.settle(other, s)
			}
		}
	}
	return true
}

// settle lets the model know the pace of a shape.
func (r *Run) settle(shape predictor.Shape, own *speed) bool {
	if own.seen.Moving == 0 {
		own.seen, _ = own.pace.Measure(predictor.Habit{})
	}
	m, ok := own.pace.Measure(r.expected(shape, own, own.seen))
	if !ok || r.model.ObserveMeasure(shape, r.sinceSlowed(own, m)) != nil {
		return false
	}
	own.seen = m
	return true
}

// expected is how the job is taken to pause at a shape at which it was not seen to: as it does at another, or as
// the speed tells that is known from before.
func (r *Run) expected(shape predictor.Shape, own *speed, seen predictor.Measure) predictor.Habit {
	var from *speed
	for _, s := range r.speeds {
		if s != own && s.seen.Habit.Known && (from == nil || s.at.After(from.at)) {
			from = s
		}
	}
	if from == nil {
		return r.inheritedHabit(shape, float64(seen.Moving))
	}
	// The pauses may take as much of the time, or as long as they did for the same work.
	h := from.seen.Habit
	perWork := h.Share / (1 - h.Share) * float64(seen.Moving/from.seen.Moving)
	same := perWork / (1 + perWork)
	h.Share, h.Doubt = (h.Share+same)/2, math.Hypot(h.Doubt, (h.Share-same)/2)
	return h
}

// inheritedHabit is what a speed tells that is known from before, of this run or another: if the training is faster
// now, it may not have paused yet.
func (r *Run) inheritedHabit(shape predictor.Shape, moving float64) predictor.Habit {
	const atMost = 0.5 // of the time
	if r.unitsDiffer() != nil {
		return predictor.Habit{}
	}
	var known []float64
	for _, s := range slices.Concat(r.heritage.before.Speeds, r.heritage.others.Speeds) {
		if plain(s.Shape) == shape {
			known = append(known, float64(s.Shape.Workers)/float64(s.Step))
		}
	}
	if len(known) == 0 {
		return predictor.Habit{}
	}
	share := 1 - median(known)/moving
	if !(share > 0 && share <= atMost) {
		return predictor.Habit{}
	}
	share *= r.unseen(moving)
	return predictor.Habit{Share: share, Doubt: share / 2, Known: true}
}

// unseen is how much of what a training does may not have been seen yet, from 0 to 1: the longer it was watched,
// beside what is left at a speed, the less.
func (r *Run) unseen(speed float64) float64 {
	const watching = 4 // times as long as what is left, and a half is known
	watched := 0.0
	for _, s := range r.speeds {
		watched += float64(s.seen.Time)
	}
	if r.tally.total == 0 || speed <= 0 {
		return 1
	}
	left := max(r.tally.total-r.done, 0) / speed
	if left == 0 {
		return 0
	}
	return left / (left + watching*watched)
}

// widen makes an estimate as wide as it must be for what is left to do: the end may come before a pause or after it,
// a speed may go on to drift, and a training may have habits that were not seen yet.
func (r *Run) widen(shape predictor.Shape, rate predictor.Estimate) predictor.Estimate {
	if len(r.speeds) == 0 {
		return rate
	}
	own := predictor.Measure{}
	if s := r.speeds[shape]; s != nil {
		own = s.seen
	}
	pause, noise := own.Habit.Pause, own.Noise
	for _, s := range r.speeds { // a size that was not seen to pause, or at all, is as unsteady as one that was
		if own.Habit.Pause == 0 {
			pause = max(pause, s.seen.Habit.Pause)
		}
		if own.Noise == 0 {
			noise = max(noise, s.seen.Noise)
		}
	}
	smaller, larger := 0.0, 0.0 // logarithms
	left := max(r.tally.total-r.done, 0) / rate.Median
	if left > 0 {
		const off = 0.7 // of a pause, in nine of ten cases
		const z90 = 1.645
		smaller = math.Hypot(math.Log1p(off*float64(pause)/left), z90*noise/math.Sqrt(left))
		smaller = min(smaller, math.Log(widest))
		larger = smaller
	}
	if !r.inherited() {
		smaller = math.Hypot(smaller, r.unseen(rate.Median)*math.Log(unseenSlower))
	}
	// It may go on to drift for some time: half of that is as likely as all of it or nothing.
	lately := float64(own.Lately)
	drifts := own.Drift*(lately/2+driftsOn(lately, left)) + own.Habit.Drift*driftsOn(float64(own.Time), left)
	drifts = min(mostDrift, max(-mostDrift, drifts))
	rate = rate.Scaled(math.Exp(drifts / 2))
	return rate.Widened(math.Exp(math.Hypot(smaller, drifts)), math.Exp(math.Hypot(larger, drifts)))
}

// driftsOn is how far behind a drift what is left is in the mean, as a time: it goes on for goesOn times as long as it
// was seen to, and what comes after that is as fast as it has become by then.
func driftsOn(seen, left float64) float64 {
	if left <= 0 {
		return 0
	}
	on := min(left, goesOn*seen)
	return on - on*on/left/2
}

// inherited says that speeds are known from before: all habits are a part of them.
func (r *Run) inherited() bool {
	return len(r.heritage.before.Speeds)+len(r.heritage.others.Speeds) > 0 && r.unitsDiffer() == nil
}

package predictor

import (
	"math"
	"slices"
)

const (
	// looksBack is how many strides there must be to look back at, and fewest how many of them before a moment and
	// after it.
	looksBack, fewest = 16, 4
	// firstLook is after which part of the time one looks for the first time, and looks how often in all of it.
	firstLook, looks = 0.25, 5
	// mostOff is how far off one can have been, as a logarithm.
	mostOff = 2.0
	// tenth is beyond how many deviations a tenth lies on either side, where four looks tell the deviation.
	tenth = 1.533
)

// Hindsight is by which factor what was known of the speed was off, at least 1: of ten times, it was slower than that
// once, and faster once. It is 0 where nothing tells.
//
// It holds what was known at some moments against what came then, in as much time as is to be told now, or up to the
// present. A speed that has changed without warning may do so again, as often and as far.
func (p *Pace) Hindsight(ahead Seconds) float64 {
	if len(p.strides) < looksBack || !(ahead > 0) {
		return 0
	}
	paused := p.pauses()
	moving, pausing := p.movedOtherwise(paused, float64(ahead)), p.pausedOtherwise(paused, float64(ahead))
	const exact = 100 // more is of no use to people
	return math.Round(exact*math.Exp(min(mostOff, tenth*math.Hypot(moving, pausing)))) / exact
}

// movedOtherwise is how far off the logarithm of the speed was while it trained.
func (p *Pace) movedOtherwise(paused []float64, ahead float64) float64 {
	work, took := p.trained(paused)
	speed := func(from, to int) float64 { return total(work[from:to]) / total(took[from:to]) }
	var off scatter
	passed, all := 0.0, total(took)
	next := firstLook * all
	for at := 1; at <= len(took)-fewest; at++ {
		if passed += took[at-1]; passed < next || at < fewest {
			continue
		}
		next = passed + all/looks
		to := until(took, at, ahead)
		off.add(math.Log(speed(at, to)/speed(lately(work[:at], took[:at]), at)), total(took[at:to]))
	}
	return off.deviation()
}

// pausedOtherwise is how far off the logarithm of the share was in which it trains, from whole cycles to others.
func (p *Pace) pausedOtherwise(paused []float64, ahead float64) float64 {
	const cycles = 2 // at least, before a moment
	ends, _ := cycleEnds(paused)
	over := make([]float64, len(paused))
	for i, s := range p.strides {
		over[i] = s.over
	}
	trains := func(from, to int) float64 { return 1 - min(0.99, total(paused[from:to])/total(over[from:to])) }
	var off scatter
	for i := cycles; i < len(ends)-1; i++ {
		at := ends[i]
		k, _ := slices.BinarySearch(ends, until(over, at, ahead))
		to := ends[min(max(k, i+1), len(ends)-1)]
		off.add(math.Log(trains(at, to)/trains(ends[max(0, i-keptCycles)], at)), total(over[at:to]))
	}
	return off.deviation()
}

// until is where a time ends that begins with a stride: after so many seconds, and the fewest strides.
func until(took []float64, from int, lasts float64) int {
	to := from
	for to < len(took) && (lasts > 0 || to-from < fewest) {
		lasts -= took[to]
		to++
	}
	return to
}

// scatter is how far values lie from nothing, each by its weight.
type scatter struct{ squares, weight float64 }

func (s *scatter) add(value, weight float64) {
	s.squares, s.weight = s.squares+weight*value*value, s.weight+weight
}

func (s *scatter) deviation() float64 {
	if s.weight == 0 {
		return 0
	}
	return math.Sqrt(s.squares / s.weight)
}

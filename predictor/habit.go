package predictor

import (
	"math"
	"slices"
)

// Habit is how a job pauses while it trains.
type Habit struct {
	Share float64 // of the wall clock; 0 if it does not pause
	Doubt float64 // the standard deviation of the share
	Pause Seconds // a typical one
	Every Seconds // from one to the next
	Drift float64 // of the logarithm of the rest of the time, in a second
	Known bool    // a whole cycle was seen
	// Cycles is how many of them tell that.
	Cycles int
}

const (
	// A silence of so many usual ones is a pause.
	pausing = 2.5
	// A cycle ends with a pause of at least this part of a typical one.
	wholePause = 0.5
	// After so many cycles without a pause it is not to be expected any more.
	overdue = 1.5
	// keptCycles is how many of the latest cycles tell how a job pauses.
	keptCycles = 16
	// mostPaused is the greatest share.
	mostPaused = 0.95
	// priorIrregular is the scatter of the pauses in a cycle, as a share of them.
	priorIrregular = 0.3
)

// after is what is left of an expected habit once a shape was watched that pauses less. It may have been the rest of a
// cycle, so what is beyond one tells.
func (h Habit) after(watched, paused Seconds) Habit {
	restsOn := float64(max(h.Cycles, 1))
	beyond, share := float64(watched-h.Every), float64(paused/watched)
	if h.Every == 0 || beyond <= 0 || share >= h.Share {
		return h
	}
	part := beyond / (beyond + restsOn*float64(h.Every))
	h.Share += part * (share - h.Share)
	h.Doubt = max(h.Doubt*(1-part), min(h.Doubt, h.Share/math.Sqrt(restsOn)))
	return h
}

// usualSilence is the silence in which the training is for a part of its time that is certainly not pauses.
func (p *Pace) usualSilence() float64 {
	const trains = 0.25 // of the time, at least
	values, weights := make([]float64, len(p.strides)), make([]float64, len(p.strides))
	for i, s := range p.strides {
		values[i], weights[i] = s.silence, s.over
	}
	return quantile(values, weights, trains)
}

// pauses is how long each stride has paused: a silence is one as far as the work of that time was not done in it.
func (p *Pace) pauses() []float64 {
	paused, usual, speed := make([]float64, len(p.strides)), p.usualSilence(), 0.0
	for _, s := range p.strides {
		if s.silence <= pausing*usual {
			speed = s.work / s.over
			break
		}
	}
	for i, s := range p.strides {
		if s.silence <= pausing*usual {
			const lately = 0.2
			speed += lately * (s.work/s.over - speed)
		} else if speed > 0 {
			paused[i] = max(0, min(s.silence-usual, s.over-s.work/speed))
		}
	}
	return paused
}

// cycleEnds is where the strides after each whole pause begin, and how long a pause typically is; 0 without any.
func cycleEnds(paused []float64) (ends []int, typical float64) {
	if typical = quantile(paused, paused, 0.5); typical == 0 {
		return nil, 0
	}
	for i := range paused {
		if paused[i] >= wholePause*typical {
			ends = append(ends, i+1)
		}
	}
	return ends, typical
}

// habit is how the job pauses. A habit that is expected is only given up for one that was seen from one pause to
// the next: the time before the first may be the rest of a cycle.
func (p *Pace) habit(paused []float64, expected bool) Habit {
	ends, typical := cycleEnds(paused)
	if typical == 0 {
		return Habit{}
	}
	ends = ends[max(0, len(ends)-keptCycles-1):]
	if expected || len(ends) > keptCycles {
		if len(ends) < 2 {
			return Habit{Pause: Seconds(typical)}
		}
	} else {
		ends = slices.Insert(ends, 0, 0)
	}
	over := func(from, to int) (sum float64) {
		for _, s := range p.strides[from:to] {
			sum += s.over
		}
		return sum
	}
	first, last := ends[0], ends[len(ends)-1]
	n := float64(len(ends) - 1)
	every := over(first, last) / n
	if over(last, len(paused)) > overdue*every {
		last = len(paused)
		every = over(first, last) / n
	}
	h := Habit{Share: total(paused[first:last]) / over(first, last), Pause: Seconds(typical), Every: Seconds(every),
		Known: true, Cycles: len(ends) - 1}
	irregular := priorIrregular * h.Share
	sum := priorParts * irregular * irregular
	shares := make([]float64, len(ends)-1)
	for i := range shares {
		in, lasts := total(paused[ends[i]:ends[i+1]]), over(ends[i], ends[i+1])
		off := (in - h.Share*lasts) / every
		sum, shares[i] = sum+off*off, in/lasts
	}
	if slope, rest := trend(shares); slope != 0 && last == ends[len(ends)-1] {
		// They get longer, or shorter: what they take now is what they took in the middle, and half of what has been added.
		h.Share = max(0, min(h.Share+slope*(n-1)/2, mostPaused))
		h.Drift = -slope / (1 - h.Share) / every
		sum = priorParts*irregular*irregular + rest
	}
	freedom := priorParts + n - 1
	h.Doubt = math.Sqrt(sum/freedom/n) * heavy(freedom)
	return h
}

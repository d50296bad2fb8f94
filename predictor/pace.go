package predictor

import (
	"math"
	"slices"
)

// Pace learns how fast a job is at one shape by the wall clock, with all that belongs to its training: it
// evaluates, saves, and trains on. Its size is bounded. The zero value knows nothing.
//
// The pace is the speed while it trains, which is taken from lately, since it may drift, times the share of the
// time in which it trains, which is taken from whole cycles, since a cycle that is not over tells a wrong one: it
// is counted up to the end of a pause.
type Pace struct {
	strides []stride
}

// stride is some time without a hole, which ends with an advance.
type stride struct {
	over    float64 // seconds
	work    float64
	silence float64 // the longest between two advances in it
	end     Seconds
}

// Measure is the speed of one shape, by the wall clock.
type Measure struct {
	Rate   Rate    // work per second
	Spread float64 // the standard deviation of its logarithm
	Count  int     // how many readings it rests on, up to as many as a model keeps
	Moving Rate    // while it trains
	Drift  float64 // of the logarithm of that, in a second
	Lately Seconds // the time that tells it
	Turned Seconds // since when it is about that, if it was another before; else 0
	// Noise is the standard deviation of the logarithm of the speed over one second; over n seconds it is the nth
	// part of its square.
	Noise float64
	Time  Seconds // for which it was watched
	Habit Habit   // as it was seen, whatever was expected
}

const (
	maxStrides = 96
	// What is believed of the scatter before any was seen counts as two parts.
	priorParts = 2.0
)

// Add takes what was done up to a moment, since the stride before it or since the training has begun.
func (p *Pace) Add(at, over Seconds, work Work) {
	if !(over > 0 && over <= maxStep && work > 0 && float64(work) <= maxWork) {
		return
	}
	if len(p.strides) == maxStrides {
		p.makeRoom()
	}
	p.strides = append(p.strides, stride{over: float64(over), work: float64(work), silence: float64(over), end: at})
}

// Lose takes that so much time was lost after a moment, of which no work tells: the training has fallen back.
func (p *Pace) Lose(at, cost Seconds) {
	n := len(p.strides)
	if n == 0 || !(cost > 0 && cost <= maxStep) || p.strides[n-1].end > at+leastSpan {
		return
	}
	s := &p.strides[n-1]
	s.over, s.silence, s.end = s.over+float64(cost), max(s.silence, float64(cost)), at
}

// Cut takes back the stride in which a moment lies: others have trained in a part of it.
func (p *Pace) Cut(at Seconds) {
	p.strides = slices.DeleteFunc(p.strides, func(s stride) bool { return s.end > at && s.end-Seconds(s.over) < at })
}

// Before is how fast it trained, of the time from a moment on, until its speed last changed; 0 if it did not change for
// sure.
func (p *Pace) Before(since Seconds) Rate {
	from := slices.IndexFunc(p.strides, func(s stride) bool { return s.end-Seconds(s.over) >= since })
	if from < 0 {
		return 0
	}
	work, took := p.trained(p.pauses())
	work, took = work[from:], took[from:]
	at := turned(work, took)
	if at == 0 {
		return 0
	}
	before := turned(work[:at], took[:at])
	return Rate(total(work[before:at]) / total(took[before:at]))
}

// Scale takes it to have been faster all the time, by a factor.
func (p *Pace) Scale(factor float64) {
	for i := range p.strides {
		p.strides[i].work *= factor
	}
}

// makeRoom joins two strides without a pause; where there are none, or they would be too long to tell a change,
// the oldest is forgotten.
func (p *Pace) makeRoom() {
	const coarsest = 1.0 / 32 // of all the time
	p.join(coarsest)
}

// join joins the two shortest strides that follow each other without a pause, if they make no more than a part of
// all the time; else the oldest is forgotten.
func (p *Pace) join(coarsest float64) {
	usual, all, at, least := p.usualSilence(), 0.0, -1, 0.0
	for i, s := range p.strides {
		all += s.over
		if i == 0 || s.silence > pausing*usual || p.strides[i-1].silence > pausing*usual {
			continue
		}
		if both := s.over + p.strides[i-1].over; at < 0 || both < least {
			at, least = i, both
		}
	}
	if at < 0 || least > coarsest*all {
		p.strides = slices.Delete(p.strides, 0, 1)
		return
	}
	a, b := p.strides[at-1], p.strides[at]
	p.strides[at] = stride{a.over + b.over, a.work + b.work, max(a.silence, b.silence), b.end}
	p.strides = slices.Delete(p.strides, at-1, at)
}

// Measure is what is known; false if it is nothing. Expected is how the job is known to pause from elsewhere: it
// holds until this shape was seen from one pause to the next.
func (p *Pace) Measure(expected Habit) (Measure, bool) {
	if len(p.strides) == 0 {
		return Measure{}, false
	}
	m := Measure{Count: min(len(p.strides), window)}
	for _, s := range p.strides {
		m.Time += Seconds(s.over)
	}
	paused := p.pauses()
	p.moving(paused, &m)
	m.Habit = p.habit(paused, expected.Known)
	habit := m.Habit
	if expected.Known && !habit.Known {
		habit = expected.after(m.Time, Seconds(total(paused)))
	}
	trains := 1 - min(habit.Share, 0.99)
	m.Rate = m.Moving * Rate(trains)
	m.Spread = math.Hypot(m.Spread, habit.Doubt/trains)
	return m, m.Rate > 0
}

// heavy makes a deviation wider that was learned from little: by it, an interval of 90 % is one.
func heavy(freedom float64) float64 { return 1 + 1.3/freedom }

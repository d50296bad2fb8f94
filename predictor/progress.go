package predictor

import (
	"errors"
	"fmt"
	"math"
	"slices"
)

// What a reading of a progress counter can say besides a rate. Only ErrNoNews is the normal case.
var (
	// ErrNoNews: nothing is wrong, and nothing new can be learned yet.
	ErrNoNews = errors.New("the progress tells nothing new yet")
	// ErrStalled: the counter has stood still for much longer than it takes to advance.
	ErrStalled = errors.New("the progress stands still")
	// ErrWentBack: the counter is lower than before, as after a restart from a checkpoint.
	ErrWentBack = errors.New("the progress went back")
	// ErrJumped: the counter advanced far faster than it ever did.
	ErrJumped = errors.New("the progress jumped")
	// ErrClock: the reading is no later than the one before it.
	ErrClock = errors.New("the time of the reading is not after the last")
	// ErrGap: the clock stepped, or nobody read for long.
	ErrGap = errors.New("the last reading is too long ago")
)

// ProgressError is a reading that tells no rate.
type ProgressError struct {
	At     Seconds
	Done   Fraction
	Lost   Fraction // how far the counter went back, if it did
	Reason error
}

func (e *ProgressError) Error() string {
	return fmt.Sprintf("progress %g at %.0f s: %v", e.Done, e.At, e.Reason)
}

// Unwrap is the reason.
func (e *ProgressError) Unwrap() error { return e.Reason }

// Limits of what is believed, as multiples of what is typical for the job.
const (
	jumpFactor  = 20.0 // of the typical rate
	stallFactor = 8.0  // of the typical time between two advances
	gapFactor   = 20.0 // of the typical time between two readings
	leastStall  = Seconds(60)
)

// Reading is the rate between two moments at which the counter advanced.
type Reading struct {
	Shape  Shape
	Rate   Rate    // parts of the whole job per second
	Spread float64 // relative standard deviation, from the coarseness of the readings
	Over   Seconds
}

// Progress turns the readings of a progress counter into rates. A counter may be coarse: a rate
// is taken from one advance to a later one. Its size is fixed; the zero value is ready.
type Progress struct {
	started bool
	shape   Shape
	at      Seconds // of the last reading
	done    Fraction
	// The last advance. There is none after a restart, until the counter has advanced once: the
	// time before that is start-up, and no training.
	anchored      bool
	anchorAt      Seconds
	anchorDone    Fraction
	changed       Seconds  // when the counter last moved, in any way
	far           Fraction // the farthest that is believed
	farAt         Seconds  // when the counter was last known to be no farther
	leapt         bool     // nothing was believed since the last jump: what comes next says whether it was one
	faster        bool     // a rate was too high to be believed, and none was believed since
	rates         recently
	advances      recently // seconds between advances
	readings      recently // seconds between readings
	stalledInSpan bool
}

// Done is the last progress that was believed.
func (p *Progress) Done() Fraction { return p.done }

// Read takes what the counter shows at a moment, and returns the rate since it last advanced.
func (p *Progress) Read(at Seconds, done Fraction, shape Shape) (Reading, error) {
	fail := func(reason error) (Reading, error) {
		return Reading{}, &ProgressError{At: at, Done: done, Reason: reason}
	}
	if math.IsNaN(float64(at)) || math.IsInf(float64(at), 0) || math.IsNaN(float64(done)) || math.IsInf(float64(done), 0) {
		return fail(ErrNotFinite)
	}
	if done < 0 || done > 1 || math.Abs(float64(at)) > float64(maxStep) {
		return fail(ErrOutOfRange)
	}
	if _, err := shape.normal(); err != nil {
		return fail(err)
	}
	if !p.started {
		*p = Progress{started: true, shape: shape, at: at, done: done, changed: at, far: done, farAt: at}
		return fail(ErrNoNews)
	}
	if shape != p.shape {
		// Another size is another rate; the counter and the clock go on.
		p.shape, p.anchored, p.rates = shape, false, recently{}
		p.changed = max(p.changed, at)
	}
	if at <= p.at {
		return fail(p.clockWentBack(at, done))
	}
	pause := at - p.at
	gap := p.readings.count >= 3 && float64(pause) > gapFactor*p.readings.median()
	p.at = at
	if gap {
		leaps := p.leaps(done, at)
		p.restart(at, done)
		if leaps {
			p.leapt = true
			return fail(ErrJumped)
		}
		p.believe(done, at)
		return fail(ErrGap)
	}
	p.readings.add(float64(pause))
	switch {
	case done < p.done:
		lost := p.done - done
		p.restart(at, done)
		return Reading{}, &ProgressError{At: at, Done: done, Lost: lost, Reason: ErrWentBack}
	case done == p.done:
		return fail(p.standsStill(at))
	}
	return p.advance(at, done)
}

// restart forgets from where rates are counted.
func (p *Progress) restart(at Seconds, done Fraction) {
	p.done, p.changed, p.anchored, p.stalledInSpan, p.leapt, p.faster = done, at, false, false, false, false
}

// believe takes what the counter shows for true.
func (p *Progress) believe(done Fraction, at Seconds) {
	p.leapt = false
	if done > p.far {
		p.far, p.farAt = done, at
	}
}

// leaps says that the counter is farther beyond its farthest than it can have come since: a checkpoint that
// is loaded is no leap. When it came there is known up to the time between two advances: a coarse counter
// may move soon after a reading. What comes after a leap is believed.
func (p *Progress) leaps(done Fraction, at Seconds) bool {
	if p.leapt || p.rates.count < 2 {
		return false
	}
	since := float64(at-p.farAt) + p.advances.median()
	return float64(done-p.far) > jumpFactor*p.rates.median()*since
}

// clockWentBack handles a reading that is not after the last. One such reading may be late; a
// clock that was set back shows in the second, and is followed.
func (p *Progress) clockWentBack(at Seconds, done Fraction) error {
	if at < p.at && done > p.done {
		p.at = at
		p.far, p.farAt = max(p.far, done), at
		p.restart(at, done)
	}
	return ErrClock
}

// standsStill tells a coarse counter from one that has stalled.
func (p *Progress) standsStill(at Seconds) error {
	if p.done == 1 {
		return ErrNoNews
	}
	usual := leastStall
	if p.advances.count > 0 {
		usual = max(usual, Seconds(stallFactor*p.advances.median()))
	} else {
		// Nothing is known of how often this counter moves: be patient.
		usual *= 10
	}
	if at-p.changed > usual {
		p.stalledInSpan = true
		return ErrStalled
	}
	return ErrNoNews
}

// advance is a reading whose counter is higher than before.
func (p *Progress) advance(at Seconds, done Fraction) (Reading, error) {
	fail := func(reason error) (Reading, error) {
		return Reading{}, &ProgressError{At: at, Done: done, Reason: reason}
	}
	over, gain := at-p.anchorAt, float64(done-p.anchorDone)
	since := float64(at - p.changed)
	fresh := !p.anchored || p.stalledInSpan // there is nothing to count a rate from
	leaps := fresh && p.leaps(done, at)
	p.done, p.changed, p.stalledInSpan = done, at, false
	p.anchored, p.anchorAt, p.anchorDone = !leaps, at, done
	if leaps {
		p.leapt = true
		return fail(ErrJumped)
	}
	if fresh {
		p.believe(done, at)
		return fail(ErrNoNews)
	}
	p.advances.add(since)
	rate := gain / float64(over)
	if !(rate > 0) || math.IsInf(rate, 0) {
		return fail(ErrOutOfRange)
	}
	// Without a history there is nothing to compare with, but no job is done from its first two
	// readings on.
	tooFast := p.rates.count >= 2 && rate > jumpFactor*p.rates.median()
	if tooFast && p.faster {
		p.rates, tooFast = recently{}, false // it is so fast now, as once a first step is compiled
	}
	if tooFast || p.rates.count < 2 && gain > 0.5 {
		p.anchored, p.leapt, p.faster = false, true, tooFast
		return fail(ErrJumped)
	}
	p.believe(done, at)
	p.farAt, p.faster = at, false
	p.rates.add(rate)
	// Each end of the span is known up to the time between two readings.
	spread := math.Min(1, p.readings.median()/float64(over)/math.Sqrt(6))
	if since <= p.readings.median()*1.5 {
		spread = 0 // the counter moves with every reading: it is fine
	}
	return Reading{Shape: p.shape, Rate: Rate(rate), Spread: spread, Over: over}, nil
}

// recently keeps a few values.
type recently struct {
	values [7]float64
	count  int
}

func (r *recently) add(value float64) {
	r.values[r.count%len(r.values)] = value
	r.count++
}

func (r *recently) median() float64 {
	sorted := r.values
	held := sorted[:min(r.count, len(sorted))]
	slices.Sort(held)
	return middle(held)
}

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
	pauseFactor = 2.0  // of the longest silence after which it went on
	gapFactor   = 20.0 // of the typical time between two readings
	leastStall  = Seconds(60)
	leastGap    = Seconds(60)
	// A job that has just begun may evaluate for the first time: it may be silent for as long as it has
	// trained, up to this.
	firstPause = Seconds(1800)
	// It may compile for so long before it advances.
	startPatience = Seconds(600)
	// enoughToRate is the part of the typical time between two advances that tells a rate: what advances
	// sooner is a burst, and tells one together with what comes before or after it.
	enoughToRate = 0.2
	// leastSpan tells a rate while that is not known.
	leastSpan = Seconds(1)
	// Workers that have advanced so often since they have changed have started.
	started = 2
)

// Reading is the rate between two moments at which the counter advanced. The readings of workers that go on
// follow each other without a hole: what belongs to the training, such as an evaluation, is in them.
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
	asked   bool // the source was asked since, and had nothing newer
	// The last advance from which a rate counts. There is none after a restart, until the counter has
	// advanced once: the time before that is start-up, and no training.
	anchored   bool
	anchorAt   Seconds
	anchorDone Fraction
	changed    Seconds  // when the counter last moved, in any way
	far        Fraction // the farthest that is believed
	farAt      Seconds  // when the counter was last known to be no farther
	leapt      bool     // nothing was believed since the last jump: what comes next says whether it was one
	faster     bool     // a rate was too high to be believed, and none was believed since
	rates      recently
	advances   Cadence
	readings   Cadence
	// What the present workers have shown, and how long a silence has been after which the job went on.
	moved     int     // how often they have advanced
	began     Seconds // when they first did
	pause     Seconds // the longest while they trained
	slowStart Seconds // the longest before any workers had started
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
		if p.moved > 0 { // else it was told when they changed
			p.Changed(at)
		}
	}
	if at <= p.at {
		return fail(p.clockWentBack(at, done))
	}
	pause := at - p.at
	gap := !p.asked && p.readings.count >= 3 && pause > max(leastGap, gapFactor*p.readings.Typical())
	p.at, p.asked = at, false
	p.readings.Add(pause)
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
	p.done, p.changed, p.anchored, p.leapt, p.faster = done, at, false, false, false
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
	since := float64(at - p.farAt + p.advances.Typical())
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

// Asked takes that the source was asked and still said what it had said: the silence is the job's, and no gap
// in the readings.
func (p *Progress) Asked() { p.asked = true }

// Changed takes that other workers train from a moment on, or the same ones anew.
func (p *Progress) Changed(at Seconds) {
	if at >= p.changed {
		p.changed, p.moved = at, 0
	}
}

// Patience is how long the counter may stand still without a reason to worry; false while nobody knows how often
// it advances at all.
func (p *Progress) Patience() (Seconds, bool) {
	if !p.advances.Known() {
		return 0, false
	}
	limit := max(leastStall, stallFactor*p.advances.Typical(), pauseFactor*p.pause)
	if p.moved < started {
		return max(limit, startPatience, pauseFactor*p.slowStart), true
	}
	return max(limit, min(firstPause, p.changed-p.began)), true
}

// standsStill tells a coarse counter, or a pause that belongs to the training, from one that has stalled.
func (p *Progress) standsStill(at Seconds) error {
	if patience, known := p.Patience(); known && p.done < 1 && at-p.changed > patience {
		return ErrStalled
	}
	return ErrNoNews
}

// moves takes that the counter has advanced after a silence.
func (p *Progress) moves(at, silence Seconds) {
	if p.moved == 0 {
		p.began = at
	}
	if p.moved < started {
		p.slowStart = max(p.slowStart, silence)
	} else {
		p.pause = max(p.pause, silence)
	}
	p.moved++
}

// advance is a reading whose counter is higher than before.
func (p *Progress) advance(at Seconds, done Fraction) (Reading, error) {
	fail := func(reason error) (Reading, error) {
		return Reading{}, &ProgressError{At: at, Done: done, Reason: reason}
	}
	over, gain := at-p.anchorAt, float64(done-p.anchorDone)
	since := at - p.changed
	leaps := !p.anchored && p.leaps(done, at)
	p.done, p.changed = done, at
	if leaps {
		p.leapt = true
		return fail(ErrJumped)
	}
	p.moves(at, since)
	if !p.anchored {
		p.anchored, p.anchorAt, p.anchorDone = true, at, done
		p.believe(done, at)
		return fail(ErrNoNews)
	}
	rate := gain / float64(over)
	if !(rate > 0) || math.IsInf(rate, 0) {
		p.anchorAt, p.anchorDone = at, done
		return fail(ErrOutOfRange)
	}
	// Without a history there is nothing to compare with, but no job is done from its first two
	// readings on. In a burst the counter shows what it should have shown before.
	catchUp := max(1, float64(p.advances.Typical()/over))
	tooFast := p.rates.count >= 2 && rate > jumpFactor*catchUp*p.rates.median()
	if tooFast && p.faster {
		p.rates, tooFast = recently{}, false // it is so fast now, as once a first step is compiled
	}
	if tooFast || p.rates.count < 2 && gain > 0.5 {
		p.anchored, p.leapt, p.faster = false, true, tooFast
		return fail(ErrJumped)
	}
	p.advances.Add(since)
	p.believe(done, at)
	p.farAt, p.faster = at, false
	if over < max(leastSpan, enoughToRate*p.advances.Typical()) {
		return fail(ErrNoNews)
	}
	p.anchorAt, p.anchorDone = at, done
	p.rates.add(rate)
	// Each end of the span is known up to the time between two readings.
	apart := p.readings.Typical()
	spread := math.Min(1, float64(apart/over)/math.Sqrt(6))
	if since <= apart*1.5 {
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

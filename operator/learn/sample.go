package learn

import (
	"cmp"
	"errors"
	"time"

	"github.com/takt-dev/takt/operator/progress"
	"github.com/takt-dev/takt/predictor"
)

// lateness counts readings that are dated before the last one.
type lateness struct {
	count int
	at    time.Time
}

// clockSet is how many late readings in a row, each after the one before, are not late but say that
// a clock was set back.
const clockSet = 3

// clockOff is how far a checkpoint may be dated after the reading that tells of it.
const clockOff = time.Minute

// Sample takes a reading of the job while it runs in this shape, of which only the number of workers
// and nodes and the GPU count. A reading that was taken already changes nothing.
func (r *Run) Sample(s progress.Sample, shape predictor.Shape) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if wrong := nonsense(s); wrong != "" {
		r.state = state{health: Invalid, say: func(clock) string { return wrong }}
		return
	}
	if !s.SavedAt.IsZero() && s.SavedAt.Sub(s.At) < clockOff {
		r.saves.saw(s.SavedAt, r.stretch.changedAt)
		r.stretch.saved(s.SavedAt)
	}
	switch {
	case s.At.Equal(r.at):
		r.late, r.failure, r.repeated = lateness{}, failure{}, true
		r.counter.Asked()
		return
	case s.At.Before(r.at):
		if !r.clockWasSet(s) {
			return
		}
		last := r.at
		r.state = state{health: Clock, say: func(at clock) string {
			return "The clock that dates the readings was set back: there was one of " + at(last) + " already."
		}}
		r.counter, r.at = predictor.Progress{}, time.Time{}
		r.stretch.setBack(s.At)
		if r.doubted.After(s.At) {
			r.doubted = s.At
		}
		if r.saves.at.After(s.At) {
			r.saves = saves{}
		}
	}
	r.take(s, plain(shape))
}

// clockWasSet tells a clock that was set back from readings out of order. These do not go on for long,
// and show nothing that is new.
func (r *Run) clockWasSet(s progress.Sample) bool {
	if r.late.count == 0 || s.At.After(r.late.at) {
		r.late = lateness{r.late.count + 1, s.At}
	}
	return r.late.count >= clockSet && unitOf(s) == r.tally.said && r.tally.before+s.Done*r.tally.factor > r.counted
}

// take learns from a reading that is new.
func (r *Run) take(s progress.Sample, shape predictor.Shape) {
	unread := r.tally.unit == ""
	apart := shape.Workers != r.shape.Workers || latestOf(r.anew, r.stretch.changedAt).After(r.at) || r.jumped
	done, changed := r.tally.take(s, int(shape.Workers), apart, r.could(s.At))
	first := r.at.IsZero() || changed != sameCounter
	if changed == anotherUnit || unread && r.unitsDiffer() != nil {
		r.forgetSpeeds()
	}
	r.recount()
	if changed != sameCounter {
		r.counter, r.jumped, r.mishap = predictor.Progress{}, false, mishap{}
	}
	movedAt := r.movedAt
	r.answered = r.answered || !s.Beforehand // what nobody counts cannot show that a training stands still
	r.failure, r.late, r.repeated = failure{}, lateness{}, false
	from, gain, since := r.done, done-r.counted, s.At.Sub(r.at)
	if r.jumped {
		gain = done - r.done
	}
	if first || gain != 0 {
		r.movedAt = s.At
	}
	if gain > 0 { // a bar is drawn at its beginning, too, long before the first step is made
		r.stretch.speaks(s.At)
	}
	if shape != r.shape {
		r.settleSlowing(shape)
	}
	r.at, r.counted, r.shape = s.At, done, shape
	r.present = s.At.After(r.stretch.changedAt)

	reading, err := r.counter.Read(moment(s.At), predictor.Fraction(done/r.tally.scale), shape)
	loads := r.loads(done, s.At)
	if !first && errors.Is(err, predictor.ErrWentBack) {
		r.reopen(gain, s.At, movedAt) // before it is judged, and taken for a crash
	}
	r.judge(err, from, since, loads)
	if errors.Is(err, predictor.ErrWentBack) && done < from {
		r.falls(from, movedAt)
	}
	if r.jumped = errors.Is(err, predictor.ErrJumped); r.jumped {
		return
	}
	if !first {
		r.join(s.At, gain)
		if r.stretch.see(s.At, gain, since, int(shape.Workers)) {
			r.stretch.savedAt = latestOf(r.stretch.savedAt, r.saves.at)
		}
		r.chargeJoin()
	}
	if first || done >= from || !loads && !r.stretch.starting() {
		r.done = done
	}
	if began := s.At.Add(-span(float64(reading.Over))); err == nil && !began.Before(r.stretch.changedAt) &&
		began.After(r.doubted) {
		r.learnOfStretch(reading, s.At)
	}
}

// learn takes a rate of the workers that train now, and of no one before them.
func (r *Run) learn(reading predictor.Reading, at time.Time) {
	rate := float64(reading.Rate) * r.tally.scale
	own := r.speeds[reading.Shape]
	if own == nil {
		own = &speed{}
	}
	own.catchUp()
	r.recovers(own, r.done-rate*float64(reading.Over), at.Add(-span(float64(reading.Over))))
	own.pace.Add(moment(at), reading.Over, predictor.Work(rate*float64(reading.Over)))
	if !r.measure(reading.Shape, own) {
		return // no shape or no rate that could be
	}
	r.version++
	r.speeds[reading.Shape] = own
	own.add(rate, at)
	own.every = cmp.Or(r.stretch.usual(), own.every)
	r.relevel()
	r.stretch.rate(rate)
}

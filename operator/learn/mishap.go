package learn

import (
	"time"

	"github.com/takt-dev/takt/predictor"
)

// mishap is that the training has lost work though nobody has changed its workers: it has crashed, and was started
// again where it was. What has come once may come again: so it is a pause of the training, for as long as it takes to
// do once more what was done.
type mishap struct {
	since time.Time // when it had advanced last; zero where none is to be learned
	from  float64   // what was done then
}

// falls takes note that work was lost, of a training that had advanced last at a moment. One that had done all begins
// something else as likely as it has crashed, and there is no more of it that could crash again. What is lost soon
// after a change of its workers is lost by that.
func (r *Run) falls(from float64, since time.Time) {
	s := &r.stretch
	settled := !s.join.open && (s.count >= keptAdvances || !s.open && !r.early(since)) // what nobody resizes stays open
	all := r.tally.total > 0 && from >= r.tally.total
	if r.mishap.since.IsZero() && settled && !all && since.After(s.changedAt) {
		r.mishap = mishap{since, from}
	}
}

// restores is how long a training takes to load its checkpoint, where no start was seen to take longer.
const restores = 5 * time.Minute

// loads says that a training which shows that nothing is done may not have loaded its checkpoint yet: many a bar is
// made before that. What shows nothing for twice as long as it should take has lost all.
func (r *Run) loads(done float64, at time.Time) bool {
	const about = 2
	return done == 0 && at.Sub(r.movedAt) <= about*max(restores, r.heritage.starts(), r.stretch.usual())
}

// recovers learns what a mishap has cost, once the training goes on: so much was done at a moment, from which on it
// has a rate again.
func (r *Run) recovers(own *speed, done float64, at time.Time) {
	m := r.mishap
	r.mishap = mishap{}
	if m.since.IsZero() {
		return
	}
	r.stretch.from = latestOf(r.stretch.from, at) // what was lost by then is not lost again
	if own.seen.Moving <= 0 {
		return
	}
	cost := at.Sub(m.since).Seconds() - (done-m.from)/float64(own.seen.Moving)
	own.pace.Lose(moment(m.since), predictor.Seconds(cost))
}

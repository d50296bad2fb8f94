package learn

import (
	"time"

	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/predictor"
)

const (
	// endsQuicker is how many times as long as a job takes to end it usually takes to begin anew.
	endsQuicker = 6
	// closesWithin is how long after its last step nobody wonders that a job still runs.
	closesWithin = time.Minute
	// mostUnseen is how long before it had done all a job may have told last, and its speed still tells when that was.
	mostUnseen = 2 * time.Minute
)

// sinceLastStep is how long before a moment the job had done all; false if nobody can tell.
func (r *Run) sinceLastStep(at time.Time) (time.Duration, bool) {
	if r.tally.total == 0 {
		return 0, false
	}
	left := time.Duration(0)
	if r.done < r.tally.total {
		rate, ok := r.rate(r.shape) // its workers may have gone already
		if !ok {
			return 0, false
		}
		if left = span((r.tally.total - r.done) / rate.Median); left > mostUnseen {
			return 0, false
		}
	}
	return max(0, at.Sub(r.movedAt)-left), true
}

// closes is how long the job takes from its last step until it has ended, as far as that is still to come.
func (r *Run) closes(usual time.Duration, now time.Time) elastic.Closing {
	if r.heritage.closing == nil {
		r.heritage.closing = new(predictor.Closing(r.heritage.others.Runs, predictor.Seconds(usual.Seconds())))
	}
	e, passed := r.heritage.closing, 0.0
	if r.tally.total > 0 && r.done >= r.tally.total && now.After(r.movedAt) {
		passed = now.Sub(r.movedAt).Seconds()
	}
	rest := e.Past(passed)
	span := func(s float64) elastic.Seconds { return elastic.Seconds(min(s, longest.Seconds())) }
	return elastic.Closing{Shortest: span(rest.Low), Usual: span(rest.Median), Longest: span(rest.High)}
}

// overruns says that the job has told all of its work, and still runs for longer than its end takes: it does something
// that it has not told of, and nobody knows for how long.
func (r *Run) overruns(now time.Time) bool {
	return r.tally.total > 0 && r.done >= r.tally.total && r.heritage.closing != nil &&
		now.Sub(r.movedAt) > max(closesWithin, span(r.heritage.closing.High))
}

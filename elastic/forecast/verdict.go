package forecast

import (
	"time"

	"github.com/takt-dev/takt/elastic"
)

// Seen is what is seen of a job that goes on, beside what was planned for it.
type Seen struct {
	Planned elastic.Verdict
	Left    time.Duration // until its deadline
	Trains  bool          // some of its workers run
	Resized bool          // its size is being changed
	// Overruns says that it has told all of its work and runs on, and By for how long.
	Overruns bool
	By       time.Duration
	// Doubtful says that its readings may be true no more. Believed says that it was planned on what somebody believes,
	// which no reading refutes.
	Doubtful, Believed bool
}

// Doubt is why a job is no longer told to be in time.
type Doubt string

// The doubts. Without any the verdict is the planned one.
const (
	Overrun Doubt = "Overrun" // it may well run on for longer than there is time
	Unread  Doubt = "Unread"  // the estimate goes by readings that may be true no more
)

// Verdict is what is told of the job. The promise of one that is in doubt stands all the same.
func (s Seen) Verdict() (elastic.Verdict, Doubt) {
	switch {
	case s.Planned != elastic.OnTrack:
		return s.Planned, ""
	case s.Overruns && s.Left < elastic.OverrunsBy*s.By:
		return elastic.AtRisk, Overrun
	case s.Trains && s.Doubtful && !s.Believed && !s.Resized:
		return elastic.AtRisk, Unread
	}
	return s.Planned, ""
}

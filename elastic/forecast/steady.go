package forecast

import (
	"slices"
	"time"

	"github.com/takt-dev/takt/elastic"
)

// Moves is by which part of the time that is left a forecast has to change to be news.
const Moves = 0.05

const (
	// A verdict that has become worse stays for Moves of the time until the deadline, but for leastHolds at least and for
	// mostHolds at most: what is said beside it is as old as it is.
	leastHolds = 10 * time.Second
	mostHolds  = time.Minute
)

// fromWorst are the verdicts on a job that may still be in time.
var fromWorst = []elastic.Verdict{elastic.Infeasible, elastic.AtRisk, elastic.OnTrack}

// Worse says that one forecast is worse than another.
func Worse(one, than elastic.Verdict) bool {
	i, k := slices.Index(fromWorst, one), slices.Index(fromWorst, than)
	return i >= 0 && i < k
}

// Change is a verdict that takes the place of another.
type Change struct {
	Told, Now elastic.Verdict
	Left      time.Duration // until the deadline, which is the same for both
	// Spare is by how much it is in time at the pessimistic end of what is expected now; nil if nobody knows.
	Spare *time.Duration
}

// Keeps is for how long what was told of a job that is just about in time is kept, since it became worse. What becomes
// worse is told at once, and that it is better again only where it is clearly so, or after a while: figures that pass
// each other with every reading would else make news each time.
func (c Change) Keeps() time.Duration {
	if !Worse(c.Told, c.Now) {
		return 0
	}
	holds := min(max(leastHolds, time.Duration(Moves*float64(c.Left))), mostHolds)
	if c.Now == elastic.OnTrack && c.Spare != nil && *c.Spare > holds {
		return 0
	}
	return holds
}

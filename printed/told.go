package printed

import (
	"math"
	"time"
)

// told is what was last told in one unit.
type told struct {
	Count
	at  time.Time
	any bool
	// Several processes may print one counter, each a little before or behind the others. Once that is seen, it is the
	// first of them that counts.
	ahead  float64 // as far as the counter was before it went back a little
	after  int     // how many counts there were since
	jumps  int     // how often it came back from that
	behind int     // how many counts in a row were behind it
}

const (
	// aLittle is how far processes may be apart, as a share of the whole or of an epoch.
	aLittle = 0.02
	// soon is within how many counts a process that is ahead is heard of again.
	soon = 4
	// jumpsOfMany are how often a counter goes back and forth until it is taken for one of several processes.
	jumpsOfMany = 2
	// mostBehind is how many counts in a row may be behind: then all of them are.
	mostBehind = 16
)

// littleOf is how far processes may be apart: those that are heard once an epoch, by one.
func littleOf(whole, ahead, behind float64) float64 {
	if whole == 1 && ahead == math.Trunc(ahead) && behind == math.Trunc(behind) {
		return 1
	}
	return aLittle * whole
}

// take takes the next count, and says whether it is told. Whole is what processes go through together: all the steps,
// or an epoch.
func (t *told) take(c Count, whole float64, at time.Time) bool {
	t.after++
	if t.any && c.Total == t.Total && c.Done < t.Done && t.Done-c.Done <= littleOf(whole, t.Done, c.Done) {
		if t.jumps >= jumpsOfMany && t.behind < mostBehind {
			t.behind++
			return false
		}
		t.ahead, t.after = t.Done, 0
	} else if t.ahead > 0 && c.Done >= t.ahead {
		if t.after <= soon {
			t.jumps++
		}
		t.ahead = 0
	}
	t.Count, t.at, t.any, t.behind = c, at, true, 0
	return true
}

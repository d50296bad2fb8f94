package learn

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/takt-dev/takt/operator/progress"
)

const (
	// alikeFrom is how long the shorter of two parts is at least, beside the longer one, for both to be rounds of one
	// loop. Epochs go through the same data: they differ by what fills no batch, and by how long samples are that are
	// put together, which is a few percent and seldom more than ten. Whoever writes two trainings one after the other
	// has one last several times as long as the other.
	alikeFrom = 0.8
	// mostParts is of how many parts, the last ones, the length is kept.
	mostParts = 8
)

// alike says that two parts are of about the same length.
func alike(a, b float64) bool { return min(a, b) >= alikeFrom*max(a, b) }

// isEpochs says that a unit counts rounds through the whole, so that none of it is a part.
func isEpochs(unit string) bool { return strings.HasPrefix(unit, "epoch") }

// goesOn says that it begins to count up to something else once all is done that it counted up to, or as good as that,
// such as the epochs of a training behind those of one that has prepared it. One that goes back and counts up to about
// the same counts the next round of a loop, though nobody may have read the end of the last. Up to the very same it
// does so where it was complete, or could have been since: else it would have lost what it had done.
func (t *tally) goesOn(s progress.Sample, could float64) bool {
	const end, beginning, aLittle, far = 0.9, 0.5, 0.02, 0.1
	if t.total == 0 && !t.rounds || t.saidTotal <= 0 || s.Total <= 0 || s.Done >= t.saidDone {
		return false
	}
	begins, left := s.Done <= beginning*s.Total, t.saidTotal-t.saidDone
	switch {
	case s.Total == t.saidTotal:
		return begins && (t.rounds || left <= min(1, aLittle*t.saidTotal) || // many count their steps from 0
			t.endsUnseen(s, could))
	case alike(s.Total, t.saidTotal) && s.Source == t.source && t.saidDone-s.Done > far*s.Total:
		return true // who corrects a total may correct what is done a little
	default:
		return begins && (t.rounds || left <= max(1, (1-end)*t.saidTotal)) // the last epoch may only be named
	}
}

// endsUnseen says that it could have done the rest of this part, and as much of the next as it tells, since it was read
// last, and no more than a part in all. To have crashed in just that moment is far less likely: each part ends.
func (t *tally) endsUnseen(s progress.Sample, could float64) bool {
	const about = 2 // times as fast as usual
	return could <= t.saidTotal*t.factor && (t.saidTotal-t.saidDone+s.Done)*t.factor <= about*could
}

// could is how much the workers that were read last can have done since then; 0 if nobody knows how fast they are.
// What is held back of their rates tells that before it is learned.
func (r *Run) could(until time.Time) float64 {
	rate := 0.0
	if own := r.speeds[r.shape]; own != nil {
		rate = float64(own.seen.Moving)
	} else if rates := r.heldRates(); len(rates) > 0 {
		rate = median(rates)
	}
	return rate * until.Sub(r.at).Seconds()
}

// follow takes that a part is over, and that the next one has begun. Of one that is about as long as one before, nobody
// knows how many like it follow.
func (t *tally) follow(s progress.Sample) {
	length, next, over := t.saidTotal*t.factor, s.Total*t.factor, t.total
	if t.rounds {
		over = t.before + length
	}
	t.lengths = append(t.lengths, length)
	t.lengths = t.lengths[max(0, len(t.lengths)-mostParts):]
	t.over++
	t.before, t.part = over, over
	t.rounds = t.rounds || slices.ContainsFunc(t.lengths, func(before float64) bool { return alike(before, next) })
	t.total = min(over+next, mostWork)
}

// allOfRounds is how much all rounds are together, of which one counts up to so much: by how many there are, or by how
// many steps. It is 0 if nobody says, or what is said is too little.
func (t *tally) allOfRounds(s progress.Sample) float64 {
	begun, all := float64(t.over)+1, t.before+s.Total*t.factor
	switch steps := s.Beside.Steps * t.factor; {
	case s.Beside.Epochs >= begun:
		all *= s.Beside.Epochs / begun
	case steps >= all && !isEpochs(t.said):
		all = steps
	default:
		return 0
	}
	return min(all, mostWork)
}

// tellsAll says that it counts up to more than a round, and to all that it has done.
func (t *tally) tellsAll(s progress.Sample) bool {
	longest := max(t.saidTotal, slices.Max(t.lengths)/t.factor)
	return s.Total*t.factor >= t.before && s.Total > longest/alikeFrom
}

// parts says what is known of the whole where only what has come by now is; empty where it may be all.
func (t *tally) parts() string {
	switch {
	case t.part == 0 || t.rounds && t.total > 0:
		return ""
	case t.rounds:
		return fmt.Sprintf("It counts up to %.6g %s, after %.6g before, and begins anew: these are parts, such as epochs, "+
			"and nobody knows how many will follow. Let it tell how much there is to do in all, or write takt.dev/expected: "+
			"\"6h at 4 workers\".", t.saidTotal*t.factor, t.unit, t.lengths[len(t.lengths)-1])
	default:
		return fmt.Sprintf("It had done all of %.6g %s, and goes on with %.6g others: nobody knows whether more will follow.",
			t.part, t.unit, t.total-t.part)
	}
}

// StartedAnew takes when a container of a worker was started anew: what is told from then on is told by a process that
// has not counted before.
func (r *Run) StartedAnew(at time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.anew = latestOf(r.anew, at)
}

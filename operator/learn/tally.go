package learn

import (
	"fmt"
	"math"
	"strings"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/operator/progress"
	"github.com/takt-dev/takt/predictor"
)

const (
	// endless is what a job whose total nobody knows is taken to count up to, so that its speed can
	// be learned all the same. It is never told to anyone.
	endless = 1e18
	// roundingOff is how far above its total a counter may be, as a share of it.
	roundingOff = 1e-6
	mostWork    = 1e16 // in any unit: more is a mistake
	longestUnit = 32   // as the API allows
	plainUnit   = "units"
	// uneven is how far steps may be off from being shared by all workers alike, as a share of them: each has whole
	// batches.
	uneven = 0.05
)

// tally turns what sources count into work in the unit of the run.
type tally struct {
	unit  string
	total float64 // in the unit of the run; 0 while nobody knows
	// scale is the work that the counter takes for the whole. It stays the same when the total is
	// corrected: rates are then still comparable.
	scale float64

	// What was last said, and by whom.
	source    v1alpha1.ProgressSource
	said      string // the unit
	saidTotal float64
	saidDone  float64
	factor    float64   // how many units of the run are in one of these
	workers   int       // that trained when saidTotal was said first
	by        int       // that trained when total was known first; 0 if nobody knows
	refuted   bool      // the total was another than that of the whole, and nobody has told that since
	before    float64   // what was done when it began to count something else, or what was left
	part      float64   // what all was that it had counted up to, when it went on with something else
	lengths   []float64 // of the last parts that are over, in the unit of the run
	over      int       // how many parts are over
	rounds    bool      // parts are about as long as each other: it goes through a loop, nobody knows how often
}

// change is what a reading changes besides the amount that is done.
type change int

const (
	sameCounter change = iota
	anotherCounter
	anotherUnit // what was learned of speeds counts something else
)

// take is the work that is done by what a sample says, which must be sensible, of so many workers, who could have done
// so much since the last one. It is apart from the last one where others have told that, or a process before this one,
// or where that was hard to believe.
func (t *tally) take(s progress.Sample, workers int, apart bool, could float64) (done float64, c change) {
	unit := unitOf(s)
	switch {
	case t.unit == "":
		*t = tally{unit: unit, total: s.Total, factor: 1}
		c = anotherCounter
	case unit != t.said && t.rounds && s.Total > 0 && !isEpochs(unit):
		t.factor *= t.saidTotal / s.Total
		c = anotherCounter
	case t.rounds && !apart && unit == t.said && t.tellsAll(s):
		*t = tally{unit: t.unit, total: s.Total, factor: 1}
		c = anotherCounter
	case unit != t.said && s.Total > 0 && t.total > 0 && !t.rounds:
		t.factor = (t.total - t.before) / s.Total
		c = anotherCounter
	case unit != t.said && unit == t.unit:
		t.factor = 1
		t.total = max(t.total, t.before+s.Total)
		c = anotherCounter
	case unit != t.said:
		*t = tally{unit: unit, total: s.Total, factor: 1}
		c = anotherUnit
	default:
		switch over, left := t.countsLeft(s, workers); {
		case left:
			t.before += over * t.factor
		case !apart && t.goesOn(s, could):
			t.follow(s)
			c = anotherCounter
		case t.correct(s, workers):
			c = anotherCounter
		}
		if s.Source != t.source {
			c = anotherCounter
		}
	}
	t.source, t.said, t.saidDone = s.Source, unit, s.Done
	if s.Total > 0 && (s.Total != t.saidTotal || t.workers == 0) {
		t.saidTotal, t.workers = s.Total, workers
	}
	done = t.before + s.Done*t.factor
	if t.rounds {
		t.total = t.allOfRounds(s)
		t.refuted = t.total == 0
	}
	if t.total > 0 && t.by == 0 {
		t.by = workers
	}
	t.refuted = t.refuted && t.total == 0
	if t.total > 0 {
		done = min(done, t.total)
	}
	whole := t.total
	if whole == 0 {
		whole = endless
	}
	if t.scale != whole && (t.scale == 0 || t.scale == endless || done > t.scale) {
		t.scale = whole
		c = max(c, anotherCounter)
	}
	return done, c
}

// refute forgets a total that is not that of the whole.
func (t *tally) refute() {
	t.refuted = t.refuted || t.total > 0
	t.total, t.saidTotal, t.workers, t.by, t.before, t.part = 0, 0, 0, 0, 0, 0
	t.lengths, t.over, t.rounds = nil, 0, false
}

// countsLeft says that it counts what was left when the training began anew from its checkpoint, as one does that is
// told so many epochs less, and how much was over then: about as much as it had done.
func (t *tally) countsLeft(s progress.Sample, workers int) (over float64, counts bool) {
	const about, beginning = 0.2, 0.1
	over = t.saidTotal - s.Total
	lost := t.saidDone - over
	return over, !t.rounds && t.total > 0 && s.Total > 0 && over > 0 && t.saidDone < t.saidTotal &&
		s.Done <= beginning*s.Total && lost >= 0 && lost <= max(1, about*t.saidTotal) && s.Done < t.saidDone &&
		!t.shared(s, workers)
}

// shared says that the steps of the whole are as many fewer as the workers are more. All of them go through the same
// epochs.
func (t *tally) shared(s progress.Sample, workers int) bool {
	return !isEpochs(t.said) && t.workers > 0 && workers > 0 && workers != t.workers &&
		math.Abs(s.Total*float64(workers)/(t.saidTotal*float64(t.workers))-1) <= uneven
}

// correct follows a total that has changed. Where the share that is done stays about the same, the
// job counts in other steps than before, as when they are shared by more workers: the work is what it
// was. Where the number of steps stays the same, there is more or less to do than was thought; but not where the steps
// of the whole are as many fewer as the workers are more: then it has counted on, and counts other steps from here on.
func (t *tally) correct(s progress.Sample, workers int) (leaps bool) {
	if s.Total == 0 || s.Total == t.saidTotal {
		return false
	}
	if t.saidTotal > 0 {
		share := math.Abs(s.Done/s.Total - t.saidDone/t.saidTotal)
		count := math.Abs(s.Done-t.saidDone) / s.Total
		if share < count || t.shared(s, workers) {
			t.factor *= t.saidTotal / s.Total
			return share >= count
		}
	}
	t.total = min(t.before+s.Total*t.factor, mostWork)
	return false
}

// in is how many units of the run are one of another's that has measured a speed, where workers share the steps of the
// training: of a whole that is as much larger as its workers are fewer. Else each is the same.
func (t *tally) in(other predictor.Speed) float64 {
	total, by := float64(other.Total), float64(other.CountedBy)
	if total <= 0 || by < 1 || t.total <= 0 || t.by < 1 || t.by == int(by) ||
		math.Abs(total*by/(t.total*float64(t.by))-1) > uneven {
		return 1
	}
	return t.total / total
}

func unitOf(s progress.Sample) string {
	switch {
	case s.Unit == "":
		return plainUnit
	case len(s.Unit) > longestUnit:
		return strings.ToValidUTF8(s.Unit[:longestUnit], "")
	default:
		return s.Unit
	}
}

// nonsense says what is wrong with a sample, if anything is.
func nonsense(s progress.Sample) string {
	strange := func(f float64) bool { return math.IsNaN(f) || f < 0 || f > mostWork }
	switch {
	case s.At.IsZero():
		return fmt.Sprintf("The source %s does not say when its reading was made.", s.Source)
	case strange(s.Done) || strange(s.Total) || s.Total > 0 && s.Total < 1/mostWork:
		return fmt.Sprintf("The source %s says that %g of %g %s are done, which cannot be.", s.Source, s.Done,
			s.Total, unitOf(s))
	case s.Total > 0 && s.Done > s.Total*(1+roundingOff):
		return fmt.Sprintf("The source %s says that %g of %g %s are done: correct the total, in spec.progress.total or "+
			"where the job reports it.",
			s.Source, s.Done, s.Total, unitOf(s))
	}
	return ""
}

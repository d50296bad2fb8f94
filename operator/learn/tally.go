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
	factor    float64 // how many units of the run are in one of these
	workers   int     // that trained when saidTotal was said first
	by        int     // that trained when total was known first; 0 if nobody knows
	refuted   bool    // the total was another than that of the whole, and nobody has told that since
	before    float64 // what was done when it began to count something else, or what was left
	part      float64 // what all was that it had counted up to, when it went on with something else
}

// change is what a reading changes besides the amount that is done.
type change int

const (
	sameCounter change = iota
	anotherCounter
	anotherUnit // what was learned of speeds counts something else
)

// take is the work that is done by what a sample says, which must be sensible, of so many workers, where so many were
// at the last.
func (t *tally) take(s progress.Sample, workers, last int) (done float64, c change) {
	unit := unitOf(s)
	switch {
	case t.unit == "":
		*t = tally{unit: unit, total: s.Total, factor: 1}
		c = anotherCounter
	case unit != t.said && s.Total > 0 && t.total > 0:
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
		case workers == last && t.goesOn(s):
			t.before, t.part, t.total = t.total, t.total, min(t.total+s.Total*t.factor, mostWork)
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
}

// countsLeft says that it counts what was left when the training began anew from its checkpoint, as one does that is
// told so many epochs less, and how much was over then: about as much as it had done.
func (t *tally) countsLeft(s progress.Sample, workers int) (over float64, counts bool) {
	const about, beginning = 0.2, 0.1
	over = t.saidTotal - s.Total
	lost := t.saidDone - over
	return over, t.total > 0 && s.Total > 0 && over > 0 && t.saidDone < t.saidTotal && s.Done <= beginning*s.Total &&
		lost >= 0 && lost <= max(1, about*t.saidTotal) && s.Done < t.saidDone && !t.shared(s, workers)
}

// shared says that the steps of the whole are as many fewer as the workers are more. All of them go through the same
// epochs.
func (t *tally) shared(s progress.Sample, workers int) bool {
	return !strings.HasPrefix(t.said, "epoch") && t.workers > 0 && workers > 0 && workers != t.workers &&
		math.Abs(s.Total*float64(workers)/(t.saidTotal*float64(t.workers))-1) <= uneven
}

// goesOn says that all is done that it counted up to, or as good as that, and that it begins to count up to something
// else, such as the epochs of a training behind those of one that has prepared it.
func (t *tally) goesOn(s progress.Sample) bool {
	const end, beginning = 0.9, 0.5
	over := t.saidDone >= end*t.saidTotal || t.saidTotal-t.saidDone <= 1 // the last epoch may only be named
	return t.total > 0 && t.saidTotal > 0 && s.Total > 0 && s.Total != t.saidTotal && over && s.Done < t.saidDone &&
		s.Done <= beginning*s.Total
}

// parts says that what is known of the whole is only what has come by now; empty where it may be all.
func (t *tally) parts() string {
	if t.part == 0 {
		return ""
	}
	return fmt.Sprintf("It had done all of %.6g %s, and goes on with %.6g others: nobody knows whether more will follow.",
		t.part, t.unit, t.total-t.part)
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

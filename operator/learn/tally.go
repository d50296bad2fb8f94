package learn

import (
	"fmt"
	"math"
	"strings"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/operator/progress"
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
}

// change is what a reading changes besides the amount that is done.
type change int

const (
	sameCounter change = iota
	anotherCounter
	anotherUnit // what was learned of speeds counts something else
)

// take is the work that is done by what a sample says, which must be sensible.
func (t *tally) take(s progress.Sample) (done float64, c change) {
	unit := unitOf(s)
	switch {
	case t.unit == "":
		*t = tally{unit: unit, total: s.Total, factor: 1}
		c = anotherCounter
	case unit != t.said && s.Total > 0 && t.total > 0:
		t.factor = t.total / s.Total
		c = anotherCounter
	case unit != t.said && unit == t.unit:
		t.factor = 1
		t.total = max(t.total, s.Total)
		c = anotherCounter
	case unit != t.said:
		*t = tally{unit: unit, total: s.Total, factor: 1}
		c = anotherUnit
	default:
		t.correct(s)
		if s.Source != t.source {
			c = anotherCounter
		}
	}
	t.source, t.said, t.saidDone = s.Source, unit, s.Done
	if s.Total > 0 {
		t.saidTotal = s.Total
	}
	done = s.Done * t.factor
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

// correct follows a total that has changed. Where the share that is done stays about the same, the
// job counts in other steps than before, as when they are shared by more workers: the work is what it
// was. Where the number of steps stays the same, there is more or less to do than was thought.
func (t *tally) correct(s progress.Sample) {
	if s.Total == 0 || s.Total == t.saidTotal {
		return
	}
	if t.saidTotal > 0 {
		share := math.Abs(s.Done/s.Total - t.saidDone/t.saidTotal)
		count := math.Abs(s.Done-t.saidDone) / s.Total
		if share < count {
			t.factor *= t.saidTotal / s.Total
			return
		}
	}
	t.total = min(s.Total*t.factor, mostWork)
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
		return fmt.Sprintf("The source %s says that %g of %g %s are done, which cannot be.", s.Source, s.Done, s.Total, unitOf(s))
	case s.Total > 0 && s.Done > s.Total*(1+roundingOff):
		return fmt.Sprintf("The source %s says that %g of %g %s are done: correct the total, in spec.progress.total or where the job reports it.",
			s.Source, s.Done, s.Total, unitOf(s))
	}
	return ""
}

package progress

import (
	"math"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/takt-dev/takt/operator/shorthand"
)

const (
	// maxUnit is what a TrainingProfile takes.
	maxUnit = 32
	// maxAhead is how far the clock of a job may be ahead of ours, and mostAhead that of its node, by which we then date
	// nothing.
	maxAhead  = shorthand.MostAhead
	mostAhead = 24 * time.Hour
	// leastTotal is less than any unit has a part of that means something, and enough to divide by.
	leastTotal = 1e-15
	// rounding is how far done may be above total: sources round.
	rounding = 1e-6
	// farBeyond is how far above its total a counter is that does not count to that: some count a step more at the end.
	farBeyond = 0.05
)

// check refuses a sample that cannot be so. What it lets through can be calculated with.
func check(s Sample, now time.Time) error {
	for _, count := range []struct {
		name  string
		value float64
	}{{"what is done", s.Done}, {"the total", s.Total}} {
		if math.IsNaN(count.value) || math.IsInf(count.value, 0) {
			return fail(ErrLie, "%s is %v, which is no number to count with", count.name, count.value)
		}
	}
	switch {
	case s.Total < leastTotal:
		return fail(ErrLie, "the total is %g, but must be more than zero", s.Total)
	case s.Done < 0:
		return fail(ErrLie, "%g are done, which is less than nothing", s.Done)
	case s.Done > s.Total*(1+rounding):
		kind := ErrLie
		if s.Done > s.Total*(1+farBeyond) {
			kind = ErrBeyond
		}
		return fail(kind, "%g of %g are done, which is more than all: is the total that of the whole training?",
			s.Done, s.Total)
	case s.At.Sub(now) > maxAhead:
		return fail(ErrLie, "it is said to be as of %s, which is in the future: is the clock of its node right?",
			s.At.UTC().Format(time.RFC3339))
	case s.SavedAt.Sub(now) > maxAhead:
		return fail(ErrLie, "the state is said to be saved at %s, which is in the future: is the clock of its node right?",
			s.SavedAt.UTC().Format(time.RFC3339))
	case len(s.Unit) > maxUnit || !utf8.ValidString(s.Unit) ||
		strings.ContainsFunc(s.Unit, func(r rune) bool { return r < ' ' }):
		return fail(ErrLie, "its unit is %q, but must be a word of at most %d bytes", shortened(s.Unit), maxUnit)
	}
	return nil
}

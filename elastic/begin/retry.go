package begin

import (
	"math"
	"slices"

	"github.com/takt-dev/takt/elastic"
)

// mostWaits is how many times over a job waits after many failures.
const mostWaits = 30

// NotBefore is until when a job is not grown, because growing it has failed, or was taken back more than once; zero if
// nothing keeps it. It takes longer with every failure that follows another. That nobody has answered is none: it takes
// no longer, however often, so that the job begins soon after those are back who are to answer. Refused says that the
// job may not be changed, whichever way.
func NotBefore(past []Past, retry elastic.Seconds) (until elastic.Seconds, refused bool) {
	refused = len(past) > 0 && past[len(past)-1].End == Refused
	is := func(ends ...End) func(End) bool { return func(end End) bool { return slices.Contains(ends, end) } }
	if n, last := trailing(past, is(Unanswered), is(Untried)); n > 0 {
		until = last + retry
	}
	count, last := trailing(past, is(Withdrawn), is(Unanswered))
	if count > 0 {
		count-- // a decision that gives way to another is no failure; those that do so in turn are
	} else {
		count, last = trailing(past, is(Failed, Refused), is(Untried, Unanswered))
	}
	if count == 0 {
		return until, refused
	}
	return max(until, last+retry*elastic.Seconds(math.Min(math.Exp2(float64(count-1)), mostWaits))), refused
}

// PaidBackAt is until when a job that trains is not stopped again for another size, which it was in vain, as where the
// volume of its workers is on one node alone, or it cannot load its state: it would else stand still for a good part of
// its life. Every time that it stood still in vain since its size last changed counts, so that it is stopped ever more
// rarely for what never comes about. It is zero if nothing was in vain.
func (w Waits) PaidBackAt(past []Past) (until elastic.Seconds) {
	var last, stood elastic.Seconds
	for _, p := range slices.Backward(past) {
		if p.End == Done {
			break
		}
		if p.InVain > 0 && stood == 0 {
			last = p.At
		}
		stood += p.InVain
	}
	return last + elastic.Seconds(w.Payback)*stood
}

// trailing counts the last of the past that count, but for those that are skipped, and tells when the last of them was.
func trailing(past []Past, counts, skip func(End) bool) (count int, last elastic.Seconds) {
	for _, p := range slices.Backward(past) {
		switch {
		case skip != nil && skip(p.End):
		case !counts(p.End):
			return count, last
		default:
			if count++; count == 1 {
				last = p.At
			}
		}
	}
	return count, last
}

package page

import (
	"cmp"
	"slices"

	"github.com/takt-dev/takt/simulator"
)

// legible is how many changes of size a chart of single jobs may hold.
const legible = 900

// detail chooses the time in which single jobs are drawn: all of it if no policy changes sizes too
// often to be read; else half of it, a quarter and so on, there where the most deadlines are missed
// by all policies together, and of such places where the most changes are.
func detail(whole span, runs []Run, most int) span {
	var changes [][]simulator.Seconds
	var misses []simulator.Seconds
	for _, run := range runs {
		var at []simulator.Seconds
		for _, change := range run.History.Changes {
			at = append(at, change.At)
		}
		slices.Sort(at)
		changes = append(changes, at)
		for _, t := range run.History.Jobs {
			if verdictOf(t) == missed {
				misses = append(misses, t.Deadline)
			}
		}
	}
	slices.Sort(misses)
	for parts := 1; ; parts *= 2 {
		length := whole.length() / simulator.Seconds(parts)
		type place struct {
			span
			missed, sum, most int
		}
		var best place
		for i := range 2*parts - 1 { // each half overlaps the next place
			from := whole.from + simulator.Seconds(i)*length/2
			p := place{span: span{whole.origin, from, from + length}}
			p.missed = p.count(misses)
			for _, at := range changes {
				n := p.count(at)
				p.sum += n
				p.most = max(p.most, n)
			}
			if i == 0 || cmp.Or(cmp.Compare(p.missed, best.missed), cmp.Compare(p.sum, best.sum)) > 0 {
				best = p
			}
		}
		if best.most <= most || parts >= 1<<14 {
			return best.span
		}
	}
}

// count is how many of the sorted moments lie within the span.
func (s span) count(sorted []simulator.Seconds) int {
	low, _ := slices.BinarySearch(sorted, s.from)
	high, exact := slices.BinarySearch(sorted, s.to)
	for exact && high < len(sorted) && sorted[high] == s.to {
		high++
	}
	return high - low
}

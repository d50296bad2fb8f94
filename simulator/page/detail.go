package page

import (
	"cmp"
	"slices"

	"github.com/takt-dev/takt/simulator"
)

// legible is how many changes of size a chart of single jobs may hold.
const legible = 2500

// detail chooses the time in which single jobs are drawn: all of it, or half of it, a quarter and
// so on. It halves as long as a policy changes sizes too often to be read, and as long as that
// leaves out little: time in which hardly anything happens is not worth its room. Of the places for
// a window it takes the one where the most deadlines are missed by all policies together, and of
// such places the one with the most changes.
func detail(whole span, runs []Run, most int) span {
	happened := newHappenings(runs)
	chosen := happened.in(whole)
	for parts := 2; parts <= 1<<14; parts *= 2 {
		length := whole.length() / simulator.Seconds(parts)
		var best place
		for i := range 2*parts - 1 { // each overlaps the next by half
			from := whole.from + simulator.Seconds(i)*length/2
			p := happened.in(span{whole.origin, from, from + length})
			if i == 0 || cmp.Or(cmp.Compare(p.missed, best.missed), cmp.Compare(p.changes, best.changes)) > 0 {
				best = p
			}
		}
		if chosen.busiest <= most && best.changes < chosen.changes*7/8 {
			break
		}
		chosen = best
	}
	return chosen.span
}

// place is a window, and what happens in it.
type place struct {
	span
	missed  int // deadlines, by all policies together
	changes int // of size, by all policies together
	busiest int // changes by the policy that makes the most of them
}

// happenings is when something happens, in order.
type happenings struct {
	changes [][]simulator.Seconds // by run
	missed  []simulator.Seconds
}

func newHappenings(runs []Run) happenings {
	var h happenings
	for _, run := range runs {
		var at []simulator.Seconds
		for _, change := range run.History.Changes {
			at = append(at, change.At)
		}
		slices.Sort(at)
		h.changes = append(h.changes, at)
		for _, t := range run.History.Jobs {
			if verdictOf(t) == missed {
				h.missed = append(h.missed, t.Deadline)
			}
		}
	}
	slices.Sort(h.missed)
	return h
}

func (h happenings) in(s span) place {
	p := place{span: s, missed: s.count(h.missed)}
	for _, at := range h.changes {
		n := s.count(at)
		p.changes += n
		p.busiest = max(p.busiest, n)
	}
	return p
}

// count is how many of the sorted moments lie within the span.
func (s span) count(sorted []simulator.Seconds) int {
	low, _ := slices.BinarySearch(sorted, s.from)
	high, _ := slices.BinarySearchFunc(sorted, s.to, func(at, to simulator.Seconds) int {
		if at <= to {
			return -1
		}
		return 1
	})
	return max(0, high-low)
}

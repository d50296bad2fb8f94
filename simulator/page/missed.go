package page

import (
	"cmp"
	"slices"

	"github.com/takt-dev/takt/simulator"
)

// shown is how many of the jobs that missed their deadline a table has.
const shown = 20

// miss is one job that missed its deadline.
type miss struct {
	ID, Model                 string
	Submitted, Deadline, Late string // Late is empty if the job was never finished
	Told                      string
	Broken                    bool // it had been promised
	Timeline                  timeline
}

// misses are the jobs of one policy that missed their deadline.
type misses struct {
	Shown                                        []miss
	Count, Rest, Never, Broken, Declined, Untold int
	Median                                       string // how late those were that were finished
}

// newMisses puts broken promises first, then those that were finished the latest, and last those
// that never were.
func newMisses(s span, jobs []*simulator.Training, all []spell) misses {
	var m misses
	var late []*simulator.Training
	var by []simulator.Seconds
	for _, t := range jobs {
		if verdictOf(t) != missed {
			continue
		}
		late = append(late, t)
		switch {
		case t.Promised:
			m.Broken++
		case t.Declined:
			m.Declined++
		default:
			m.Untold++
		}
		if finished(t) {
			by = append(by, t.Finished-t.Deadline)
		} else {
			m.Never++
		}
	}
	slices.Sort(by)
	if len(by) > 0 {
		m.Median = elapsed(by[len(by)/2])
	}
	slices.SortStableFunc(late, worse)
	m.Count, m.Rest = len(late), max(0, len(late)-shown)
	late = late[:len(late)-m.Rest]

	held := map[*simulator.Training][]spell{}
	for _, spell := range all {
		held[spell.job] = append(held[spell.job], spell)
	}
	for _, t := range late {
		row := miss{
			ID: name(t.ID, 48), Model: name(t.Model, 32), Told: told(t), Broken: t.Promised,
			Submitted: s.moment(t.Submit), Deadline: s.moment(t.Deadline),
			Timeline: newTimeline(t, held[t]),
		}
		if finished(t) {
			row.Late = elapsed(t.Finished - t.Deadline)
		}
		m.Shown = append(m.Shown, row)
	}
	return m
}

func worse(a, b *simulator.Training) int {
	severity := func(t *simulator.Training) int {
		switch {
		case t.Promised:
			return 0
		case finished(t):
			return 1
		default:
			return 2
		}
	}
	if s := cmp.Compare(severity(a), severity(b)); s != 0 || !finished(a) || !finished(b) {
		return s
	}
	return cmp.Compare(b.Finished-b.Deadline, a.Finished-a.Deadline)
}

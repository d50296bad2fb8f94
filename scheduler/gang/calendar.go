package gang

import (
	"container/heap"
	"time"
)

// calendar says when which gang is to be looked at, the earliest first. A gang is there once or more often, and what it
// says itself counts.
type calendar []entry

type entry struct {
	at time.Time
	id ID
}

func (c calendar) Len() int           { return len(c) }
func (c calendar) Less(i, k int) bool { return c[i].at.Before(c[k].at) }
func (c calendar) Swap(i, k int)      { c[i], c[k] = c[k], c[i] }

// Push is for package heap.
func (c *calendar) Push(e any) { *c = append(*c, e.(entry)) }

// Pop is for package heap.
func (c *calendar) Pop() any {
	last := len(*c) - 1
	e := (*c)[last]
	*c = (*c)[:last]
	return e
}

// mostStale is how many entries there may be that do not count, beside as many as there are gangs.
const mostStale = 1000

// enter notes when a gang is to be looked at. It is to be called whenever that may have become earlier.
func (b *Book) enter(g *gang) {
	at := b.due(g)
	if at.IsZero() || !g.entered.IsZero() && !at.Before(g.entered) {
		return
	}
	g.entered = at
	if len(b.calendar) > 2*len(b.gangs)+mostStale {
		b.tidy()
	}
	heap.Push(&b.calendar, entry{at, g.id})
}

// tidy drops the entries that do not count.
func (b *Book) tidy() {
	kept := b.calendar[:0]
	for _, e := range b.calendar {
		if b.counts(e) {
			kept = append(kept, e)
		}
	}
	clear(b.calendar[len(kept):])
	b.calendar = kept
	heap.Init(&b.calendar)
}

func (b *Book) counts(e entry) bool {
	g := b.gangs[e.id]
	return g != nil && g.entered.Equal(e.at)
}

// dueNow takes the gangs off the calendar that are to be looked at now.
func (b *Book) dueNow(now time.Time) (all []*gang) {
	for len(b.calendar) > 0 && !now.Before(b.calendar[0].at) {
		if e := heap.Pop(&b.calendar).(entry); b.counts(e) {
			g := b.gangs[e.id]
			g.entered = time.Time{}
			all = append(all, g)
		}
	}
	return all
}

// due is when there is something to be done about a gang, by time alone; zero if there is not.
func (b *Book) due(g *gang) time.Time {
	if !b.open[g.id] {
		return time.Time{}
	}
	at := g.retryAt
	orBy := func(moment time.Time, is bool) {
		if is && !moment.IsZero() && (at.IsZero() || moment.Before(at)) {
			at = moment
		}
	}
	orBy(g.rested, g.again)
	orBy(g.later, true)
	orBy(b.records[g.id.Change].Until, true)
	orBy(g.since.Add(missed), b.lacksRecord(g) && !g.named)
	orBy(g.since.Add(b.limits.Orphan), b.lacksRecord(g) && g.plan == nil && g.complete.IsZero())
	if g.plan != nil {
		orBy(g.plan.Until, !g.plan.firm)
	}
	return at
}

package gang

import (
	"slices"
	"time"
)

// Recorded notes a Resize as it is now.
func (b *Book) Recorded(c Change, r Record, now time.Time) {
	if r.abandoned(now) {
		b.Erased(c, now)
		return
	}
	if old, known := b.records[c]; known && old == r {
		return
	}
	b.move(c, now, func() {
		b.records[c] = r
		if r.Over {
			b.ended(c)
		} else {
			b.underWay[c.job()] = max(b.underWay[c.job()], c.Epoch)
		}
	})
	for uid := range b.podsOf(c) {
		if p := b.pods[uid]; p.Leaving {
			b.vacates(p, now)
		}
	}
}

// Erased notes that there is no such Resize any more.
func (b *Book) Erased(c Change, now time.Time) {
	if _, known := b.records[c]; known {
		b.move(c, now, func() {
			delete(b.records, c)
			b.ended(c)
		})
	}
}

// ended notes that a change is not under way any more.
func (b *Book) ended(c Change) {
	if b.underWay[c.job()] == c.Epoch {
		delete(b.underWay, c.job())
		delete(b.vacated, c.job())
	}
}

// move lets the pods of a change find their gangs anew after something has changed about it, and those of which it is
// not known yet whether they are of it.
func (b *Book) move(c Change, now time.Time, change func()) {
	var pods []*Pod
	for uid := range b.podsOf(c) {
		if p := b.pods[uid]; p.Change == c || p.Late && p.Node == "" {
			pods = append(pods, p)
		}
	}
	slices.SortFunc(pods, byIndex)
	before := map[ID]bool{}
	for _, p := range pods {
		id := b.id(p)
		before[id] = true
		b.of(id, now).loses(p)
	}
	change()
	for _, p := range pods {
		id := b.id(p)
		before[id] = true
		b.of(id, now).gains(p)
	}
	_, known := b.records[c]
	for id := range before {
		g := b.of(id, now)
		if !known {
			g.since = now // that it has been waiting for the record
		}
		b.look(g, now)
	}
}

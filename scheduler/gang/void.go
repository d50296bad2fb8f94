package gang

import (
	"fmt"
	"time"
)

// void takes a plan back: whoever holds a node lets go of it.
func (b *Book) void(g *gang, why string, now time.Time) {
	b.effects.Why = why
	for uid := range g.plan.Nodes {
		b.effects.Forget = append(b.effects.Forget, uid)
		if g.plan.held[uid] {
			b.effects.Reject = append(b.effects.Reject, uid)
		}
	}
	b.end(g, now)
}

// end ends a plan, and says when the gang may try again.
func (b *Book) end(g *gang, now time.Time) {
	g.plan = nil
	g.retryAt = now.Add(min(b.limits.Retry<<min(g.failed, 20), b.limits.RetryMost))
	g.failed++
	b.open[g.id] = true
	b.enter(g)
}

// look sees what has become of a gang, and notes when it is to be looked at again.
func (b *Book) look(g *gang, now time.Time) {
	b.see(g, now)
	b.enter(g)
}

func (b *Book) see(g *gang, now time.Time) {
	if g.plan != nil {
		b.check(g, now)
	}
	b.checkClaim(g)
	all := len(b.members(g))
	left := len(b.unbound(g))
	g.begun = 0 < left && left < all
	if left == 0 && all > 0 && all == b.wanted(g) {
		b.succeeds(g)
	}
	if left == 0 && g.plan == nil {
		g.complete = time.Time{}
		delete(b.open, g.id)
		if len(g.pods) == 0 {
			delete(b.gangs, g.id)
		}
		return
	}
	b.open[g.id] = true
	b.wake(g, now)
}

// check voids a plan that is not for the gang as it is now, and ends one that has been carried out.
func (b *Book) check(g *gang, now time.Time) {
	if g.plan.firm {
		b.checkFirm(g, now)
		return
	}
	if why := b.hindered(g, now); why != "" {
		b.void(g, why, now)
		return
	}
	planned := 0
	for _, p := range b.members(g) {
		_, is := g.plan.Nodes[p.UID]
		switch {
		case is:
			planned++
		case p.Node == "":
			b.void(g, fmt.Sprintf("pod %s has joined the gang", p.Name), now)
			return
		}
	}
	if planned < len(g.plan.Nodes) {
		b.void(g, "a pod of the gang is gone", now)
	}
}

// checkFirm ends a plan once all that are being bound are bound. Those that could not be are planned for
// anew then, near the others.
func (b *Book) checkFirm(g *gang, now time.Time) {
	left := b.unbound(g)
	for _, p := range left {
		if _, planned := g.plan.Nodes[p.UID]; planned {
			return
		}
	}
	if len(left) > 0 {
		b.end(g, now)
		return
	}
	if all := b.members(g); len(all) > 0 && len(all) == b.wanted(g) {
		b.place(g)
	}
	g.plan, g.most, g.failed, g.retryAt, g.complete = nil, nil, 0, time.Time{}, time.Time{}
}

// place notes that all of a gang have their nodes.
func (b *Book) place(g *gang) {
	p := Placed{Change: g.id.Change, Bound: true, Nodes: map[string]int{}, Since: g.complete, Told: b.told(g)}
	for _, member := range b.members(g) {
		node := member.Node
		if node == "" {
			p.Bound, node = false, g.plan.Nodes[member.UID]
		}
		p.Nodes[node]++
	}
	b.effects.Placed = append(b.effects.Placed, p)
}

// wake brings the speaker of a gang into the queue, if it may be tried.
func (b *Book) wake(g *gang, now time.Time) {
	if g.plan != nil {
		return
	}
	if b.hindered(g, now) != "" {
		if g.retryAt.IsZero() {
			b.drop(g)
			g.complete = time.Time{}
		}
		return
	}
	if g.complete.IsZero() {
		g.complete = now
	}
	members := b.unbound(g)
	if len(members) == 0 || b.rests(g, now) {
		return
	}
	if speaker := b.pods[g.speaker]; speaker == nil || !members.has(speaker) {
		g.speaker = members[0].UID
	}
	b.effects.Wake = append(b.effects.Wake, g.speaker)
}

// Tick does what is due. It is to be called every now and then.
func (b *Book) Tick(now time.Time) {
	b.tickClaim(now)
	b.tickVacated(now)
	for _, g := range b.dueNow(now) {
		if b.gangs[g.id] == g && b.open[g.id] {
			b.tick(g, now)
			b.enter(g)
		}
	}
}

// tick does what is due for one gang.
func (b *Book) tick(g *gang, now time.Time) {
	if b.records[g.id.Change].abandoned(now) {
		b.Erased(g.id.Change, now)
		return
	}
	b.miss(g, now)
	switch {
	case g.plan != nil && !now.Before(g.plan.Until) && !g.plan.firm:
		b.void(g, "not all pods of the gang came to their nodes in time", now)
	case !g.retryAt.IsZero() && !now.Before(g.retryAt):
		g.retryAt = time.Time{}
		b.wake(g, now)
	case g.again && !now.Before(g.rested):
		g.again = false
		b.wake(g, now)
	case !g.later.IsZero() && !now.Before(g.later):
		g.later = time.Time{}
		b.wake(g, now)
	case g.plan == nil && g.complete.IsZero() && b.lacksRecord(g) && !now.Before(g.since.Add(b.limits.Orphan)):
		b.wake(g, now)
	}
}

// missed is how long a Resize may be late before that is told.
const missed = 5 * time.Second

// miss tells, once for each gang, that there is no Resize to place it by.
func (b *Book) miss(g *gang, now time.Time) {
	if g.named || !b.lacksRecord(g) || now.Before(g.since.Add(missed)) {
		return
	}
	if left := b.unbound(g); len(left) > 0 {
		b.effects.Unknown = append(b.effects.Unknown, left[0].UID)
		g.named = true
	}
}

// lacksRecord says that there is no Resize of a gang that is to have one.
func (b *Book) lacksRecord(g *gang) bool {
	_, known := b.records[g.id.Change]
	return !known && g.id.Alone == ""
}

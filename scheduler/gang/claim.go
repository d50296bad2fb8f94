package gang

import (
	"maps"
	"time"
)

// claim is what a gang has that has been waiting for very long: nodes for all its pods, which others hold as
// yet. What becomes free there nobody else gets. There is one claim at a time, so two gangs can never
// wait for each other; and it ends, so that nobody waits for ever for what will never be free. A job that claims
// nodes once more, as its pods or its Resize are others now, has them no longer than it would have had the first.
type claim struct {
	id    ID
	nodes map[UID]string
	until time.Time
}

// Short notes that a gang does not fit. Keep are the nodes that are kept for it; if there are none, claim
// says that it may choose some.
func (b *Book) Short(speaker UID, now time.Time) (keep map[UID]string, claim bool) {
	g := b.gangOf(speaker)
	if g == nil {
		return nil, false
	}
	if g.most != nil { // whoever was in the way then may go without a word
		g.most, g.retryAt = nil, now.Add(b.limits.RetryMost)
		b.enter(g)
	}
	if !b.told(g) || !b.vouched(b.pods[speaker]) || b.pods[speaker].Declared.First > 0 { // who grows runs already
		return nil, false
	}
	if b.claim != nil {
		if b.claim.id != g.id {
			return nil, false
		}
		return b.claim.nodes, false
	}
	urgency, _, _ := b.Urgency(speaker)
	until, claimed := b.claimed[g.id.job()]
	rests := claimed && !now.Before(until)
	return nil, !rests && !now.Before(urgency.Since.Add(b.limits.Starving))
}

// Claim notes which nodes a gang has chosen.
func (b *Book) Claim(speaker UID, nodes map[UID]string, now time.Time) {
	g := b.gangOf(speaker)
	if g == nil || b.claim != nil {
		return
	}
	until, claimed := b.claimed[g.id.job()]
	if !claimed {
		until = now.Add(b.limits.Starving)
		b.claimed[g.id.job()] = until
	}
	b.claim = &claim{id: g.id, nodes: nodes, until: until}
}

// Kept is the node that is kept for a pod, though others hold it as yet.
func (b *Book) Kept(uid UID) string {
	if b.claim == nil {
		return ""
	}
	return b.claim.nodes[uid]
}

// lift lets a gang look for room as if nothing were kept for it.
func (b *Book) lift(g *gang) {
	if b.claim != nil && b.claim.id == g.id {
		for uid := range b.claim.nodes {
			b.effects.Forget = append(b.effects.Forget, uid)
		}
	}
}

// drop ends the claim of a gang, if it has one.
func (b *Book) drop(g *gang) {
	if b.claim != nil && b.claim.id == g.id {
		b.lift(g)
		b.claim = nil
		b.effects.Freed = true
	}
}

// checkClaim drops a claim that is not for the gang as it is now.
func (b *Book) checkClaim(g *gang) {
	if b.claim == nil || b.claim.id != g.id {
		return
	}
	left := b.unbound(g)
	for _, p := range left {
		if b.claim.nodes[p.UID] == "" {
			b.drop(g)
			return
		}
	}
	if len(left) < len(b.claim.nodes) {
		b.drop(g)
	}
}

// tickClaim ends a claim whose time is over. Then it is the turn of others for as long. The speaker is tried
// once more, so that the scheduler forgets what it has told the API server about it.
func (b *Book) tickClaim(now time.Time) {
	maps.DeleteFunc(b.claimed, func(_ job, until time.Time) bool { return !now.Before(until.Add(b.limits.Starving)) })
	if b.claim == nil || now.Before(b.claim.until) {
		return
	}
	g := b.of(b.claim.id, now)
	b.drop(g)
	b.look(g, now)
}

package gang

import (
	"fmt"
	"maps"
	"slices"
	"time"
)

// hindered says why a gang may not be tried now; empty if it may.
func (b *Book) hindered(g *gang, now time.Time) string {
	if g.id.Alone == "" {
		record, known := b.records[g.id.Change]
		switch {
		case !known && now.Before(g.since.Add(b.limits.Orphan)):
			return fmt.Sprintf("there is no Resize %s (yet)", g.id.Name())
		case record.TurnedRound && g.id.Stage == forward:
			return fmt.Sprintf("Resize %s is being rolled back", g.id.Name())
		}
		if members, wanted := b.members(g), b.wanted(g); known && len(members) < wanted {
			return fmt.Sprintf("pods of its gang that are there: %d of %d", len(members), wanted)
		}
	} else if b.strays(g) {
		return fmt.Sprintf("Resize %s makes the job smaller than this", g.id.Name())
	}
	if now.Before(g.retryAt) {
		return fmt.Sprintf("the gang is tried again at %s", g.retryAt.UTC().Format("15:04:05.000"))
	}
	return ""
}

// strays says that a pod was made in the place of one that is to leave. Its controller makes all up to the highest
// that is still there, and deletes it again: if it was placed meanwhile, it would take back what others wait for, and
// begin to train with those who stay.
func (b *Book) strays(g *gang) bool {
	r, p := b.records[g.id.Change], b.pods[g.id.Alone]
	return p != nil && !p.Leader && r.Leaving > 0 && p.Index >= r.Leaving && !r.Over && !r.TurnedRound
}

// Admit says whether a pod may stand in the queue; if not, why.
func (b *Book) Admit(uid UID, now time.Time) (bool, string) {
	g := b.gangOf(uid)
	if g == nil {
		return true, ""
	}
	if g.plan != nil {
		if _, planned := g.plan.Nodes[uid]; planned {
			return true, ""
		}
		return false, "its gang is being placed"
	}
	if why := b.hindered(g, now); why != "" {
		return false, "gang: " + why
	}
	if b.rests(g, now) {
		return false, "gang: it was tried in vain a moment ago, and others have their turn first"
	}
	members := b.unbound(g)
	if !members.has(b.pods[uid]) {
		return false, "gang: the job has settled for fewer pods"
	}
	if speaker := b.pods[g.speaker]; speaker == nil || !members.has(speaker) {
		g.speaker = uid
	}
	if g.speaker != uid {
		return false, fmt.Sprintf("gang: %s stands in the queue for all", b.pods[g.speaker].Name)
	}
	return true, ""
}

// Turn is what is to be done when a pod's turn has come.
type Turn struct {
	Node string // it has been planned for: nowhere else
	Plan int    // by this plan
	// Try are the pods to find room for, all or none. Bound is how many of the gang have a node already,
	// and Kin how many pods of the job there are on each node.
	Try   []Pod
	Bound int
	Kin   map[string]int
	// Most is how many of the pods some nodes took at most, when others of the gang were sent there before.
	Most map[string]int
	// Told says that there is a Resize that waits to hear what was found.
	Told bool
	// Why it is neither.
	Why string
}

// Turn is asked when the turn of a pod has come; false for a pod that is none of ours.
func (b *Book) Turn(uid UID, now time.Time) (Turn, bool) {
	g := b.gangOf(uid)
	if g == nil {
		return Turn{}, false
	}
	if g.plan != nil && g.plan.Nodes[uid] != "" {
		return Turn{Node: g.plan.Nodes[uid], Plan: g.plan.Number}, true
	}
	if admitted, why := b.Admit(uid, now); !admitted {
		return Turn{Why: why}, true
	}
	members := b.members(g)
	turn := Turn{Bound: len(members), Kin: b.kin(g.id.Change), Most: maps.Clone(g.most), Told: b.told(g)}
	for _, p := range b.unbound(g) {
		if turn.Try = append(turn.Try, *p); p.UID == uid {
			last := len(turn.Try) - 1 // first among its like: it need not wait for another then
			turn.Try[0], turn.Try[last] = turn.Try[last], turn.Try[0]
		}
	}
	turn.Bound -= len(turn.Try)
	b.lift(g)
	return turn, true
}

// Planned notes that there is room for all, and gives the number of the plan; 0 if it is not wanted any
// more. Where it matters, order is that in which they must come. If the speaker is not the first of them,
// it has to wait: the first is brought into the queue.
func (b *Book) Planned(speaker UID, nodes map[UID]string, order []UID, now time.Time) int {
	g := b.gangOf(speaker)
	if g == nil || g.plan != nil {
		return 0
	}
	b.drop(g)
	b.plans++
	g.plan = &Plan{Number: b.plans, Nodes: nodes, order: order, Until: now.Add(b.limits.Hold), held: map[UID]bool{}}
	b.look(g, now) // it may have changed while it was tried
	if g.plan == nil {
		return 0
	}
	if len(order) > 0 && order[0] != speaker {
		b.effects.Wake = append(b.effects.Wake, order[0])
	}
	return b.plans
}

// Keeps says whether a node is kept for a pod now, by a plan or by a claim.
func (b *Book) Keeps(uid UID, node string) bool {
	if b.Kept(uid) == node {
		return true
	}
	g := b.gangOf(uid)
	return g != nil && g.plan != nil && g.plan.Nodes[uid] == node
}

// Outcome is how far a gang is once a pod of it has reserved its node.
type Outcome int

const (
	// Void means that the plan does not stand any more: the pod has to let go.
	Void Outcome = iota
	// Incomplete means that the pod has to wait for others.
	Incomplete
	// Complete means that it was the last.
	Complete
)

// Reserved notes that a pod holds its node by a plan. After the first, the others are brought into the queue; the
// last lets all that wait through: allow are these. Until is when a pod stops waiting.
func (b *Book) Reserved(uid UID, plan int, now time.Time) (allow []UID, until time.Time, outcome Outcome) {
	g := b.gangOf(uid)
	if g == nil || g.plan == nil || g.plan.Number != plan || g.plan.Nodes[uid] == "" || !now.Before(g.plan.Until) {
		return nil, time.Time{}, Void
	}
	g.plan.held[uid] = true
	if len(g.plan.held) < len(g.plan.Nodes) {
		if n := len(g.plan.held); n < len(g.plan.order) {
			b.effects.Wake = append(b.effects.Wake, g.plan.order[n])
		} else if n == 1 {
			b.effects.Wake = append(b.effects.Wake, g.plan.others(uid)...)
		}
		return nil, g.plan.Until, Incomplete
	}
	g.plan.firm = true
	b.place(g)
	return g.plan.others(uid), time.Time{}, Complete
}

// others are the pods of a plan but one.
func (p *Plan) others(but UID) (others []UID) {
	for uid := range p.Nodes {
		if uid != but {
			others = append(others, uid)
		}
	}
	return others
}

// InVain notes that a gang has found no room, and how long is left to others before it is tried again, whatever becomes
// of it meanwhile.
func (b *Book) InVain(speaker UID, rest time.Duration, now time.Time) {
	if g := b.gangOf(speaker); g != nil {
		g.rested, g.again = now.Add(rest), false
	}
}

// Later notes that a gang cannot be placed as yet, for a reason that may end without a word. It is tried again by then.
func (b *Book) Later(speaker UID, now time.Time) {
	if g := b.gangOf(speaker); g != nil {
		g.later = now.Add(b.limits.RetryMost)
		b.enter(g)
	}
}

// rests says that it is the turn of others. It is noted that the gang would be tried now.
func (b *Book) rests(g *gang, now time.Time) bool {
	g.again = now.Before(g.rested)
	b.enter(g)
	return g.again
}

// Speaks says that a pod stands in the queue for its gang.
func (b *Book) Speaks(uid UID) bool {
	g := b.gangOf(uid)
	return g != nil && g.plan == nil && g.speaker == uid
}

// Failed notes that a pod does not get the node that it was planned for, or had reserved. What comes late, of
// a plan that is no more, says nothing of the next.
func (b *Book) Failed(uid UID, plan int, why string, now time.Time) {
	g := b.gangOf(uid)
	if g == nil || g.plan == nil || g.plan.Number != plan {
		return
	}
	node, planned := g.plan.Nodes[uid]
	switch {
	case planned && g.plan.firm: // the others cannot be stopped any more
		delete(g.plan.Nodes, uid)
		b.look(g, now)
	case planned:
		if !g.plan.held[uid] {
			g.learn(node)
		}
		b.void(g, why, now)
	}
}

// learn notes that a node has not taken one more pod than those that hold it already. Whatever the reason is,
// the next plan must not be the same.
func (g *gang) learn(node string) {
	held := 0
	for uid := range g.plan.held {
		if g.plan.Nodes[uid] == node {
			held++
		}
	}
	if g.most == nil {
		g.most = map[string]int{}
	}
	g.most[node] = held
}

// NodeGone notes that there is no such node any more.
func (b *Book) NodeGone(node string, now time.Time) {
	for _, v := range b.vacated {
		maps.DeleteFunc(v.nodes, func(_ UID, on string) bool { return on == node })
	}
	uses := func(nodes map[UID]string) bool { return slices.Contains(slices.Collect(maps.Values(nodes)), node) }
	if b.claim != nil && uses(b.claim.nodes) {
		b.drop(b.gangs[b.claim.id])
	}
	for id := range b.open {
		if g := b.gangs[id]; g.plan != nil && !g.plan.firm && uses(g.plan.Nodes) {
			b.void(g, fmt.Sprintf("node %s is gone", node), now)
		}
	}
}

func (b *Book) gangOf(uid UID) *gang {
	p := b.pods[uid]
	if p == nil {
		return nil
	}
	return b.gangs[b.id(p)]
}

package gang

import (
	"maps"
	"slices"
	"time"
)

// vacated are the nodes of pods that go, or have gone, of a job that is to have as many again: its Resize stops all of
// it and starts it anew, or one of its pods is replaced meanwhile. Until the new pods are planned for, nobody gets what
// the old ones leave, or a training that was only to change its size might not go on for lack of GPUs.
type vacated struct {
	nodes map[UID]string // by the pods
	until time.Time      // once none of them has its node any more
}

// vacates keeps the node of a pod that goes, if its job is to have it back.
func (b *Book) vacates(p *Pod, now time.Time) {
	j := p.Change.job()
	r := b.records[p.Change.at(b.underWay[j])] // nothing while there is none
	v := b.vacated[j]
	back := p.Node != "" && r.Kept > 0 && (p.Leader || p.Index < r.Kept)
	if back && v == nil {
		v = &vacated{nodes: map[UID]string{}}
		b.vacated[j] = v
	}
	if back && len(v.nodes) < r.Pods { // whoever forges pods keeps no more by that than the job ever had
		v.nodes[p.UID] = p.Node
	}
	if v != nil {
		v.until = now.Add(b.limits.Orphan)
	}
}

// Leaves says that what a pod of a change leaves is kept for its job.
func (b *Book) Leaves(uid UID, c Change) bool {
	v := b.vacated[c.job()]
	return v != nil && v.nodes[uid] != ""
}

// succeeds has a gang that is planned for come in the place of those that its job has left: all of them, or one, if
// it is a pod that replaces another.
func (b *Book) succeeds(g *gang) {
	j := g.id.job()
	v := b.vacated[j]
	if v == nil {
		return
	}
	if g.id.Alone != "" && len(v.nodes) > 1 {
		left := slices.Sorted(maps.Keys(v.nodes))
		at := max(0, slices.IndexFunc(left, func(uid UID) bool { return v.nodes[uid] == g.plan.Nodes[g.id.Alone] }))
		delete(v.nodes, left[at])
		b.effects.Freed = true
		return
	}
	b.giveUp(j)
}

// giveUp lets others have what the pods of a job have left.
func (b *Book) giveUp(j job) {
	if b.vacated[j] != nil {
		delete(b.vacated, j)
		b.effects.Freed = true
	}
}

// tickVacated gives up nodes for which no new pods have come in time, since all of the job have gone.
func (b *Book) tickVacated(now time.Time) {
	for j, v := range b.vacated {
		if !now.Before(v.until) && !b.holdsNodes(j) {
			b.giveUp(j)
		}
	}
}

// holdsNodes says that pods of a job still have nodes.
func (b *Book) holdsNodes(j job) bool {
	of := b.jobs[j]
	return of != nil && slices.ContainsFunc(slices.Collect(maps.Keys(of.pods)), b.Bound)
}

package gang

import (
	"maps"
	"slices"
	"time"
)

// vacated are the nodes of pods that go, or have gone, of a job that is to have as many again: its Resize stops all of
// it and starts it anew. Until its new pods have theirs nobody else gets what the old ones leave, or a training that
// was only to change its size might not go on for lack of GPUs.
type vacated struct {
	nodes map[UID]string // by the pods
	until time.Time      // if nobody comes
}

// vacates keeps the node of a pod that goes, if its job is to have it back. A claim to that node ends: whoever waits to
// start has no right to what another is only about to train on with.
func (b *Book) vacates(p *Pod, now time.Time) {
	j := p.Change.job()
	r := b.records[p.Change.at(b.underWay[j])] // nothing while there is none
	if !r.Anew || !p.Runs || p.Node == "" || !p.Leader && p.Index >= r.Kept {
		return
	}
	v := b.vacated[j]
	if v == nil {
		v = &vacated{nodes: map[UID]string{}}
		b.vacated[j] = v
	}
	if len(v.nodes) < r.Kept {
		v.nodes[p.UID] = p.Node
	}
	if v.nodes[p.UID] != "" {
		v.until = now.Add(b.limits.Orphan)
	}
	if b.claim != nil && slices.Contains(slices.Collect(maps.Values(b.claim.nodes)), p.Node) {
		b.drop(b.of(b.claim.id, now))
	}
}

// Leaves says that what a pod of a change leaves is kept for its job.
func (b *Book) Leaves(uid UID, c Change) bool {
	v := b.vacated[c.job()]
	return v != nil && v.nodes[uid] != ""
}

// succeeds lets others have what the pods of a job have left once all of those have nodes that come after them.
func (b *Book) succeeds(g *gang) {
	if g.id.Alone == "" && g.id.Epoch == b.underWay[g.id.job()] {
		delete(b.vacated, g.id.job())
	}
}

// tickVacated gives up nodes for which no new pods have come in time, and those of a Resize that counts as abandoned.
func (b *Book) tickVacated(now time.Time) {
	for j, v := range b.vacated {
		c := Change{Namespace: j.namespace, Job: j.name, Epoch: b.underWay[j]}
		if b.records[c].abandoned(now) || !now.Before(v.until) && !b.awaited(j, v) {
			delete(b.vacated, j)
		}
	}
}

// awaited says that some of those who leave their nodes are still there, or pods of their job have come that have none.
func (b *Book) awaited(j job, v *vacated) bool {
	for uid := range v.nodes {
		if b.Bound(uid) {
			return true
		}
	}
	if of := b.jobs[j]; of != nil {
		for uid := range of.pods {
			if p := b.pods[uid]; p.Node == "" && !p.Leaving {
				return true
			}
		}
	}
	return false
}

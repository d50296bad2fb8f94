package gang

type job struct{ namespace, name string }

// podsOfJob are the pods of a job, and stay is how many of them are not about to go. Team is how many of those have a
// node, by what has made them, and held how many of them had one at a time at most, since the first of them had.
type podsOfJob struct {
	pods map[UID]bool
	stay int
	team map[UID]int
	held map[UID]int
}

// count adds to what is known of the pods of a job, or takes from it, what one of them is.
func (h *podsOfJob) count(p *Pod, n int) {
	if p.Leaving {
		return
	}
	h.stay += n
	if p.Node == "" || p.Owner == "" {
		return
	}
	if h.team[p.Owner] += n; h.team[p.Owner] == 0 {
		delete(h.team, p.Owner)
		delete(h.held, p.Owner)
		return
	}
	h.held[p.Owner] = max(h.held[p.Owner], h.team[p.Owner])
}

// leaves takes a pod off the list of its job.
func (b *Book) leaves(p *Pod) {
	of := b.jobs[p.Change.job()]
	of.count(p, -1)
	if delete(of.pods, p.UID); len(of.pods) == 0 {
		delete(b.jobs, p.Change.job())
	}
}

// vouched says that a Resize speaks for a pod: there is one of its change, and the job has no more pods than that
// says. Anybody may make pods that call themselves pods of a gang, and they come before no others by that. A Resize
// that has ended says nothing of pods to come. It speaks for those alone that come in place of one of a team: others
// that the same owner has made still hold their nodes, and wait for it, and with it there are no more than have held
// nodes together. Whoever forges an owner is hurried to nothing that he has not had without.
func (b *Book) vouched(p *Pod) bool {
	record, known := b.records[p.Change]
	of := b.jobs[p.Change.job()]
	if !known || of == nil || record.Pods > 0 && of.stay > record.Pods {
		return false
	}
	return !record.Over || of.stay <= of.held[p.Owner]
}

// kin is how many pods of a job each node has, or is about to have.
func (b *Book) kin(c Change) map[string]int {
	nodes := map[string]int{}
	for uid := range b.podsOf(c) {
		p := b.pods[uid]
		node := p.Node
		if g := b.gangs[b.id(p)]; node == "" && g.plan != nil {
			node = g.plan.Nodes[uid]
		}
		if node != "" && !p.Leaving {
			nodes[node]++
		}
	}
	return nodes
}

// podsOf are the pods of the job of a change.
func (b *Book) podsOf(c Change) map[UID]bool {
	if of := b.jobs[c.job()]; of != nil {
		return of.pods
	}
	return nil
}

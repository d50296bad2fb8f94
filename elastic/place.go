package elastic

import "slices"

// place sees to it that every new worker finds its GPUs on one node, and reduces what does not fit.
// It need not look where workers take one GPU each of any node, or where nobody knows on which nodes they are.
func (p *pool) place() {
	if !scattered(p.jobs) {
		return
	}
	l := newLayout(p.nodes, p.jobs)
	if l == nil {
		return
	}
	p.refused = map[manner]Workers{}
	for i, j := range p.order {
		want := j.gets
		for size := j.gets; size > j.Workers && !l.add(j, size-j.Workers); {
			if p.makeRoom(l, i) {
				break
			}
			if size = j.largest(j.need(size) - 1).Workers; j.has(j.Workers) {
				size = max(size, j.Workers)
			}
			if j.Uninterruptible { // it would never grow again
				size = j.Workers
				p.giveUpGrowth(j)
				continue
			}
			p.give(j, size, Fragmented)
		}
		p.keepOutOfTheWay(l, i)
		if j.gets < want {
			p.reduced = true
			switch {
			case p.replanAsPlaced(j):
			case j.hasPromise() && j.gets == 0 && j.Workers == 0 && p.postponeStart(j):
			default:
				p.unplan(j)
			}
			if j.trial.Workers > j.gets {
				p.cancelTrial(j, l)
			}
		}
	}
	if p.reduced { // what one has no room for, others may have
		p.layout = l
		p.shareLeftOver()
	}
}

// scattered says that free GPUs may be of no use where they are: some workers take several on one node, or may not be
// on every node.
func scattered(jobs []*trainee) bool {
	return slices.ContainsFunc(jobs, func(j *trainee) bool { return !j.modest() })
}

// replanAsPlaced says that a job is in time with the size that it has now, for lack of room on one node for more, and
// plans it so: as it was planned before it was given what is left over, or anew.
func (p *pool) replanAsPlaced(j *trainee) bool {
	if !j.planned {
		return false
	}
	return p.timeline.instead(j, func() bool {
		if p.timeline.holdIfFree(j, j.firstPlan) {
			if p.owed(j) <= j.gets {
				return true
			}
			p.timeline.release(j)
		}
		return j.gets > 0 && p.timeline.reserveAfter(j, j.gets, p.busy(j, j.gets))
	})
}

// unplan leaves a job without a plan until there is room on the nodes. A promise that was made
// before is not forgotten; one that would be new is not made.
func (p *pool) unplan(j *trainee) {
	j.planned = false
	if !j.Promised {
		p.takeBackPromise(j)
		p.timeline.release(j)
		if j.overTrials {
			p.holdAgain()
		}
	}
	if j.Workers == 0 && j.mustWait() {
		p.give(j, 0, NotPromised)
	}
}

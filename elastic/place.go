package elastic

import "slices"

// place sees to it that every new worker finds its GPUs on one node, and reduces what does not fit.
// It need not look where workers take one GPU each, or where nobody knows on which nodes they are.
func (p *pool) place() {
	if !scattered(p.jobs) {
		return
	}
	l := newLayout(p.nodes, p.jobs)
	if l == nil {
		return
	}
	p.refused = map[GPUs]Workers{}
	for i, j := range p.order {
		want := j.now
		for size := j.now; size > j.Workers && !l.add(j, size-j.Workers); {
			if p.makeRoom(l, i) {
				break
			}
			if size = j.largest(j.need(size) - 1).Workers; j.has(j.Workers) {
				size = max(size, j.Workers)
			}
			if j.Uninterruptible { // it would never grow again
				size = j.Workers
			}
			p.give(j, size, Fragmented)
		}
		p.leaveNodes(l, j)
		if j.now < want {
			p.reduced = true
			if !p.goesBy(j) {
				p.unplan(j)
			}
			if j.trial.Workers > j.now {
				p.takeBack(j, l)
			}
		}
	}
	if p.reduced { // what one has no room for, others may have
		p.layout = l
		p.share()
	}
}

// scattered says that free GPUs may be of no use where they are: some workers take several on one node.
func scattered(jobs []*trainee) bool {
	return slices.ContainsFunc(jobs, func(j *trainee) bool { return j.gpus > 1 })
}

// goesBy says that a job is in time with the size that it has now, for lack of room on one node for more, and plans it so:
// as it was planned before it was given what is left over, or anew.
func (p *pool) goesBy(j *trainee) bool {
	if !j.planned {
		return false
	}
	before := j.spans
	p.timeline.release(j)
	if j.spans = j.laid; p.owed(j) <= j.now && (load{p.timeline}).stands(j) {
		p.timeline.hold(j, j.laid)
		return true
	}
	if j.now > 0 && p.timeline.reserveAfter(j, j.now, p.busy(j, j.now)) {
		return true
	}
	p.timeline.hold(j, before)
	return false
}

// unplan leaves a job without a plan until there is room on the nodes. A promise that was made
// before is not forgotten; one that would be new is not made.
func (p *pool) unplan(j *trainee) {
	j.planned = false
	if !j.Promised {
		p.takeBackPromise(j)
		p.timeline.release(j)
		j.spans = nil
		if j.insists {
			p.holdAgain()
		}
	}
	if j.Workers == 0 && j.mustWait() {
		p.give(j, 0, NotPromised)
	}
}

// victim is a job that gives workers back to make room for another.
type victim struct {
	*trainee
	was, to Workers
	nodes   []string
	why     Reason
}

// givers are the jobs that may have to give back workers for one in the order of claims: those of lesser claim, and where
// it has a promise also those of greater claim that are to have nothing more than they have.
func (p *pool) givers(at int) []*trainee {
	givers := p.order[at+1:]
	if p.order[at].promise {
		greater := slices.DeleteFunc(slices.Clone(p.order[:at]), func(j *trainee) bool { return j.now > j.Workers })
		givers = slices.Concat(greater, givers)
	}
	return givers
}

// makeRoom takes back what others have beyond their reservations, for the good of a planned job, the one at some place in
// the order of claims: all of them shrink before the first is stopped. A promise has the GPUs of mere plans, too.
// What is not needed after all goes back to where it was, and if it is all in vain, nothing is taken.
func (p *pool) makeRoom(l *layout, at int) bool {
	needy := p.order[at]
	count := needy.now - needy.Workers
	if refused, ok := p.refused[needy.gpus]; !needy.planned || ok && count >= refused {
		return false
	}
	var victims []victim
	room := l.room(needy.gpus)
	givers := p.givers(at)
	steps := []func(*trainee) Workers{p.smallest, p.owed}
	if needy.promise {
		steps = append(steps, p.owedForGood)
	}
	for _, least := range steps {
		for _, j := range slices.Backward(givers) {
			if room >= count {
				break
			}
			if to, kept := least(j), min(j.now, j.Workers); to < kept {
				v := victim{j, j.now, to, j.On[to:kept], j.why}
				for _, node := range v.nodes {
					free := l.free[l.index[node]]
					room += Workers((free+j.gpus)/needy.gpus - free/needy.gpus)
					l.change(l.index[node], j.gpus)
				}
				p.give(j, to, SmallestSize)
				victims = append(victims, v)
			}
		}
	}
	made := room >= count && l.add(needy, count)
	if !made {
		p.refused[needy.gpus] = count
	}
	for _, v := range slices.Backward(victims) {
		if v.now == v.to && l.back(v.nodes, v.gpus) {
			p.give(v.trainee, v.was, v.why)
		}
	}
	for _, v := range victims {
		if v.now < p.owed(v.trainee) {
			p.unplan(v.trainee)
		}
	}
	return made
}

// owed is what the reservation of a job has for it at present: nothing, if it has nothing left to do. One that runs, and
// of which nothing is known, has what it has.
func (p *pool) owed(j *trainee) Workers {
	switch {
	case j.fixed():
		return j.Workers
	case j.goesOnTrial():
		return j.trial.Workers
	}
	if j.planned && j.spans[0].From <= p.now && p.now < j.spans[0].To {
		return j.spans[0].Workers
	}
	return 0
}

// owedForGood is what nobody may take from a job: what it is promised, or never gives back.
func (p *pool) owedForGood(j *trainee) Workers {
	if j.promise || j.fixed() || j.unread {
		return p.owed(j)
	}
	return 0
}

// smallest is the size that a job shrinks to before anyone is stopped.
func (p *pool) smallest(j *trainee) Workers {
	if len(j.Sizes) == 0 {
		return 0
	}
	return max(p.owed(j), j.Sizes[0].Workers)
}

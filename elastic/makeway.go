package elastic

// binding says that nobody can take back what a job is given: it has a promise, or begins for good.
func (j *trainee) binding() bool { return j.promise || j.startsForGood() }

// findNodes finds nodes for more workers of a job, once all others have theirs. Those that nobody can take back may not
// be in the way of promises.
func (p *pool) findNodes(j *trainee, size Workers) bool {
	if !p.layout.extend(j, size) {
		return false
	}
	if !j.binding() || size <= j.Workers || p.promisesStand() {
		return true
	}
	p.layout.shrink(j, size)
	switch {
	case j.promise:
		return false
	case p.promisesStand():
		j.hindrance = Brief
		return false
	}
	return p.layout.extend(j, size) // it is not this one that is in their way
}

// keepOutOfTheWay sees to it that new workers that nobody can take back are not in the way of promises where they are.
// A job with a promise does without them if it can, or begins later, or others make way; and a promise that would be
// new is not made. One that begins for good does not begin.
func (p *pool) keepOutOfTheWay(l *layout, at int) {
	j := p.order[at]
	more := Workers(len(j.added))
	if more == 0 || !j.binding() || p.promisesStand() {
		return
	}
	size, why := j.gets, j.reason
	l.drop(j, more)
	p.giveUpGrowth(j)
	if !j.Promised && j.startsForGood() {
		p.takeBackPromise(j)
	}
	switch {
	case !j.promise:
		if p.promisesStand() {
			j.hindrance = Brief
			return
		}
	case p.replanAsPlaced(j):
		return
	case j.Workers == 0 && p.postponeStart(j):
		return
	case p.returnToFirstPlan(l, j) || p.displace(l, at, p.owed(j)):
		p.give(j, j.Workers+Workers(len(j.added)), ForDeadline)
		p.reduced = true // what is left of the nodes may do for those that made way
		return
	}
	if !j.Promised {
		p.takeBackPromise(j)
		if j.mustBePromised && j.Workers == 0 { // it starts with a promise or not at all
			return
		}
	}
	l.add(j, more)
	if j.startsForGood() && !j.planned {
		p.keepsForGood(j, size)
	}
	p.give(j, size, why)
}

// returnToFirstPlan plans a job as it was before it was given what is left over, if that has room still, and says
// whether that is less, and in nobody's way.
func (p *pool) returnToFirstPlan(l *layout, j *trainee) bool {
	had := p.owed(j)
	p.timeline.instead(j, func() bool { return p.timeline.holdIfFree(j, j.firstPlan) })
	less := max(0, p.owed(j)-j.Workers)
	return p.owed(j) < had && l.allOrNone(j, func() bool { return l.add(j, less) && p.promisesStand() })
}

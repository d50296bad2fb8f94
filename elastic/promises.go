package elastic

import (
	"math"
	"slices"
)

// holdUnread keeps for jobs with a promise of which nothing is known what they have: a process that has just
// started finds out anew how they are to be in time. Until then no newcomer is planned in their place.
func (p *pool) holdUnread() {
	for _, j := range p.jobs {
		size := j.asItIs()
		if size == 0 || !j.Promised || *j.aim <= p.now || j.fixed() {
			continue
		}
		if j.unread = p.timeline.has(j.queue, p.now, *j.aim, j.need(size)); j.unread {
			j.keptUntil = *j.aim
			p.kept = append(p.kept, j)
			p.holdAsItIs(j, 1)
		}
	}
}

// holdAsItIs adds what a job keeps to what is reserved, or takes it away; and its plan for when that is over.
func (p *pool) holdAsItIs(j *trainee, sign GPUs) {
	for _, t := range p.heldIn(j) {
		t.take(j.queue, p.now, j.keptUntil, sign*j.need(j.Workers))
	}
	for _, s := range j.beside {
		p.timeline.take(j.queue, max(s.From, j.keptUntil), s.To, sign*j.need(s.Workers))
	}
	if j.Promised {
		p.secured.put(j, j.beside, sign)
	}
}

// keepPromises keeps the reservations that promised jobs have from the last plan: what was reserved
// then is still enough, and still free. Only if there are fewer GPUs now, or a job is slower than it
// seemed, must all be made anew; and only then can some job be left with no more than a hope, or without.
func (p *pool) keepPromises(promised []*trainee) {
	byDeadline.sort(promised)
	p.holders = promised
	var stand, broken []*trainee
	for _, j := range promised {
		if p.resume(j) {
			stand = append(stand, j)
		} else {
			broken = append(broken, j)
		}
	}
	lost := slices.DeleteFunc(slices.Clone(broken), func(j *trainee) bool { return p.tryOn(j) || p.reserve(j) })
	if len(lost) > 0 && !p.instead(func() bool { return p.reserveAnew(math.Inf(1), nil) }) {
		p.hopeForPromises(stand, lost, broken)
	}
	if !p.oldPromisesStand() {
		p.promisesLost = !p.instead(func() bool { return p.reserveAnew(math.Inf(1), nil) && p.oldPromisesStand() })
	}
}

// hopeForPromises plans promised jobs on hope where there is no room for all promises at the pessimistic end of each
// estimate: those for which there is none may well be in time, unless others get their GPUs. They go on with what they
// had before others whose reservations are broken are given new ones.
func (p *pool) hopeForPromises(stand, lost, broken []*trainee) {
	p.clear()
	for _, j := range stand {
		p.resume(j)
	}
	for _, j := range lost {
		p.hopeForPromise(j, p.resume)
	}
	for _, j := range broken {
		if !j.planned && !p.reserve(j) {
			p.hopeForPromise(j, func(j *trainee) bool { return p.resume(j) || p.reserve(j) })
		}
	}
}

// hopeForPromise plans a promised job on as little hope as will do. One that could not be stopped when the hope fails
// does not begin on it.
func (p *pool) hopeForPromise(j *trainee, plan func(*trainee) bool) {
	j.onHope(func() bool {
		for !j.startsForGood() && j.hope() {
			if plan(j) {
				return true
			}
		}
		return false
	})
}

// oldPromisesStand says that the promises that were made before find their nodes as they are planned now. Where they do
// not, however they are planned, that is no newcomer's doing, and it goes by sums. Once half of what a plan may
// rehearse is spent, nobody knows, and a newcomer waits: the rest is for those that begin now.
func (p *pool) oldPromisesStand() bool {
	if p.promisesLost || !scattered(p.jobs) {
		return true
	}
	return p.rehearsed < mostRehearsed/2 && p.rehearse(p.boundJobs(func(j *trainee) bool { return j.Promised }))
}

// resume goes on with the reservation that a job has from the last plan.
func (p *pool) resume(j *trainee) bool {
	spans := j.remaining(p.now)
	if j.waits() && spans != nil && (!j.findRelease(p.now) || spans[0].From < j.released) {
		return false
	}
	if spans != nil && spans[0].From < j.notBefore(p.now) {
		return false
	}
	lacks := func(s Span) bool { return !p.timeline.has(j.queue, s.From, s.To, j.need(s.Workers)) }
	if spans == nil || slices.ContainsFunc(spans, lacks) || j.startsForGood() && !p.secured.hasAll(j, spans) {
		return false
	}
	p.timeline.hold(j, spans)
	p.secure(j)
	return true
}

// reserveAnew makes the reservations of all planned jobs anew, in deadline order: at first only of those that do not
// run with a promise, then of all that cannot go on as it was planned, and then of all. Those go on in any case that
// would lose more GPU time by a change of size than is gained, and for the sake of a newcomer those whose promise is at
// risk: what is planned for them is not sure to do, and each pause makes it less so. The newcomer for whose sake it is
// done, if it is for one, stops no job that has been promised what it asked for: if need be, these are laid first.
func (p *pool) reserveAnew(gained float64, newcomer *trainee) bool {
	goOn := map[*trainee]bool{}
	for _, j := range p.holders {
		goOn[j] = (j.losesMoreThan(gained) || newcomer != nil && j.Promised && j.hopeful()) && j.goesOnAsPlanned(p.now)
	}
	keeps := p.protected(newcomer)
	dear := func(j *trainee) bool { return goOn[j] }
	promised := func(j *trainee) bool { return j.Promised && j.runs() || dear(j) }
	nobody := func(*trainee) bool { return false }
	return p.layOut(promised, (*trainee).runs) ||
		p.layOut(dear, (*trainee).runs) && p.stillRun(keeps, newcomer) ||
		p.layOut(dear, nobody) && p.stillRun(keeps, newcomer) ||
		len(keeps) > 0 && p.layOutProtectedFirst(keeps, dear)
}

// layOut makes all reservations anew, but for those that go on as it was planned: of some, whatever room others need,
// and of others, where there is room.
func (p *pool) layOut(stands, resumes func(*trainee) bool) bool {
	p.clear()
	for _, j := range p.holders {
		if stands(j) && !p.resume(j) {
			return false
		}
	}
	for _, j := range p.holders {
		if !j.planned && (!resumes(j) || !p.resume(j)) && !p.reserve(j) {
			return false
		}
	}
	return true
}

// clear forgets all reservations.
func (p *pool) clear() {
	p.timeline = newTimeline(p.common, p.shares, p.moments)
	p.secured, p.borrowed = load{newTimeline(p.secureCommon, p.secureShares, p.moments)}, 0
	for _, j := range p.holders {
		j.spans, j.planned = nil, false
	}
	for _, j := range p.kept {
		p.holdAsItIs(j, 1)
	}
	p.holdTrialsThatFit()
	p.holdTurnsAgain()
}

// remaining is what is left of the reservation that a job has from the last plan, if the job is still in time with it.
// What it was to do in the meantime, and has not been seen to do yet, it does at the end of it.
func (j *trainee) remaining(now Seconds) []Span {
	left, size, ready := j.todo, j.size(j.Workers), j.BusyUntil
	held := now // until when a size is held without a gap
	var spans []Span
	for i, s := range j.lastPlan {
		if s.To <= now {
			continue
		}
		s.From = max(s.From, now)
		if held < s.From || s.Workers != size.Workers {
			left += j.loses(size.Workers, left)
			size, ready = j.size(s.Workers), s.From+j.Pause
		}
		held = s.To
		if size.Speed == 0 {
			return nil
		}
		trains := max(s.From, ready)
		over := trains + j.lasts(size, left)
		last := i == len(j.lastPlan)-1
		if over <= s.To || last {
			if s.To = over; s.To > j.latestEnd() { // it is another one than it was, or the job is late
				return nil
			}
			return append(spans, s)
		}
		left -= Work(max(0, float64(s.To-trains)) * float64(size.Speed))
		spans = append(spans, s)
	}
	return nil
}

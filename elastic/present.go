package elastic

// giveSizes gives every job its size at present: first what is reserved for it, then its part of what
// is left over.
func (p *pool) giveSizes() {
	decided := p.measuredBy()
	for _, j := range p.jobs {
		if j.hopeful() { // what is not sure of it becomes no clearer by waiting for others
			p.growSeldom(j)
		} else {
			p.growWhenClear(j, decided)
		}
		j.firstPlan = j.spans
		if size := p.owed(j); size > 0 {
			why := ForDeadline
			switch {
			case j.goesOnTrial() && size < j.asItIs(), j.turn && size < j.Workers:
				why = SmallestSize
			case j.goesOnTrial() && size < j.Workers:
				why = ToBeMeasured
			case j.fixed() || j.goesOnHeld():
				why = KeptSize
			}
			p.give(j, size, why)
		}
	}
	p.orderByRank()
	p.findWhoLosesTooMuch()
	p.shareLeftOver()
}

// give changes the present size of a job.
func (p *pool) give(j *trainee, size Workers, why Reason) {
	more := j.need(size) - j.need(j.gets)
	p.free -= more
	unreserved := j.unreservedGPUs(size) - j.unreservedGPUs(j.gets)
	p.unreserved += unreserved
	p.tenants[j.queue].unreserved += unreserved
	p.tenants[j.queue].used += more
	j.gets, j.reason = size, why
}

// offer gives a job more than it has so far, if there is room, and its reservation stands that.
func (p *pool) offer(j *trainee, size Workers, why Reason) bool {
	if more := j.need(size) - j.need(j.gets); more > min(p.free, p.tenants[j.queue].room()) {
		return false
	}
	if p.brief(j, size) {
		j.hindrance = Brief
		return false
	}
	if p.layout != nil && !p.findNodes(j, size) {
		return false
	}
	// A job that keeps its size can follow its reservation later as well as now: it has done more by
	// then. This is so unless the job is busy, or the size is another one, or one that may be slower.
	if j.planned && (size != j.Workers || j.BusyUntil > p.now || !j.sure(size)) && !p.follow(j, size) {
		if p.layout != nil {
			p.layout.shrink(j, size)
		}
		return false
	}
	if size == j.Workers && !j.sure(size) && j.measured {
		p.wake = min(p.wake, p.busy(j, size))
	}
	if j.Uninterruptible && !j.planned && j.Workers == 0 {
		p.keepsForGood(j, size)
	}
	p.give(j, size, why)
	return true
}

// follow plans a job anew that has a size first: if not so that it goes on at once as it has to, then so that it goes
// on when it was to begin before.
func (p *pool) follow(j *trainee, size Workers) bool {
	had := j.spans
	return p.timeline.instead(j, func() bool {
		for _, until := range []Seconds{p.busy(j, size), p.timeline.roundUp(had[0].From)} {
			if until < p.busy(j, size) || !p.timeline.reserveAfter(j, size, until) {
				continue
			}
			if (size <= j.Workers || !p.wouldEvict(j)) && p.secureInstead(j, size, had) {
				return true
			}
			p.timeline.release(j)
		}
		return false
	})
}

// glance is the least time that it takes to see how fast a job is, where pauses cost nothing: without it a job at a
// size that may be slower would be looked at again at once, for ever.
const glance = Seconds(1)

// busy is until when a job would be busy with its last resize, if it had some size now. One that may
// be slower than what is reserved is reckoned to bring nothing for a while: then it is looked at again.
func (p *pool) busy(j *trainee, size Workers) Seconds {
	until := j.BusyUntil
	if size != j.Workers {
		until = p.now + j.Pause
	}
	if !j.sure(size) {
		until = max(until, p.now+max(j.Pause, glance))
	}
	return until
}

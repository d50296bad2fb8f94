package elastic

import (
	"cmp"
	"slices"
)

// giveSizes gives every job its size at present: first what is reserved for it, then its part of what
// is left over.
func (p *pool) giveSizes() {
	decided := p.clearBy()
	for _, j := range p.jobs {
		if j.hopeful() { // what is not sure of it becomes no clearer by waiting for others
			p.calm(j)
		} else {
			p.putOff(j, decided)
		}
		j.firstPlan = j.spans
		if size := p.owed(j); size > 0 {
			why := ForDeadline
			switch {
			case j.goesOnTrial() && size < j.Workers:
				why = SmallestSize
			case j.fixed() || j.goesOnTrial():
				why = KeptSize
			}
			p.give(j, size, why)
		}
	}
	p.byClaim()
	p.cling()
	p.shareLeftOver()
}

// shareLeftOver offers what is left over to all jobs, in the order of their claims.
func (p *pool) shareLeftOver() {
	p.countUnreserved()
	// Jobs shrink before one of them is stopped.
	p.inTurn((*trainee).mayStop, func(j *trainee) {
		if j.clings && p.offer(j, j.Workers, KeptSize) {
			return
		}
		why := SmallestSize
		if j.counted[0].Workers == j.Workers {
			why = KeptSize
		}
		p.offer(j, j.counted[0].Workers, why)
	})
	p.inTurn(func(j *trainee) bool { return j.clings && j.Workers > j.gets }, func(j *trainee) {
		p.offer(j, j.Workers, KeptSize)
	})
	// What is not known stays as it is, as far as that costs nobody a plan.
	p.inTurn((*trainee).unmeasured, func(j *trainee) { p.offerUpTo(j, j.asItIs(), FreeGPUs) })
	p.inTurn(func(j *trainee) bool { return j.trial.Workers > 0 && j.Workers == 0 && j.gets == 0 }, func(j *trainee) {
		p.offer(j, j.trial.Workers, ToBeMeasured)
	})
	// One without a plan starts before others keep what they have beyond theirs.
	p.inTurn(func(j *trainee) bool { return !j.planned && j.mayStart() }, p.start)
	// Whoever starts to be measured is measured at the size that it was written for, or as much as there is of it
	// beyond the plans of others: if that is right for it, it has paid for no resize, and if it never tells how fast
	// it is, it never gets another.
	toBeMeasured := func(j *trainee) bool { return j.Workers == 0 && j.unmeasured() }
	p.inTurn(toBeMeasured, func(j *trainee) { p.offerUpTo(j, j.Written, ToBeMeasured) })
	p.inTurn(func(j *trainee) bool { return j.Workers > j.gets && j.has(j.Workers) }, func(j *trainee) {
		p.offer(j, j.Workers, KeptSize)
	})
	p.inTurn((*trainee).mayStart, p.start)
	p.inTurn(toBeMeasured, func(j *trainee) { p.offerUpTo(j, j.Written, ToBeMeasured) })
	p.inTurn((*trainee).unmeasured, func(j *trainee) {
		if p.regains(j) {
			p.offer(j, j.Written, FreeGPUs)
		}
	})
	p.grow()
	p.keep()
}

// regains says that a job of which nothing is known has less than it was written for, and has the time to make up several
// times over for what a change costs it. If all that it has done is at stake, its deadline has to leave that time: nobody
// can tell whether it would train for longer.
func (p *pool) regains(j *trainee) bool {
	is, lost := j.asItIs(), j.loss(p.now)
	if is == 0 || j.gets != is || j.Written <= is || !offers(j.fit, j.Written) {
		return false
	}
	if calm := j.BusyUntil + Seconds(p.settings.Cooldown)*j.Pause; calm > p.now {
		p.wake = min(p.wake, calm)
		return false
	}
	until := p.now + Seconds(p.settings.Payback)*(j.Pause+lost)*Seconds(j.Written)/Seconds(j.Written-is)
	if j.Unsaved && lost > j.Pause && (j.Deadline == nil || *j.Deadline < until) {
		return false
	}
	return p.timeline.has(j.queue, p.now, until, j.need(j.Written-is))
}

// mayStop says that a job that runs has been given nothing so far.
func (j *trainee) mayStop() bool { return j.Workers > 0 && j.gets == 0 && len(j.counted) > 0 }

// mayStart says that a job that waits has been given nothing so far.
func (j *trainee) mayStart() bool {
	return j.Workers == 0 && j.gets == 0 && len(j.counted) > 0 && !j.mustWait()
}

// unmeasured says that a job has been given some workers, and that nothing is known of it.
func (j *trainee) unmeasured() bool { return !j.measured && j.gets > 0 }

// keep gives what nobody else has taken by now to those who have it at present: it would be no gain for anybody, and
// to give it back costs a restart.
func (p *pool) keep() {
	kept := false
	p.inTurn(p.keeps, func(j *trainee) { kept = p.offer(j, j.Workers, KeptSize) || kept })
	if kept {
		p.grow()
	}
}

// keeps says that a job has more at present than in the plan, and would gain nothing by giving it back: no smaller size
// is faster for sure, and for long enough.
func (p *pool) keeps(j *trainee) bool {
	if j.gets == 0 || j.Workers <= j.gets || !j.measured || !offers(j.fit, j.Workers) {
		return false
	}
	is := j.size(j.Workers).hoped()
	return !slices.ContainsFunc(j.counted, func(s Size) bool {
		return s.Workers < j.Workers && s.Speed > is && p.earnsBack(j, s, s.Speed-is)
	})
}

// start gives a job that waits its smallest size, from which it may grow; or one that never can the smallest with which
// it may be in time, and else the largest that there is room for.
func (p *pool) start(j *trainee) {
	why := FreeGPUs
	if !j.measured {
		why = ToBeMeasured
	}
	if !j.Uninterruptible || j.Deadline == nil || !j.known() || j.doomed {
		p.offer(j, j.counted[0].Workers, why)
		return
	}
	late := func(s Size) bool { return p.now+j.Pause+s.train(j.Left) > *j.Deadline }
	for _, s := range j.counted {
		if !late(s) && p.offer(j, s.Workers, why) {
			return
		}
	}
	for _, s := range slices.Backward(j.counted) {
		if late(s) && p.offer(j, s.Workers, why) {
			return
		}
	}
}

// offerUpTo gives a job of which nothing is known the most that there is room for up to a size, if it has any.
func (p *pool) offerUpTo(j *trainee, most Workers, why Reason) {
	for _, size := range slices.Backward(j.fit) {
		reason := why
		if size.Workers == j.Workers {
			reason = KeptSize
		}
		if size.Workers > j.gets && size.Workers <= most && p.offer(j, size.Workers, reason) {
			return
		}
	}
}

// mustWait says that the job is to start with a promise only, and has none. If nothing is known of it, or only
// guessed, it starts to be measured all the same, and if nobody can tell how much there is to do, it runs as
// best-effort: it could never be promised anything else. One whose promise could not be kept goes on as best-effort.
func (j *trainee) mustWait() bool {
	return j.Deadline != nil && j.OnlyPromised && !j.promise && !j.Promised && j.known() && !j.Doubted
}

// byClaim is the order of jobs by their claim on what is left over: promised, planned, with a
// deadline, without. Among equals, those come first that can least afford to give back: with the least
// slack, and with the most to lose.
func (p *pool) byClaim() {
	for _, j := range p.jobs {
		j.slack = j.spare()
		switch {
		case j.promise || j.unread:
			j.rank = 0
		case j.planned:
			j.rank = 1
		case j.Deadline != nil && !j.doomed && !j.UnknownWork:
			j.rank = 2
		default:
			j.rank = 3
		}
	}
	p.order = slices.SortedFunc(slices.Values(p.jobs), func(a, b *trainee) int {
		if c := cmp.Or(cmp.Compare(a.rank, b.rank), cmp.Compare(a.slack, b.slack), byLoss(a, b)); c != 0 {
			return c
		}
		return cmp.Or(cmp.Compare(a.SavedAt, b.SavedAt), cmp.Compare(a.Submitted, b.Submitted), cmp.Compare(a.Name, b.Name))
	})
}

// spare is how long before its deadline the job would be finished with its present size, if it began that anew.
func (j *trainee) spare() Seconds {
	if j.Deadline == nil || !j.known() {
		return forever
	}
	size := j.size(j.Workers)
	if size.Speed == 0 {
		size = j.thrifty[0]
	}
	return *j.Deadline - size.train(j.Left+j.loses(j.Workers, j.Left))
}

// give changes the present size of a job.
func (p *pool) give(j *trainee, size Workers, why Reason) {
	more := j.need(size) - j.need(j.gets)
	p.free -= more
	p.unreserved += j.unreservedGPUs(size) - j.unreservedGPUs(j.gets)
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

// follow plans a job anew that has a size first: if not so that it goes on at once as it has to, then so that it goes on
// when it was to begin before.
func (p *pool) follow(j *trainee, size Workers) bool {
	had := j.spans
	return p.timeline.instead(j, func() bool {
		for _, until := range []Seconds{p.busy(j, size), p.timeline.roundUp(had[0].From)} {
			if until < p.busy(j, size) || !p.timeline.reserveAfter(j, size, until) {
				continue
			}
			if (size <= j.Workers || !p.evicts(j)) && p.standsByIt(j, size, had) {
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

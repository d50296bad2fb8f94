package elastic

import "slices"

// shareLeftOver offers what is left over to all jobs, round by round: in each to one queue at a time, and within it by
// their rank.
func (p *pool) shareLeftOver() {
	p.countUnreserved()
	var lack []bool // once those that run were offered what is guaranteed
	for _, round := range []struct {
		wants func(*trainee) bool
		offer func(*trainee)
	}{
		// What a queue is guaranteed is for its own jobs, whoever has borrowed that and cannot become smaller.
		{(*trainee).mayStop, p.withinGuarantee(p.offerSmallest)},
		{(*trainee).mayStartUnplanned, p.withinGuarantee(func(j *trainee) {
			if lack == nil {
				lack = p.lackRunning()
			}
			if !lack[j.queue] {
				p.startFor(j, Guaranteed)
			}
		})},
		{(*trainee).startsUnplanned, func(j *trainee) {
			p.offerUpTo(j, min(j.Written, p.guaranteedTo(j)), j.toBeMeasuredOr(Guaranteed))
		}},
		// Jobs shrink before one of them is stopped.
		{(*trainee).mayStop, p.offerSmallest},
		{func(j *trainee) bool { return j.losesTooMuch && j.Workers > j.gets }, p.offerPresent},
		// What is not known stays as it is, as far as that costs nobody a plan.
		{(*trainee).unmeasured, func(j *trainee) { p.offerUpTo(j, j.asItIs(), FreeGPUs) }},
		{(*trainee).awaitsTrial, func(j *trainee) { p.offer(j, j.trial.Workers, j.reasonOfTrial()) }},
		// One without a plan starts before others keep what they have beyond theirs.
		{(*trainee).mayStartUnplanned, p.start},
		{(*trainee).startsToBeMeasured, p.offerWritten},
		{func(j *trainee) bool { return j.Workers > j.gets && j.has(j.Workers) }, p.offerPresent},
		{(*trainee).mayStart, p.start},
		{(*trainee).startsToBeMeasured, p.offerWritten},
		{(*trainee).unmeasured, p.offerRest},
	} {
		p.inTurn(round.wants, round.offer)
	}
	p.grow()
	p.keep()
}

// lackRunning says of each queue that one of its jobs which run has nothing yet, as the rest of what the queue is
// guaranteed is too little for it: no other starts on that before the one that runs was offered what is left over.
func (p *pool) lackRunning() []bool {
	lack := make([]bool, len(p.tenants))
	for _, j := range p.jobs {
		lack[j.queue] = lack[j.queue] || j.mayStop()
	}
	return lack
}

// offerSmallest offers a job that runs its smallest size, or its present one if it would lose too much by giving that
// back.
func (p *pool) offerSmallest(j *trainee) {
	if j.losesTooMuch && p.offer(j, j.Workers, KeptSize) {
		return
	}
	reason := SmallestSize
	if j.counted[0].Workers == j.Workers {
		reason = KeptSize
	}
	p.offer(j, j.counted[0].Workers, reason)
}

// withinGuarantee offers only to those whose smallest size is within what their queue is guaranteed.
func (p *pool) withinGuarantee(offer func(*trainee)) func(*trainee) {
	return func(j *trainee) {
		if j.counted[0].Workers <= p.guaranteedTo(j) {
			offer(j)
		}
	}
}

// guaranteedTo is how many workers a job may have within what its queue is guaranteed.
func (p *pool) guaranteedTo(j *trainee) Workers {
	t := &p.tenants[j.queue]
	return j.gets + Workers(max(0, t.guaranteed-t.used)/j.need(1))
}

// offerPresent offers a job the size that it has.
func (p *pool) offerPresent(j *trainee) { p.offer(j, j.Workers, KeptSize) }

// offerWritten offers a job that starts to be measured the size that it was written for, or as much as there is of it
// beyond the plans of others: if that is right for it, it has paid for no resize, and if it never tells how fast it is,
// it never gets another.
func (p *pool) offerWritten(j *trainee) { p.offerUpTo(j, j.Written, ToBeMeasured) }

// offerRest offers a job of which nothing is known again what it was written for.
func (p *pool) offerRest(j *trainee) {
	if p.regains(j) {
		p.offer(j, j.Written, FreeGPUs)
	}
}

// awaitsTrial says that something is reserved to measure a job that waits, or for its turn, and that it has not been
// given that so far.
func (j *trainee) awaitsTrial() bool { return j.trial.Workers > 0 && j.Workers == 0 && j.gets == 0 }

// reasonOfTrial is why it starts with that.
func (j *trainee) reasonOfTrial() Reason {
	if j.turn {
		return j.toBeMeasuredOr(WaitedLong)
	}
	return ToBeMeasured
}

// startsToBeMeasured says that a job starts of which nothing is known.
func (j *trainee) startsToBeMeasured() bool { return j.Workers == 0 && j.unmeasured() }

// regains says that a job of which nothing is known has less than it was written for, and has the time to make up
// several times over for what a change costs it. If all that it has done is at stake, its deadline has to leave that
// time: nobody can tell whether it would train for longer.
func (p *pool) regains(j *trainee) bool {
	is, lost := j.asItIs(), j.loss(p.now)
	if is == 0 || j.gets != is || j.Written <= is || !offers(j.fit, j.Written) {
		return false
	}
	if until := p.coolsUntil(j); until > p.now {
		p.wake = min(p.wake, until)
		return false
	}
	until := p.now + Seconds(p.settings.Payback)*(j.Pause+lost)*Seconds(j.Written)/Seconds(j.Written-is)
	if j.Unsaved && lost > j.Pause && (j.aim == nil || *j.aim < until) {
		return false
	}
	return p.timeline.has(j.queue, p.now, until, j.need(j.Written-is))
}

// mayStop says that a job that runs has been given nothing so far.
func (j *trainee) mayStop() bool { return j.Workers > 0 && j.gets == 0 && len(j.counted) > 0 }

// mayStart says that a job that waits has been given nothing so far.
func (j *trainee) mayStart() bool {
	return j.Workers == 0 && j.gets == 0 && len(j.counted) > 0 && !j.mustWait() && !j.resting
}

// mayStartUnplanned says so of one that nothing is reserved for.
func (j *trainee) mayStartUnplanned() bool { return !j.planned && j.mayStart() }

// startsUnplanned says that such a job has been given something by now. One that never changes its size has what is
// right for it.
func (j *trainee) startsUnplanned() bool {
	return !j.planned && j.Workers == 0 && j.gets > 0 && !j.Uninterruptible
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
// is faster for sure, and for long enough. One that has to change to such a size for its deadline does so at once: the
// change would cost as much later, and the time until then would be lost.
func (p *pool) keeps(j *trainee) bool {
	if j.gets == 0 || j.Workers <= j.gets || !j.measured || !offers(j.fit, j.Workers) {
		return false
	}
	is := j.size(j.Workers)
	misses := j.planned && max(p.now, j.BusyUntil)+j.lasts(Size{Speed: is.hoped()}, j.todo) > j.due()
	return !slices.ContainsFunc(j.counted, func(s Size) bool {
		return s.Workers < j.Workers && s.surelyFaster(is) && (misses || p.earnsBack(j, s, s.Speed-is.hoped()))
	})
}

// surelyFaster says that a size is faster than another is likely to be, even at its worst, and is likely to be faster
// than the other is at its best. A few readings that came late make a size look slow, and leave it a wide estimate.
func (s Size) surelyFaster(than Size) bool { return s.Speed > than.hoped() && s.Expected > than.Best }

// start gives a job that waits its smallest size, from which it may grow; or one that never can the smallest with which
// it may be in time, and else the largest that there is room for.
func (p *pool) start(j *trainee) { p.startFor(j, FreeGPUs) }

func (p *pool) startFor(j *trainee, why Reason) {
	why = j.toBeMeasuredOr(why)
	if !j.Uninterruptible || !j.mayBeInTime() {
		p.offer(j, j.counted[0].Workers, why)
		return
	}
	late := func(s Size) bool { return p.now+j.Pause+j.lasts(s, j.todo) > *j.aim }
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

// toBeMeasuredOr is why a job starts with some size.
func (j *trainee) toBeMeasuredOr(why Reason) Reason {
	if !j.measured {
		return ToBeMeasured
	}
	return why
}

// offerUpTo gives a job the most that there is room for up to a size, if it has any.
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
	return j.aim != nil && j.mustBePromised && !j.promise && !j.Promised && j.known() && !j.Doubted
}

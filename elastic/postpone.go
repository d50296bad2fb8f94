package elastic

import "slices"

// postponePromises has promised jobs begin later, or grow later, instead of taking from those that go on as they are: a
// promise needs their GPUs only where it cannot wait for as long as it takes to measure them. Those first wait that
// have the most time to spare. All is as before where nobody keeps more by it, or where it takes more GPU time than it
// saves. One that does not train yet has nothing to lose: else a promise would wait for whoever was begun meanwhile.
func (p *pool) postponePromises() {
	kept, over := p.keptAsItIs(), p.now
	for _, j := range p.onTrial {
		if j.trial.Workers < j.goesOnWith() && j.BusyUntil <= p.now {
			over = max(over, p.trialUnderWay(j).To)
		}
	}
	if over == p.now {
		return
	}
	var postponed []replaced
	extra := gputime(0)
	for _, j := range p.whoGrowBefore(over) {
		was := replaced{j, j.spans}
		if p.postpone(j, over) {
			postponed, extra = append(postponed, was), extra+j.extraTime(was.had)
		}
	}
	if len(postponed) == 0 {
		return
	}
	if p.holdAgain(); p.keptAsItIs()-kept > max(extra, 0) && (!scattered(p.jobs) ||
		p.rehearse(p.boundJobs((*trainee).hasPromise))) {
		return
	}
	p.restorePromises(postponed...)
	p.holdAgain()
}

// keptAsItIs is the GPU time that those which go on as they are train meanwhile, and do not lose.
func (p *pool) keptAsItIs() gputime {
	sum := gputime(0)
	for _, j := range p.onTrial {
		if j.trial.Workers > 0 {
			sum += gputime(j.need(j.trial.Workers)) * gputime(p.trialUnderWay(j).To-p.now)
		}
		if j.trial.Workers == j.Workers {
			sum += gputime(j.need(j.Workers)) * gputime(j.Pause+j.loss(p.now))
		}
	}
	return sum
}

// whoGrowBefore are the jobs that a promise gives more than they have before some moment.
func (p *pool) whoGrowBefore(over Seconds) []*trainee {
	var growers []*trainee
	for _, j := range p.holders {
		grows := func(s Span) bool { return s.From < over && s.Workers > j.Workers }
		if j.hasPromise() && !j.Uninterruptible && slices.ContainsFunc(j.spans, grows) {
			growers = append(growers, j)
		}
	}
	byPatience.sort(growers)
	return growers[:min(len(growers), mostAsked)]
}

// hasPromise says that a job has been promised its deadline, and has a plan for it.
func (j *trainee) hasPromise() bool { return j.Promised && j.planned }

// postpone plans a promised job anew, so that it has no more than at present before some moment, if it is in time all
// the same, and takes nothing that another queue is guaranteed.
func (p *pool) postpone(j *trainee, over Seconds) bool {
	had := j.spans
	stood := p.secured.swap(j, had, had)
	return p.timeline.instead(j, func() bool {
		if j.Workers > 0 {
			p.timeline.reserveAfter(j, j.Workers, max(p.busy(j, j.Workers), over))
		} else {
			p.timeline.hold(j, p.timeline.steady(j, state{from: over, busy: over, left: j.todo}))
		}
		return j.planned && stood && !p.waitsTooLong(j) && p.secured.swap(j, had, j.spans)
	})
}

// postponeStart plans a job that waits anew, so that it begins when the nodes have room beside all promises.
func (p *pool) postponeStart(j *trainee) bool {
	had := j.spans
	return p.timeline.instead(j, func() bool {
		for _, at := range slices.Clone(p.timeline.at[1:min(len(p.timeline.at), mostTriesOnNodes)]) {
			spans := p.timeline.steady(j, state{from: at, busy: at, left: j.todo})
			if spans != nil && p.secured.instead(j, had, spans, func() bool {
				if !p.secured.hasAll(j, spans) {
					return false
				}
				p.timeline.hold(j, spans)
				return p.promisesStand()
			}) {
				j.reason = StartsLater
				return true
			}
			p.timeline.release(j)
		}
		return false
	})
}

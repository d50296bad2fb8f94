package elastic

import (
	"cmp"
	"iter"
	"slices"
)

// mostAsked is how many jobs are asked to give back workers for a trial: those with the most time to
// spare.
const mostAsked = 16

// planTrials reserves their smallest size for jobs with a deadline of which nothing is known, for as long as
// it takes to measure them. Until then no plan can do them justice; so jobs that have time to spare give
// back workers for it, where their own plans stand that. Nobody is stopped for a trial. In the same way those
// are carried on that run, and whose plans begin later.
func (p *pool) planTrials() {
	var unknown, interrupted, patient []*trainee
	for _, j := range p.jobs {
		if j.Uninterruptible || j.resting || j.trial.Workers > 0 { // it has one, or its turn
			continue
		}
		if !j.planned && !j.unread && j.Workers > 0 && len(j.counted) > 0 {
			p.unplanned += j.need(cmp.Or(j.asItIs(), j.counted[0].Workers))
		}
		switch {
		case j.planned && j.Workers > 0 && j.spans[0].From > p.now:
			interrupted = append(interrupted, j)
		case j.planned && max(j.Workers, p.owed(j)) > j.counted[0].Workers &&
			!p.outweighs(j, j.need(j.Workers-j.counted[0].Workers)):
			patient = append(patient, j)
		case j.aim != nil && *j.aim > p.now && !j.measured && !j.unread && !j.UnknownWork && len(j.counted) > 0:
			unknown = append(unknown, j)
		}
	}
	byNeedOfTrial.sort(unknown) // a trial that has begun goes on
	byPatience.sort(patient)
	patient = patient[:min(len(patient), mostAsked)]
	if scattered(p.jobs) { // what a job keeps could be the room that another needs on one node
		interrupted = nil
	}
	byDeadline.sort(interrupted)
	for _, j := range interrupted {
		p.keepRunning(j, patient)
	}
	for _, j := range unknown {
		size := cmp.Or(j.asItIs(), j.counted[0].Workers)
		j.trial = p.trialOf(j, size)
		if j.Workers > 0 {
			p.unplanned -= j.need(size)
		}
		gains := p.gainOfTrial(j)
		if !p.reserveTrial(j) && (j.Tried || !p.oneGivesBack(patient, j, gains) && !p.manyGiveBack(patient, j, gains)) {
			j.trial = Span{}
			if j.Workers > 0 {
				p.unplanned += j.need(size)
			}
		}
	}
}

// keepRunning keeps a job going that runs, and whose plan begins later: at its smallest size at least, if another
// has the time to give back workers until then. Nobody else is stopped for that.
func (p *pool) keepRunning(j *trainee, patient []*trainee) {
	if p.runUntilPlan(j) {
		return
	}
	j.trial = Span{p.now, p.timeline.roundUp(j.spans[0].From), j.counted[0].Workers}
	if p.oneGivesBack(patient, j, gputime(j.trial.To-j.trial.From)*gputime(j.need(j.trial.Workers))) {
		p.takeTrial(j, -1)
		if !p.runUntilPlan(j) {
			p.timeline.restore(j.gave...)
		}
	}
	j.trial, j.gave = Span{}, nil
}

// gainOfTrial is what a trial gains if it begins now, and not when there is room for it anyway: as much GPU time as it
// would have until then, and what a stop would cost one that runs. One that would find none before its deadline gains
// whatever it takes.
func (p *pool) gainOfTrial(j *trainee) gputime {
	s := j.trial
	begins, ok := p.timeline.soonest(j.queue, s.To-s.From, j.need(s.Workers))
	gains := gputime(begins-p.now) * gputime(j.need(s.Workers))
	if j.Workers > 0 {
		gains += gputime(j.need(j.Workers)) * gputime(j.Pause+j.loss(p.now))
	}
	if !ok || begins+s.To-s.From > *j.aim || p.eager {
		return gputime(forever)
	}
	return gains
}

// extraTime is what it costs a job to give back workers for a while: what its reservation takes more than the one
// before.
func (j *trainee) extraTime(before []Span) gputime { return j.takes(j.spans) - j.takes(before) }

// takes is the GPU time of a reservation.
func (j *trainee) takes(spans []Span) gputime {
	sum := gputime(0)
	for _, s := range spans {
		sum += gputime(j.need(s.Workers)) * gputime(s.To-s.From)
	}
	return sum
}

// runUntilPlan reserves the smallest size of a job from now until its reservation begins, if there is room.
func (p *pool) runUntilPlan(j *trainee) bool {
	size := j.counted[0].Workers
	until := max(p.busy(j, size), p.timeline.roundUp(j.spans[0].From))
	return p.timeline.instead(j, func() bool {
		return p.timeline.reserveAfter(j, size, until) && p.leavesSmallestSizes()
	})
}

// reserveTrial takes what a trial needs, if there is room for it.
func (p *pool) reserveTrial(j *trainee) bool {
	s, need := j.trial, j.need(j.trial.Workers)
	if !p.timeline.has(j.queue, s.From, s.To, need) {
		return false
	}
	p.timeline.take(j.queue, s.From, s.To, need)
	if !p.leavesSmallestSizes() {
		p.takeTrial(j, -1)
		return false
	}
	return true
}

// leavesSmallestSizes says whether what is reserved at present leaves their smallest size to all who run without a
// plan.
func (p *pool) leavesSmallestSizes() bool { return p.timeline.taken[0]+p.unplanned <= p.total }

// oneGivesBack makes one job give back as few workers as do for a trial, if that costs no more than the trial gains.
func (p *pool) oneGivesBack(patient []*trainee, newcomer *trainee, gains gputime) bool {
	for _, j := range patient {
		was, most := replaced{j, j.spans}, max(j.Workers, p.owed(j))
		if p.timeline.instead(j, func() bool {
			if !p.reserveTrial(newcomer) {
				return false
			}
			if p.reduce(j, slices.Backward(j.counted), most, newcomer) &&
				j.extraTime(was.had) <= gains && p.leavesSmallestSizes() {
				return true
			}
			p.takeTrial(newcomer, -1)
			return false
		}) {
			newcomer.gave = []replaced{was}
			return true
		}
	}
	return false
}

// manyGiveBack makes one job after the other give back all that it can, until there is room for a
// trial. If there never is, or all of them together would lose more by it than it gains, all is as before.
func (p *pool) manyGiveBack(patient []*trainee, newcomer *trainee, gains gputime) bool {
	var gave []replaced
	for _, j := range patient {
		was, most := replaced{j, j.spans}, max(j.Workers, p.owed(j))
		if !p.timeline.instead(j, func() bool { return p.reduce(j, slices.All(j.counted), most, newcomer) }) {
			continue
		}
		gave = append(gave, was)
		if gains -= j.extraTime(was.had); gains < 0 {
			break
		}
		if p.reserveTrial(newcomer) {
			newcomer.gave = gave
			return true
		}
	}
	p.timeline.restore(gave...)
	return false
}

// reduce reserves anew for a job that has one of some sizes until a trial is over, and no more than it had at
// most. What takes several GPUs, or may not be on every node, is not certain to find one later on: so a job of that
// kind gives back only what it can do without for good. Nobody knows yet what a newcomer needs after its trial. So for
// one no job changes to a size of which it gives back more then: it would pay for two changes, where one does.
func (p *pool) reduce(j *trainee, sizes iter.Seq2[int, Size], most Workers, by *trainee) bool {
	for _, size := range sizes {
		w := size.Workers
		if w > most || !p.timeline.reserveAfter(j, w, max(p.busy(j, w), by.trial.To)) {
			continue
		}
		grows := slices.ContainsFunc(j.spans, func(s Span) bool { return s.Workers > w })
		shrinks := slices.ContainsFunc(j.spans, func(s Span) bool { return s.Workers < w })
		if (j.modest() || !grows) && (w == j.Workers || by.planned || !shrinks) {
			return true
		}
		p.timeline.release(j)
	}
	return false
}

// cancelTrial gives up a trial that finds no node after all: what others gave for it they have again, as far as they
// still can.
func (p *pool) cancelTrial(newcomer *trainee, l *layout) {
	p.takeTrial(newcomer, -1)
	for _, was := range newcomer.gave {
		now, room := was.had[0], min(p.free, p.tenants[was.queue].room())
		if now.From > p.now || now.Workers <= was.gets || was.need(now.Workers-was.gets) > room ||
			!l.extend(was.trainee, now.Workers) {
			continue
		}
		p.timeline.restore(was)
		p.give(was.trainee, now.Workers, ForDeadline)
	}
	newcomer.trial, newcomer.gave = Span{}, nil
}

package elastic

import "slices"

// holdLent keeps for jobs what they have that are not to be interrupted only since they run: beside promises, and what
// is guaranteed to others that ask for it, and before all other plans. It is theirs for good once others are neither
// promised nor guaranteed it, whether these ask for it now or not. What it could not hold is planned like any other.
// Where not all promises can be kept, or find their nodes, they are planned first as well as they can be.
func (p *pool) holdLent(promised, newcomers []*trainee) (stillPromised, stillNewcomers []*trainee) {
	lent := slices.DeleteFunc(slices.Clone(p.jobs), func(j *trainee) bool { return !j.Lent || !j.runs() || j.fixed() })
	if len(lent) == 0 {
		return promised, newcomers
	}
	byTrial.sort(lent)
	before := make([]trainee, len(promised))
	for i, j := range promised {
		before[i] = *j
	}
	p.keepPromises(slices.Clone(promised))
	p.holdUnread()
	for _, j := range lent {
		p.holdWhatIsLeft(j)
	}
	for i, j := range promised {
		if !j.fixed() {
			*j = before[i]
		}
	}
	for _, j := range p.jobs {
		j.unread = false
	}
	p.kept = slices.DeleteFunc(p.kept, func(j *trainee) bool { return !j.fixed() })
	p.holders, p.promisesLost, p.rehearsed = nil, false, 0 // what follows has its own rehearsals
	p.clear()
	return slices.DeleteFunc(promised, (*trainee).fixed), slices.DeleteFunc(newcomers, (*trainee).fixed)
}

// holdWhatIsLeft has a job keep what it has until it ends, or until others are to have it. Where it is not its own for
// good, it is planned to be in time with what is left then; a promise of that stands beside.
func (p *pool) holdWhatIsLeft(j *trainee) {
	if j.unread {
		return
	}
	was, kept := *j, len(p.kept)
	p.holdPromise(j, was.spans, -1)
	giveUp := func() {
		p.holdPromise(j, was.spans, 1)
		*j = was
	}
	ends, need := j.ends(max(p.now, j.BusyUntil), j.Workers), j.need(j.Workers)
	until := p.timeline.roomUntil(j.queue, p.now, ends, need)
	if until < ends && (until <= p.now || j.Promised && (!j.planned || j.hopeful())) {
		giveUp()
		return
	}
	j.keeps = until == ends && p.secured.has(j.queue, p.now, ends, need)
	j.beside = p.planBeside(j, until, ends)
	j.Uninterruptible, j.Lent, j.doomed = true, !j.keeps, was.doomed && until < ends
	j.limitToOneSize()
	j.findLikely()
	j.countOnSure()
	if until < ends {
		j.keptUntil = until
	} else if p.planFixed(j); !j.planned || j.hopeful() {
		j.beside = nil
	}
	if until < ends || j.beside != nil {
		j.spans, j.planned = j.beside, j.beside != nil
	}
	p.kept = append(p.kept, j)
	p.holdAsItIs(j, 1)
	if scattered(p.jobs) && !p.promisesLost && !p.rehearse(p.boundJobs(func(j *trainee) bool { return j.Promised })) {
		p.kept = p.kept[:kept]
		p.holdAsItIs(j, -1)
		giveUp()
	}
}

// planBeside is how a job is in time that keeps what is lent to it until some moment only: as it is promised, or with
// what is left from then on. It has no such plan if it keeps that for good, or until it ends without a promise.
func (p *pool) planBeside(j *trainee, until, ends Seconds) []Span {
	spans := j.spans
	j.spans = nil
	switch {
	case j.keeps || j.Promised && (!j.planned || j.hopeful()):
		spans = nil
	case !j.Promised && until < ends && j.mayBeInTime() && p.timeline.reserveFrom(j, until):
		spans = j.spans
		p.timeline.release(j)
	}
	j.spans, j.planned = nil, false
	return spans
}

// holdPromise adds a promise to what is reserved, or takes it away.
func (p *pool) holdPromise(j *trainee, spans []Span, sign GPUs) {
	load{p.timeline}.put(j, spans, sign)
	p.secured.put(j, spans, sign)
}

// heldIn is where what a job has is taken that it keeps. A promise counts on what is merely lent to it.
func (p *pool) heldIn(j *trainee) []*timeline {
	if j.Lent {
		return []*timeline{p.timeline}
	}
	return []*timeline{p.timeline, p.secured.timeline}
}

// keep leaves only jobs with what is lent to them for good that have that: what they would keep after a change is for
// the plan after that.
func (d *Decision) keep(jobs []Job) {
	for i := range d.Jobs {
		d.Jobs[i].Keeps = d.Jobs[i].Keeps && d.Jobs[i].Workers == jobs[i].Workers
	}
}

// ofLent goes with the size of a job that would keep what is lent to it.
const ofLent = " It is lent GPUs that others are promised or guaranteed, and may be stopped for them: that it is not " +
	"to be interrupted was said only as it ran."

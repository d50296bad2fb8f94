package elastic

import "slices"

// holdLent keeps for jobs what they have that are not to be interrupted only since they run: beside promises, and what
// is guaranteed to others that ask for it, and before all other plans. It is theirs for good once others are neither
// promised nor guaranteed it, whether these ask for it now or not. What it could not hold is planned like any other.
func (p *pool) holdLent(promised, newcomers []*trainee) (stillPromised, stillNewcomers []*trainee) {
	lent := slices.DeleteFunc(slices.Clone(p.jobs), func(j *trainee) bool { return !j.Lent || !j.runs() || j.fixed() })
	if len(lent) == 0 {
		return promised, newcomers
	}
	byTrial.sort(lent)
	p.holders = slices.DeleteFunc(slices.Clone(promised), func(j *trainee) bool { return j.Lent })
	byDeadline.sort(p.holders)
	if !slices.ContainsFunc(p.holders, func(j *trainee) bool { return !p.resume(j) && !p.reserve(j) }) {
		p.holdUnread()
		for _, j := range lent {
			p.holdWhatIsLeft(j)
		}
	}
	for _, j := range p.jobs {
		j.unread = false
	}
	p.kept = slices.DeleteFunc(p.kept, func(j *trainee) bool { return !j.fixed() })
	p.clear()
	p.holders = nil
	return slices.DeleteFunc(promised, (*trainee).fixed), slices.DeleteFunc(newcomers, (*trainee).fixed)
}

// holdWhatIsLeft has a job keep what it has until it ends, if others leave it that. One with a promise goes on as it
// was promised, unless that is for good.
func (p *pool) holdWhatIsLeft(j *trainee) {
	if j.unread {
		return
	}
	was, kept := *j, len(p.kept)
	ends, need := j.ends(max(p.now, j.BusyUntil), j.Workers), j.need(j.Workers)
	j.keeps = p.secured.has(j.queue, p.now, ends, need)
	if !p.timeline.has(j.queue, p.now, ends, need) || j.Promised && !j.keeps {
		*j = was
		return
	}
	j.Uninterruptible, j.Lent, j.doomed = true, !j.keeps, false
	j.limitToOneSize()
	j.findLikely()
	j.countOnSure()
	p.keepFixed(j)
	if scattered(p.jobs) && !p.rehearse(p.boundJobs(func(j *trainee) bool { return j.Promised })) {
		p.giveUpFixed(j, kept)
		*j = was
	}
}

// giveUpFixed undoes the last keepFixed.
func (p *pool) giveUpFixed(j *trainee, kept int) {
	p.kept = p.kept[:kept]
	for _, t := range p.heldIn(j) {
		t.take(j.queue, p.now, j.keptUntil, -j.need(j.Workers))
	}
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

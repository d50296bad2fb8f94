package elastic

import "slices"

// startsForGood says that a job begins for good where it begins: it is never to be interrupted, and may begin now.
func (j *trainee) startsForGood() bool { return j.Uninterruptible && j.Workers == 0 && !j.waits() }

// reserve finds the thriftiest way to meet the deadline of a job. One that could not give back what it has begins only
// where nobody is guaranteed its GPUs, whether anybody asks for them now or not.
func (p *pool) reserve(j *trainee) bool {
	if j.waits() && !j.findRelease(p.now) {
		return false
	}
	if j.startsForGood() {
		for _, at := range p.secured.at {
			p.timeline.boundary(at)
		}
		p.timeline.within = p.secured.timeline
		defer func() { p.timeline.within = nil }()
	}
	if !p.timeline.reserve(j) {
		return false
	}
	p.secure(j)
	return true
}

// wouldBorrow says that a job which could not be planned would have been with what other queues are guaranteed.
func (p *pool) wouldBorrow(j *trainee) bool {
	if !p.timeline.reserve(j) {
		return false
	}
	p.timeline.release(j)
	return true
}

// secure adds the plan of a job to what is sure, if it is promised or for good.
func (p *pool) secure(j *trainee) {
	if !j.startsForGood() && !j.Promised {
		return
	}
	if !p.secured.stands(j) {
		p.borrowed++
	}
	p.secured.add(j)
}

// secureInstead says that a job may have a size at once for what it was planned to have before, and makes that sure, if
// it has to be. Who is never to be interrupted keeps the size until it ends. Who has a promise, and never saves, would
// lose all that it trains with a larger size, and with it perhaps the time that it has, if it had to give it back.
func (p *pool) secureInstead(j *trainee, size Workers, had []Span) bool {
	risks := j.promise && j.Unsaved && size > max(j.Workers, j.gets)
	switch {
	case !j.Uninterruptible && !risks:
		return true
	case j.Uninterruptible && (len(j.spans) > 1 || j.spans[0].From > p.now || j.spans[0].Workers != size):
		return false
	}
	return p.secured.instead(j, had, j.spans, func() bool {
		if risks {
			return p.secured.has(j.queue, p.now, min(*j.aim, j.ends(p.now+j.Pause, size)), j.need(size))
		}
		return p.secured.stands(j)
	})
}

// couldKeep says that a job that is never to be interrupted once it has begun could keep a size until it ends: nobody
// has reserved its GPUs for before that, nor is guaranteed them, whether anybody asks for them now or not.
func (p *pool) couldKeep(j *trainee, size Workers) bool {
	ends, more := j.ends(p.now+j.Pause, size), j.need(size-j.gets)
	return p.timeline.has(j.queue, p.now, ends, more) && p.secured.has(j.queue, p.now, ends, more)
}

// keepsForGood takes what a job without a plan is given that is never to be interrupted.
func (p *pool) keepsForGood(j *trainee, size Workers) {
	for _, t := range []*timeline{p.timeline, p.secured.timeline} {
		t.take(j.queue, p.now, j.ends(p.now+j.Pause, size), j.need(size)-j.need(j.gets))
	}
}

// giveUpGrowth leaves a job with what it has, as there are no nodes for more. What one that was to begin for good took,
// others may have.
func (p *pool) giveUpGrowth(j *trainee) {
	if j.startsForGood() && !j.planned {
		for _, t := range []*timeline{p.timeline, p.secured.timeline} {
			t.take(j.queue, p.now, j.ends(p.now+j.Pause, j.gets), -j.need(j.gets))
		}
	}
	p.give(j, j.Workers, Fragmented)
}

// stands says whether a job's reservation has room beside the others.
func (l load) stands(j *trainee) bool { return l.hasAll(j, j.spans) }

func (l load) hasAll(j *trainee, spans []Span) bool {
	return !slices.ContainsFunc(spans, func(s Span) bool { return !l.has(j.queue, s.From, s.To, j.need(s.Workers)) })
}

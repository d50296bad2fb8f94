package elastic

import "slices"

// lasting leaves a job that is never to be stopped or restarted the sizes that it may have then: once it runs the one
// that it has, and before, where no deadline says which it needs, the one that it was written for.
func (j *trainee) lasting() {
	if !j.Uninterruptible {
		return
	}
	if j.Workers > 0 {
		at := slices.IndexFunc(j.told, func(s Size) bool { return s.Workers == j.Workers })
		if at < 0 {
			j.fit = []Size{{Workers: j.Workers}}
			return
		}
		j.fit = j.told[at : at+1]
		return
	}
	if known := len(j.fit) > 0 && max(j.fit[0].Speed, j.fit[0].Expected, j.fit[0].Best) > 0; len(j.fit) == 0 || known && j.Deadline != nil && !j.UnknownWork {
		return
	}
	at := 0
	for i, s := range j.fit {
		if s.Workers <= j.Written {
			at = i
		}
	}
	j.fit = j.fit[at : at+1]
}

// fixed says that a job keeps the size that it has until it ends, whatever others need.
func (j *trainee) fixed() bool { return j.Uninterruptible && j.Workers > 0 }

// ends is when a job that begins to train at some moment is surely done at a size, whatever is hoped for it.
func (j *trainee) ends(begins Seconds, w Workers) Seconds {
	if at := slices.IndexFunc(j.told, withWorkers(w)); at >= 0 && j.told[at].Speed > 0 && !j.UnknownWork {
		return begins + j.told[at].train(j.Left)
	}
	return forever
}

// holdFixed keeps for jobs that are never to be interrupted what they have, until they end. That costs nobody anything
// more, so their deadlines are promised where they are in time.
func (p *pool) holdFixed() {
	for _, j := range p.jobs {
		if !j.fixed() {
			continue
		}
		begins := max(p.now, j.BusyUntil)
		j.until = j.ends(begins, j.Workers)
		if j.Deadline != nil && j.known() {
			ends := j.until
			for ends > *j.Deadline && !j.doomed {
				j.doomed = !j.hope()
				ends = begins + j.size(j.Workers).train(j.Left)
			}
			if j.planned = !j.doomed; j.planned {
				j.spans = []Span{{p.now, max(ends, min(p.now+glance, *j.Deadline)), j.Workers}}
			}
		}
		j.until = max(j.until, p.now+glance) // it has them, though nothing is left to do
		p.held = append(p.held, j)
		p.holdAsItIs(j)
	}
}

// lasts says that a job that is never to be interrupted once it has begun could keep a size until it ends: nobody has
// reserved its GPUs for before that, nor is guaranteed them, whether anybody asks for them now or not.
func (p *pool) lasts(j *trainee, size Workers) bool {
	ends, more := j.ends(p.now+j.Pause, size), j.need(size-j.now)
	return p.timeline.has(j.queue, p.now, ends, more) && p.sure.has(j.queue, p.now, ends, more)
}

// begins says that a job that is never to be interrupted may begin as it is planned now, before it was to: it keeps what
// it has then until it ends, and counts on nothing that another queue is guaranteed.
func (p *pool) begins(j *trainee, size Workers, before []Span) bool {
	if len(j.spans) > 1 || j.spans[0].From > p.now || j.spans[0].Workers != size {
		return false
	}
	secured := func(spans []Span, sign GPUs) {
		for _, s := range spans {
			p.sure.take(j.queue, s.From, s.To, sign*j.need(s.Workers))
		}
	}
	if j.promise {
		secured(before, -1)
	}
	stands := load{p.sure}.stands(j)
	switch {
	case stands:
		secured(j.spans, 1)
	case j.promise:
		secured(before, 1)
	}
	return stands
}

// keepsForGood takes what a job without a plan is given that is never to be interrupted.
func (p *pool) keepsForGood(j *trainee, size Workers) {
	for _, t := range []*timeline{p.timeline, p.sure} {
		t.take(j.queue, p.now, j.ends(p.now+j.Pause, size), j.need(size-j.now))
	}
}

package elastic

import "slices"

// endsSoon says that a job is expected to be done within the pause that a change of its size would cost. A moment later
// all that it has is free.
func (j *trainee) endsSoon(now Seconds) bool {
	return j.runs() && j.known() && offers(j.Sizes, j.Workers) && j.remains(now) <= j.Pause
}

// holdEnding keeps for jobs that end soon what they have, as far as there is room for that beside what is promised to
// others.
func (p *pool) holdEnding() {
	for _, j := range p.jobs {
		if j.fixed() || !j.endsSoon(p.now) || j.Promised && !j.planned {
			continue
		}
		had := j.spans
		p.timeline.release(j)
		begins := max(p.now, j.BusyUntil)
		until := max(min(j.ends(begins, j.Workers), begins+2*j.Pause), p.now+glance)
		late := j.Promised && until > *j.Deadline
		if late || !p.timeline.has(j.queue, p.now, until, j.need(j.Workers)) {
			if had != nil {
				p.timeline.hold(j, had)
			}
			continue
		}
		if j.Promised {
			p.secured.put(j, had, -1)
			p.reserved = slices.DeleteFunc(p.reserved, func(other *trainee) bool { return other == j })
		}
		j.ending, j.keptUntil = true, until
		p.keepAsItIs(j, begins)
	}
}

package elastic

// isUnreserved says that nothing is reserved for a job but what it may be measured with: it has what it is given until
// others need it.
func (j *trainee) isUnreserved() bool { return !j.planned && !j.unread && !j.Uninterruptible }

// unreservedGPUs is what a job would have of some size without a reservation.
func (j *trainee) unreservedGPUs(size Workers) GPUs {
	if !j.isUnreserved() {
		return 0
	}
	return j.need(max(0, size-j.trial.Workers))
}

// countUnreserved counts what jobs have so far without a reservation.
func (p *pool) countUnreserved() {
	p.unreserved = 0
	for q := range p.tenants {
		p.tenants[q].unreserved = 0
	}
	for _, j := range p.jobs {
		p.unreserved += j.unreservedGPUs(j.gets)
		p.tenants[j.queue].unreserved += j.unreservedGPUs(j.gets)
	}
}

// paidBackAt is until when a job that changes its size has to keep it, to train with it for as long as the change
// costs.
func (p *pool) paidBackAt(j *trainee) Seconds { return p.now + j.Pause + j.Pause + j.Rework }

// brief says that others need GPUs of a larger size of a job so soon that it would not have trained with them for as
// long as the change costs that takes them away again: for what they have reserved, and to go on as they do where
// nothing is.
func (p *pool) brief(j *trainee, size Workers) bool {
	switch {
	case size <= j.Workers:
		return false
	case j.Uninterruptible && !j.planned:
		return !p.couldKeep(j, size)
	case j.Uninterruptible || !j.measured:
		return false
	}
	t, has := &p.tenants[j.queue], j.unreservedGPUs(j.gets)
	others, ours := p.unreserved-has, t.unreserved-has
	l, until := p.timeline, p.paidBackAt(j)
	for i := 0; i < len(l.at) && l.at[i] < until; i++ {
		own := GPUs(0)
		for _, s := range j.spans {
			if s.From <= l.at[i] && l.at[i] < s.To {
				own = j.need(s.Workers)
			}
		}
		if j.turn && j.trial.From <= l.at[i] && l.at[i] < j.trial.To {
			own = max(own, j.need(j.trial.Workers))
		}
		if l.taken[i]-own+j.need(size)+others > p.total || l.used[j.queue][i]-own+j.need(size)+ours > t.own() {
			return true
		}
	}
	return false
}

// wouldEvict says that a job is planned to have GPUs soon with which another has only just begun, for whom none are
// reserved: there would not be enough for all at their smallest sizes before that had trained for as long as its change
// costs.
func (p *pool) wouldEvict(j *trainee) bool {
	until, least := p.now, GPUs(0)
	for _, other := range p.jobs {
		switch {
		case other == j || other.gets == 0 || !other.isUnreserved():
		case other.gets > other.Workers:
			until = max(until, p.paidBackAt(other))
			least += other.unreservedGPUs(other.gets)
		default:
			least += other.unreservedGPUs(min(other.gets, other.counted[0].Workers))
		}
	}
	l := p.timeline
	for i := 0; i < len(l.at) && l.at[i] < until; i++ {
		if l.taken[i]+least > p.total {
			return true
		}
	}
	return false
}

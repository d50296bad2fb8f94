package elastic

// notBefore is some moment, or when a job may begin that rests, or that waits for others, if that is later and known.
func (j *trainee) notBefore(at Seconds) Seconds {
	at, _ = j.restsUntil(at)
	if j.waits() && j.released < forever {
		return max(at, j.released)
	}
	return at
}

// latestEnd is until when what was reserved for a job before still does.
func (j *trainee) latestEnd() Seconds {
	if j.serving() {
		return j.mayEndUntil
	}
	return *j.aim
}

// findRelease finds when those that a job waits for will have ended, as they are planned by now; false if nobody can
// tell.
func (j *trainee) findRelease(now Seconds) bool {
	j.released = now
	if j.inVain() {
		j.released = forever
	}
	for _, other := range j.before {
		j.released = max(j.released, other.endsSurely(now))
	}
	return j.released < forever
}

// endsSurely is when a job ends as it is planned, or goes on, at the pessimistic end of its estimate.
func (j *trainee) endsSurely(now Seconds) Seconds {
	switch {
	case j.planned:
		return j.endOfPlan()
	case j.runs() && j.known() && j.size(j.Workers).Speed > 0:
		return max(now, j.BusyUntil) + j.lasts(j.size(j.Workers), j.todo)
	}
	return forever
}

// countOnEnough has a job count on as little hope as it takes to be in time if it were alone. Where nothing will do,
// one that is planned for the sake of others goes on without.
func (p *pool) countOnEnough(j *trainee) {
	alone := func() bool {
		j.releaseSoonest(p.now)
		return p.empty.steady(j, j.at(p.now)) != nil
	}
	for j.aim != nil && !alone() && !j.doomed {
		if j.doomed = !j.hope(); j.doomed && j.serveNobody() {
			j.doomed = false
			j.countOnSure()
		}
	}
}

// releaseSoonest has a job begin as soon as those that it waits for can have ended: by what is sure of them, or by what
// is expected, where it counts on more than is sure itself.
func (j *trainee) releaseSoonest(now Seconds) {
	j.released = now
	for _, other := range j.before {
		j.released = max(j.released, other.soonest[min(j.hopeLevel, 1)])
	}
}

// all are the jobs of the pool with those that wait for others.
func (p *pool) all(yield func(*trainee) bool) {
	for _, jobs := range [][]*trainee{p.jobs, p.later} {
		for _, j := range jobs {
			if !yield(j) {
				return
			}
		}
	}
}

// plannedLater are those that wait for others, and can be planned to begin once these have ended.
func (p *pool) plannedLater() (newcomers []*trainee) {
	for _, j := range p.later {
		if j.aim == nil || !j.known() || j.inVain() {
			continue
		}
		p.countOnEnough(j)
		hopes := j.hopeful() && j.mustBePromised && !j.Doubted // and a hope is no promise
		if j.plannable = j.aim != nil && !j.doomed && !hopes; j.plannable {
			newcomers = append(newcomers, j)
		}
	}
	return newcomers
}

// followUp has those that wait for others begin once these have ended, as they are planned by now, and foresees when
// the others of them will. It returns when the first is planned to.
func (c *cluster) followUp() (wake Seconds) {
	wake = forever
	for _, j := range c.later {
		p := c.pools[j.Pool]
		switch known := j.findRelease(p.now); {
		case j.planned && known && j.spans[0].From >= j.released:
		case known && j.plannable:
			p.timeline.release(j)
			p.timeline.reserve(j)
		case j.planned:
			p.timeline.release(j)
		}
		if j.planned {
			wake = min(wake, j.spans[0].From)
		}
	}
	for _, j := range c.later {
		c.foresee(j)
	}
	return wake
}

// foresee finds when a job that waits for others starts and ends, if these end when they are expected to: as it is
// planned, or else with its smallest size at once.
func (c *cluster) foresee(j *trainee) {
	for i, is := range forecastPaces {
		begins := c.pools[j.Pool].now
		if j.inVain() {
			return
		}
		for _, other := range j.before {
			if end := c.pools[other.Pool].foreseenEnd(other, i); end != nil {
				begins = max(begins, *end)
			} else {
				begins = forever
			}
		}
		if j.planned || begins >= forever {
			continue
		}
		if i == 1 {
			j.starts = new(begins)
		}
		if j.known() && len(j.counted) > 0 {
			if takes := is.lasts(j, j.counted[0].Workers, j.todo); takes < forever {
				j.finishes[i] = new(begins + j.Pause + takes)
			}
		}
	}
}

// foreseenEnd is when a job is expected to end by one of forecastPaces; absent if nobody can tell.
func (p *pool) foreseenEnd(j *trainee, pace int) *Seconds {
	if j.waits() && !j.planned {
		return j.finishes[pace]
	}
	is := forecastPaces[pace]
	if end := p.finish(j, is); end != nil {
		return end
	}
	at := p.starts(j)
	if at == nil || !j.known() || len(j.counted) == 0 {
		return nil
	}
	takes := is.lasts(j, j.counted[0].Workers, j.todo)
	if takes >= forever {
		return nil
	}
	return new(*at + j.Pause + takes)
}

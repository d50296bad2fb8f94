package elastic

// undecided says that a job with a deadline has GPUs, and has not trained yet for as long as it takes to measure it, so
// that nobody can tell yet what it needs: nothing is known of it, or the first that was measured tells little.
func (p *pool) undecided(j *trainee) bool {
	switch {
	case j.aim == nil || *j.aim <= p.now || j.UnknownWork || j.fixed() || j.Trained >= p.measuring(j):
		return false
	case !j.measured:
		return j.gets > 0 || j.trial.Workers > 0
	}
	const sure = 0.9 // what other runs tell of one that has not trained yet gets no surer by waiting
	is := j.estimate(j.Workers)
	return j.Workers > 0 && j.Trained > 0 && is.Speed < sure*is.Expected
}

// measuredBy is when it is clearer what all need of whom nobody can tell yet: now, if there is none.
func (p *pool) measuredBy() Seconds {
	until := p.now
	for _, j := range p.jobs {
		if p.undecided(j) {
			until = max(until, p.trialUnderWay(j).To)
		}
	}
	return until
}

// roomToMeasure is what those of whom nothing is known may need more than they have: as many GPUs as they were written
// for. No growth into free GPUs is to have them, as it would have to give them back once that is known.
func (p *pool) roomToMeasure() GPUs {
	room := make([]GPUs, len(p.tenants))
	for _, j := range p.jobs {
		if j.measured || !p.undecided(j) {
			continue
		}
		most := Workers(0)
		for _, s := range j.fit {
			if s.Workers <= j.Written {
				most = s.Workers
			}
		}
		room[j.queue] += j.need(max(0, most-j.gets))
	}
	sum := GPUs(0)
	for q := range room {
		sum += min(room[q], max(0, p.tenants[q].room()))
	}
	return sum
}

// growWhenClear plans a job anew that was to grow for its deadline, and has trained for so short a time that what is
// known of it still becomes clearer fast. If what it has would do by now, it keeps that. If that is expected to do, but
// not sure to, it keeps that until it is clearer what all need, where it is in time all the same: so it pays for no
// size that it would have to give back.
func (p *pool) growWhenClear(j *trainee, until Seconds) {
	const early = 2 // times as long as it takes to measure it
	switch {
	case j.Workers == 0 || j.Trained == 0 || j.Trained >= early*p.measuring(j) || j.Uninterruptible:
		return
	case !j.planned || p.owed(j) <= j.Workers || !j.sure(j.Workers):
		return
	}
	had, busy := j.spans, max(p.now, j.BusyUntil)
	p.timeline.instead(j, func() bool {
		if p.timeline.reserveAfter(j, j.Workers, busy) {
			if len(j.spans) == 1 && j.spans[0].Workers == j.Workers && p.replaces(j, had) {
				return true
			}
			p.timeline.release(j)
		}
		expected := busy+j.remains(p.now) <= j.due()
		return expected && until > p.now && p.timeline.reserveAfter(j, j.Workers, p.timeline.roundUp(max(until, busy))) &&
			p.replaces(j, had)
	})
}

// replaces says that the plan of a job may stand in the place of the one before. Where that is promised, it may as well
// take nothing that another queue is guaranteed, and find its nodes beside all other promises.
func (p *pool) replaces(j *trainee, had []Span) bool {
	return !j.promise || p.secured.instead(j, had, j.spans, func() bool {
		return p.secured.stands(j) && (!scattered(p.jobs) || p.promisesStand())
	})
}

package elastic

import "slices"

// aboutToEnd says that a job without a deadline to go by has done all of its work, or ends by itself before a change of
// its size had paid for itself: others gain next to nothing by its GPUs, and it would do again what was all but done.
func (j *trainee) aboutToEnd(now Seconds) bool {
	return (j.aim == nil || j.doomed) && j.runs() && !j.fixed() && j.known() && offers(j.fit, j.Workers) &&
		(j.allDone || j.endsSooner(now))
}

// lastsUntil is until when a job that is about to end keeps what it has. Nobody can tell of one that overruns: who has
// the time waits for it from one moment to the next.
func (p *pool) lastsUntil(j *trainee) Seconds {
	if j.Overruns > 0 {
		return p.timeline.roundUp(p.now + glance)
	}
	takes := max(0, j.BusyUntil-p.now) + j.lasts(j.estimate(j.Workers), j.todo)
	if !j.allDone {
		takes = min(takes, 2*j.Pause)
	}
	return p.timeline.roundUp(p.now + max(takes, j.Pause, glance))
}

// waitsTooLong says that a job is planned to begin or grow once others have ended that are about to, and has too little
// time to spare for that: they may well take longer.
func (p *pool) waitsTooLong(j *trainee) bool {
	const longer = 2 // times as long as is expected
	may, until := Seconds(0), p.now
	for _, other := range p.onTrial {
		if other.ending {
			until = max(until, p.lastsUntil(other))
			may = max(may, longer*(p.lastsUntil(other)-p.now), OverrunsBy*other.Overruns)
		}
	}
	awaits := func(s Span) bool { return p.now < s.From && s.From <= until && s.Workers > j.Workers }
	return until > p.now && slices.ContainsFunc(j.spans, awaits) && *j.aim-j.endOfPlan() < may
}

// planBesideEnding plans a job as it was planned before, or in the room that is left: beside those that are about to
// end, where it has the time to wait for them, and else as if they were not there.
func (p *pool) planBesideEnding(j *trainee) bool {
	plan := func() bool { return p.resume(j) || p.reserve(j) }
	if !plan() {
		return p.planOverEnding(plan)
	}
	if !p.waitsTooLong(j) || j.startsForGood() {
		return true
	}
	p.timeline.release(j)
	return p.planOverEnding(plan) || plan()
}

// planOverEnding makes a plan as if those that are about to end were not there. They keep what there still is room for.
func (p *pool) planOverEnding(plan func() bool) bool {
	held := map[*trainee]Span{}
	for _, j := range p.onTrial {
		if j.ending && j.trial.Workers > 0 {
			p.takeTrial(j, -1)
			held[j], j.trial = j.trial, Span{}
		}
	}
	if len(held) == 0 {
		return false
	}
	planned := plan()
	p.onTrial = slices.DeleteFunc(p.onTrial, func(j *trainee) bool {
		s, was := held[j]
		if was && p.timeline.has(j.queue, s.From, s.To, j.need(s.Workers)) {
			j.trial = s
			p.takeTrial(j, 1)
			return false
		}
		j.ending = j.ending && !was
		return was
	})
	return planned
}

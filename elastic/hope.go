package elastic

import "slices"

// hopeFor plans a job that there is no room for at the pessimistic end of its estimate, but may be room for in the
// middle of it.
func (p *pool) hopeFor(j *trainee) {
	if j.onHope(func() bool { return j.hope() && p.planBesideEnding(j) }) {
		p.insert(j)
	}
}

// growHopesSooner plans jobs anew that train, may be in time, and are to grow only once others are done: those that
// have more than they need give way now. The longer such a job waits, the less time is left for what nobody knows of
// it. It makes about so many reservations for that at most.
func (p *pool) growHopesSooner(patience int) {
	for _, j := range slices.Clone(p.holders) {
		gained := j.growsLater(p.now)
		if gained == 0 {
			continue
		}
		if patience -= p.anew(); patience <= 0 {
			return
		}
		lent, was := p.borrowed, p.planOf(p.holders)
		p.instead(func() bool {
			return p.layOutFirst(j, gained, was) && p.paysToGiveWay(j, was) && p.borrowed <= lent && p.oldPromisesStand()
		})
	}
}

// growsLater is, of a job that only may be in time, how much GPU time it does without until it has the size that it is
// planned to grow to; none if it is not to grow later.
func (j *trainee) growsLater(now Seconds) (gpuTime float64) {
	if !j.hopeful() || !j.runs() || !j.planned || j.Promised || j.fixed() || j.BusyUntil > now {
		return 0
	}
	for _, s := range j.spans {
		if more := j.need(s.Workers) - j.need(j.Workers); more > 0 {
			return float64(more) * float64(s.From-now)
		}
	}
	return 0
}

func (p *pool) planOf(jobs []*trainee) map[*trainee][]Span {
	plan := map[*trainee][]Span{}
	for _, j := range jobs {
		plan[j] = j.spans
	}
	return plan
}

// layOutFirst makes all reservations anew, that of one job first: but for those that are planned as they were, since
// they have a promise or a higher priority, only may be in time themselves, are just being changed, or would lose more
// GPU time than it gains.
func (p *pool) layOutFirst(first *trainee, gained float64, was map[*trainee][]Span) bool {
	p.clear()
	stands := func(j *trainee) bool {
		return j.Promised || j.hopeful() || j.Doubted || j.runs() && j.BusyUntil > p.now || j.losesMoreThan(gained) ||
			j.queue == first.queue && j.Priority > first.Priority
	}
	for _, j := range p.holders {
		if spans := was[j]; j != first && spans != nil && stands(j) {
			if !p.timeline.holdIfFree(j, spans) {
				return false
			}
			p.secure(j)
		}
	}
	if !p.reserve(first) {
		return false
	}
	return !slices.ContainsFunc(p.holders, func(j *trainee) bool { return !j.planned && !p.resume(j) && !p.reserve(j) })
}

// paysToGiveWay says that a job ends sooner than it was to by more than a change costs it or any of those that give way
// to it. These have more than they need: they do with less until they end, and nobody begins later.
func (p *pool) paysToGiveWay(j *trainee, was map[*trainee][]Span) bool {
	costs := j.Pause + j.loss(p.now)
	for _, other := range p.holders {
		switch is := other.spans[0]; {
		case other == j || slices.Equal(other.spans, was[other]):
		case other.runs() && (len(other.spans) > 1 || is.From > p.now || is.Workers >= other.Workers),
			!other.runs() && was[other] != nil && is.From > was[other][0].From:
			return false
		case other.runs():
			costs = max(costs, other.Pause+other.loss(p.now))
		}
	}
	return j.endOfPlan()+costs < was[j][len(was[j])-1].To
}

package elastic

import "slices"

// hopeFor plans a job that there is no room for at the pessimistic end of its estimate, but may be
// room for in the middle of it.
func (p *pool) hopeFor(j *trainee) {
	if j.onHope(func() bool { return j.hope() && p.planBesideEnding(j) }) {
		p.insert(j)
	}
}

// growHopesSooner plans jobs anew that train, may be in time, and are to grow only once others are done: those that are
// in time all the same give way now. The longer such a job waits, the less time is left for what nobody knows of it.
// It may make so many reservations for that, and returns how many are left.
func (p *pool) growHopesSooner(patience int) (left int) {
	for _, j := range slices.Clone(p.holders) {
		if gained := j.growsLater(p.now); gained > 0 {
			if patience -= p.anew(); patience <= 0 {
				return 0
			}
			lent, later := p.borrowed, j.spans[len(j.spans)-1].To
			p.instead(func() bool {
				return p.layOutFirst(j, gained) && p.paysToGiveWay(j, later) && p.borrowed <= lent && p.oldPromisesStand()
			})
		}
	}
	return patience
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

// layOutFirst makes all reservations anew, that of one job first: but for those that go on as it was planned since they
// have a promise, or a higher priority, only may be in time themselves, or would lose more GPU time than that one gains.
func (p *pool) layOutFirst(first *trainee, gained float64) bool {
	p.clear()
	goesOn := func(j *trainee) bool {
		return j.Promised || j.hopeful() || j.losesMoreThan(gained) || j.queue == first.queue && j.Priority > first.Priority
	}
	for _, j := range p.holders {
		if j != first && goesOn(j) && !p.resume(j) {
			return false
		}
	}
	if !p.reserve(first) {
		return false
	}
	return !slices.ContainsFunc(p.holders, func(j *trainee) bool {
		return !j.planned && !p.resume(j) && !p.reserve(j) || j.runs() && !j.keepsRunning(p.now)
	})
}

// paysToGiveWay says that a job ends sooner by more than a change costs it or any of those that give way to it.
func (p *pool) paysToGiveWay(j *trainee, later Seconds) bool {
	costs := j.Pause + j.Rework
	for _, other := range p.holders {
		if other.runs() && !other.goesOnAsPlanned(p.now) {
			costs = max(costs, other.Pause+other.Rework)
		}
	}
	return j.spans[len(j.spans)-1].To+costs < later
}

// hopes are the ends of those that only may be in time, as it is planned.
func (p *pool) hopes() map[*trainee]Seconds {
	ends := map[*trainee]Seconds{}
	for _, j := range p.holders {
		if j.planned && j.hopeful() && j.runs() {
			ends[j] = j.spans[len(j.spans)-1].To
		}
	}
	return ends
}

// fade says that some of those that only may be in time would end later than they were to.
func (p *pool) fade(hopes map[*trainee]Seconds) bool {
	return slices.ContainsFunc(p.holders, func(j *trainee) bool {
		end, hoped := hopes[j]
		return hoped && j.spans[len(j.spans)-1].To > end
	})
}

package elastic

import "slices"

// Place is a pool that a job may run in as well, and the sizes that it may have there.
type Place struct {
	Pool  string `json:"pool"`
	Sizes []Size `json:"sizes"`
}

// prospect is how a job stands in a pool: the less the better, and among equals the sooner it ends.
type prospect struct {
	standing standing
	end      Seconds
}

type standing int

const (
	asPlanned   standing = iota // for its deadline
	asHoped                     // planned by what is not sure
	onLeftOver                  // on what others leave
	untilLater                  // not yet, or on what others give back to measure it
	neverInTime                 // no size that it may have would do
)

// clearly says that a prospect is worth a move: what is hardly better now may be worse in the next plan.
func (a prospect) clearly(b prospect, now Seconds) bool {
	const much = 0.8
	return a.standing < b.standing || a.standing == b.standing && a.end-now < much*(b.end-now)
}

// In is the job in another pool, that it is in, or may be in.
func (j Job) In(pool string) Job {
	at := slices.IndexFunc(j.Elsewhere, func(p Place) bool { return p.Pool == pool })
	if at < 0 {
		return j
	}
	place := j.Elsewhere[at]
	j.Elsewhere = slices.Clone(j.Elsewhere)
	j.Elsewhere[at] = Place{j.Pool, j.Sizes}
	j.Pool, j.Sizes, j.Reserved = place.Pool, place.Sizes, nil
	return j
}

// traineeFromElsewhere is a job that is planned in another pool as this one plans for it, for the same goal: but
// nothing is reserved for it here.
func (p *pool) traineeFromElsewhere(j *trainee, pool string) *trainee {
	goal := j.goal
	goal.lastPlan = nil
	return p.trainee(j.In(pool), goal)
}

// better is another pool that is clearly the best for a job, and takes there what it is to have.
func (c *cluster) better(j *trainee) (best string, ok bool) {
	here := c.pools[j.Pool].standing(j)
	var take func()
	for _, place := range j.Elsewhere {
		p := c.pools[place.Pool]
		if p == nil {
			continue
		}
		if there, hold := p.prospect(p.traineeFromElsewhere(j, place.Pool)); there.clearly(here, p.now) {
			best, ok, here, take = place.Pool, true, there, hold
		}
	}
	if ok {
		take()
	}
	return best, ok
}

func (c *cluster) standing(i int) prospect { return c.pools[c.jobs[i].Pool].standing(c.jobs[i]) }

// standing is how a job stands that was planned for.
func (p *pool) standing(j *trainee) prospect {
	switch {
	case j.planned && !j.hopeful():
		return prospect{asPlanned, j.endOfPlan()}
	case j.planned:
		return prospect{asHoped, j.endOfPlan()}
	case j.gets > 0 && len(j.gave) == 0:
		return prospect{onLeftOver, p.endsBy(j, j.gets)}
	case len(j.counted) == 0 || j.doomed && j.mustBePromised:
		return prospect{neverInTime, forever}
	}
	return prospect{untilLater, forever}
}

// prospect is how a job would stand that comes to a pool which was planned already, and a way to take what it then has.
func (p *pool) prospect(j *trainee) (prospect, func()) {
	j.queue = slices.IndexFunc(p.tenants, func(t tenant) bool { return t.Name == j.Queue })
	if j.queue < 0 || len(j.counted) == 0 {
		return prospect{neverInTime, forever}, nil
	}
	size := j.largest(min(p.free, p.tenants[j.queue].room()))
	if !j.measured && size.Workers > 0 {
		size = j.counted[0]
	}
	take := func() { p.give(j, size.Workers, FreeGPUs) }
	if j.aim != nil && j.known() {
		for p.empty.steady(j, j.at(p.now)) == nil && j.hope() {
		}
		if p.timeline.reserve(j) {
			is, spans := p.standing(j), j.spans
			is.end = min(is.end, p.endsBy(j, size.Workers))
			p.timeline.release(j)
			return is, func() { p.timeline.hold(j, spans); take() }
		}
	}
	if size.Workers == 0 || j.mustWait() {
		return prospect{untilLater, forever}, func() {}
	}
	return prospect{onLeftOver, p.endsBy(j, size.Workers)}, take
}

// endsBy is when a job would end that goes on with some size, as far as anybody can tell.
func (p *pool) endsBy(j *trainee, w Workers) Seconds {
	if size := j.size(w); size.Speed > 0 && !j.UnknownWork {
		return p.now + j.Pause + j.lasts(size, j.todo)
	}
	return forever
}

// losesPlan says that a decision leaves somebody without a plan who had one, or a promise without its nodes.
func losesPlan(d, then Decision) bool {
	if then.Astray && !d.Astray {
		return true
	}
	for i, o := range d.Jobs {
		if o.byPlan() == OnTrack && then.Jobs[i].byPlan() != OnTrack {
			return true
		}
	}
	return false
}

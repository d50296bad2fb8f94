package elastic

import (
	"cmp"
	"math"
	"slices"
)

// Who goes before whom is written here, and nowhere else: jobs by the orders below, each a list of rules of which the
// first that tells two jobs apart decides, and by their priority (favour.go); queues and growths by those at the end.
// Who goes last gives way first.
var (
	// byRank is who gets what is left over first, and gives back what it has last.
	byRank = order{higherRank, lessTimeToSpare, moreToLose, savedLongerAgo, submittedEarlier, byName}
	// byDeadline is whose reservation is made first.
	byDeadline = order{earlierDeadline, byName}
	// byLoss is who goes on as it was planned first; those that it cannot tell apart stay in the order that they are in.
	byLoss = order{moreToLose}
	// byTrial is whose trial under way is reserved first, and byNeedOfTrial whose trial that may have to begin.
	byTrial       = order{moreToLose, submittedEarlier, byName}
	byNeedOfTrial = order{running, earlierDeadline, byName}
	// byPatience is who is asked first to do with less, or to wait, for a while.
	byPatience = order{moreTimeToSpare, byName}
	// byTurn is whose turn is reserved first.
	byTurn = order{running, waitsLonger, byName}
	// byGreatness is whose workers look for nodes first.
	byGreatness = order{greaterWorkers, choosier, byName}
)

// rule is below 0 if the first of two jobs goes before the other, above 0 if after it, and 0 if it cannot tell.
type rule func(a, b *trainee) int

// order goes by the first of its rules that tells two jobs apart.
type order []rule

func (o order) compare(a, b *trainee) int {
	for _, tells := range o {
		if c := tells(a, b); c != 0 {
			return c
		}
	}
	return 0
}

// sort puts jobs into the order, which tells all of them apart.
func (o order) sort(jobs []*trainee) { slices.SortFunc(jobs, o.compare) }

func higherRank(a, b *trainee) int       { return cmp.Compare(a.rank, b.rank) }
func lessTimeToSpare(a, b *trainee) int  { return cmp.Compare(a.slack, b.slack) }
func moreTimeToSpare(a, b *trainee) int  { return cmp.Compare(b.spare(), a.spare()) }
func moreToLose(a, b *trainee) int       { return cmp.Compare(b.stake, a.stake) }
func savedLongerAgo(a, b *trainee) int   { return cmp.Compare(a.SavedAt, b.SavedAt) }
func submittedEarlier(a, b *trainee) int { return cmp.Compare(a.Submitted, b.Submitted) }
func earlierDeadline(a, b *trainee) int  { return cmp.Compare(*a.Deadline, *b.Deadline) }
func running(a, b *trainee) int          { return cmp.Compare(min(b.Workers, 1), min(a.Workers, 1)) }
func greaterWorkers(a, b *trainee) int   { return cmp.Compare(b.gpus, a.gpus) }
func byName(a, b *trainee) int           { return cmp.Compare(a.Name, b.Name) }

func choosier(a, b *trainee) int {
	switch {
	case (a.site == nil) == (b.site == nil):
		return 0
	case a.site == nil:
		return 1
	}
	return -1
}

// rank is who comes before whom where something is left over.
type rank int

const (
	rankPromised rank = iota
	rankPlanned
	rankDeadline
	rankNone
)

func (j *trainee) rankOf() rank {
	switch {
	case j.promise || j.unread:
		return rankPromised
	case j.planned:
		return rankPlanned
	case j.Deadline != nil && !j.doomed && !j.UnknownWork:
		return rankDeadline
	}
	return rankNone
}

// orderByRank sorts jobs by their rank, as they are planned by then.
func (p *pool) orderByRank() {
	for _, j := range p.jobs {
		j.rank, j.slack = j.rankOf(), j.spare()
	}
	p.order = slices.Clone(p.jobs)
	byRank.sort(p.order)
	favour(p.order, func(j *trainee) int { return int(j.rank) })
}

// spare is how long before its deadline the job would be finished with its present size, if it began that anew.
func (j *trainee) spare() Seconds {
	if j.Deadline == nil || !j.known() {
		return forever
	}
	size := j.size(j.Workers)
	if size.Speed == 0 {
		size = j.thrifty[0]
	}
	return *j.Deadline - j.lasts(size, j.Left+j.loses(j.Workers, j.Left))
}

// orderByNeed sorts newcomers, those first that ask for the least GPU time. What a job would lose if it gave way is
// needed once more, so it asks for that much less; and who would lose more than any newcomer needs comes before all of
// them.
func orderByNeed(newcomers []*trainee, now Seconds) {
	// A plan that is there gives way to one that needs clearly less: not to and fro, as work is lost.
	const clearly = 0.9
	smallest, greatest := math.Inf(1), 0.0
	for _, j := range newcomers {
		switch {
		case len(j.Reserved) == 0:
			smallest = min(smallest, j.leastTime)
		case j.runs() && !j.hopeful():
			greatest = max(greatest, j.leastTime)
		}
	}
	stays := func(j *trainee) bool { return len(j.Reserved) > 0 && j.losesMoreThan(smallest) }
	asks := func(j *trainee) float64 {
		needs := j.leastTime
		if len(j.Reserved) > 0 {
			needs *= clearly
		}
		switch {
		case j.hopeful() && j.runs() && j.BusyUntil > now: // for what is not sure either, no change is undone
			return greatest
		case j.hopeful() && !j.inTimeWithWhatItHas(now): // on what is not sure nothing is taken from one that runs as planned
			return max(needs, greatest)
		case stays(j):
			return -j.stake
		case len(j.Reserved) > 0 && j.losesMoreThan(0):
			return needs - j.stake
		}
		return needs
	}
	for _, j := range newcomers {
		j.asks = asks(j)
	}
	for _, j := range newcomers { // those that wait are the last of them, each after those that it waits for
		for _, other := range j.before {
			j.asks = max(j.asks, other.asks)
		}
	}
	slices.SortFunc(newcomers, func(a, b *trainee) int {
		if c := cmp.Or(cmp.Compare(a.asks, b.asks), cmp.Compare(a.depth, b.depth)); c != 0 {
			return c
		}
		return byDeadline.compare(a, b)
	})
	favour(newcomers, func(j *trainee) int {
		switch {
		case stays(j):
			return 1 // it gives way to none
		case j.hopeful():
			return 2 // for what is not sure nobody gives way
		case len(j.before) > 0 || len(j.behind) > 0:
			return 3 // each goes after those that it waits for
		}
		return 0
	})
}

// givers are the jobs that may have to give back workers for one in the order of rank: those of lower rank, and where
// it has a promise also those of higher rank that are to have nothing more than they have. The last of them gives
// first.
func (p *pool) givers(at int) []*trainee {
	givers := p.order[at+1:]
	if p.order[at].promise {
		greater := slices.DeleteFunc(slices.Clone(p.order[:at]), func(j *trainee) bool { return j.gets > j.Workers })
		givers = slices.Concat(greater, givers)
	}
	return givers
}

// leastSizes are what givers keep at least, one after the other: all shrink before the first is stopped, and only a
// promise takes what others have planned.
func (p *pool) leastSizes(promise bool) []func(*trainee) Workers {
	if promise {
		return []func(*trainee) Workers{p.smallest, p.owed, p.owedForGood}
	}
	return []func(*trainee) Workers{p.smallest, p.owed}
}

// smallest is the size that a job shrinks to before anyone is stopped.
func (p *pool) smallest(j *trainee) Workers {
	if len(j.counted) == 0 {
		return 0
	}
	return max(p.owed(j), j.counted[0].Workers)
}

// owed is what the reservation of a job has for it at present: nothing, if it has nothing left to do. One that runs,
// and of which nothing is known, has what it has.
func (p *pool) owed(j *trainee) Workers {
	switch {
	case j.fixed():
		return j.Workers
	case j.goesOnHeld():
		return j.trial.Workers
	}
	if j.planned && j.spans[0].From <= p.now && p.now < j.spans[0].To {
		return j.spans[0].Workers
	}
	return 0
}

// owedForGood is what nobody may take from a job: what it is promised, or never gives back.
func (p *pool) owedForGood(j *trainee) Workers {
	if j.promise || j.fixed() || j.unread {
		return p.owed(j)
	}
	return 0
}

// before says whose turn it is among queues: first those that have less than they are guaranteed, then those of higher
// priority, then the one that has the least for its weight, then the first by name, whatever the order of the snapshot.
func (t *tenant) before(u *tenant) int {
	below := func(t *tenant) int {
		if t.used < t.guaranteed {
			return 0
		}
		return 1
	}
	part := func(t *tenant) float64 { return float64(t.used) / float64(max(t.Weight, 1)) }
	return cmp.Or(cmp.Compare(below(t), below(u)), cmp.Compare(u.Priority, t.Priority), cmp.Compare(part(t), part(u)),
		cmp.Compare(t.Name, u.Name))
}

// before says which growth goes first within a queue: those of jobs at risk, then those that gain for sure, then those
// that gain most for each GPU.
func (g growth) before(h growth) bool {
	if g.atRisk != h.atRisk {
		return g.atRisk
	}
	if g.tried != h.tried {
		return g.tried
	}
	return cmp.Or(cmp.Compare(h.gain, g.gain), cmp.Compare(g.job.Name, h.job.Name)) < 0
}

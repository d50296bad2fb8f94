package elastic

import (
	"cmp"
	"math"
	"slices"
)

// Who goes before whom is written here, and nowhere else: jobs, queues, growths, moves, changes and cues by the orders
// below, each a list of rules of which the first that tells two apart decides, and jobs by their priority too
// (order.go). Who goes last gives way first.
var (
	// byRank is who gets what is left over first, and gives back what it has last.
	byRank = jobOrder{higherRank, lessTimeToSpare, moreToLose, savedLongerAgo, submittedEarlier, byName}
	// byDeadline is whose reservation is made first.
	byDeadline = jobOrder{earlierDeadline, byName}
	// byNeed is which newcomer is planned first.
	byNeed = jobOrder{asksForLess, waitsForFewer, earlierDeadline, byName}
	// byLoss is who goes on as it was planned first.
	byLoss = jobOrder{moreToLose}
	// byTrial is whose trial under way is reserved first, and byNeedOfTrial whose trial that may have to begin.
	byTrial       = jobOrder{moreToLose, submittedEarlier, byName}
	byNeedOfTrial = jobOrder{running, earlierDeadline, byName}
	// byPatience is who is asked first to do with less, or to wait, for a while.
	byPatience = jobOrder{moreTimeToSpare, byName}
	// byTurn is whose turn is reserved first.
	byTurn = jobOrder{running, waitsLonger, byName}
	// byGreatness is whose workers look for nodes first.
	byGreatness = jobOrder{greaterWorkers, choosier, byName}
	// byDepth is who is planned first of those that wait for others: each comes after those that it waits for.
	byDepth = jobOrder{waitsForFewer, byName}

	// byPriority and byPosition have a job of a queue wait for those of a higher priority.
	byPriority = order[*position]{higherPriority}
	byPosition = order[*position]{goesBehindEarlier, higherPriority, stoodEarlier}

	// byShare is which queue gets something first, whatever the order of the snapshot, and byFraction which is given
	// first of the GPUs that a division leaves over.
	byShare    = order[*tenant]{belowItsGuarantee, queueOfHigherPriority, lessForItsWeight, queueByName}
	byFraction = order[fraction]{greaterFraction, fractionByName}
	// byGain is which growth of a queue goes first.
	byGain = order[*growth]{ofJobAtRisk, surelyGains, gainsMore, growthByName}
	// byProspect is who looks first for another pool.
	byProspect = order[mover]{moreUrgent, worseOff, moverSubmittedEarlier, moverByName}
	// byCostOfStop is who goes on first of those that a decision stops though it leaves GPUs free.
	byCostOfStop = order[stopped]{losesMore, stoppedByName}
	// byGift is which change of a decision is made first, and byMoment which cue of a rehearsal comes first.
	byGift   = order[step]{givesBackMore, moreUrgentCause}
	byMoment = order[cue]{sooner, toNothing, cueOfGreaterWorkers, cueByName}
)

// jobOrder is an order of jobs.
type jobOrder = order[*trainee]

func higherRank(a, b *trainee) int       { return cmp.Compare(a.rank, b.rank) }
func lessTimeToSpare(a, b *trainee) int  { return cmp.Compare(a.slack, b.slack) }
func moreTimeToSpare(a, b *trainee) int  { return cmp.Compare(b.spare(), a.spare()) }
func moreToLose(a, b *trainee) int       { return cmp.Compare(b.stake, a.stake) }
func savedLongerAgo(a, b *trainee) int   { return cmp.Compare(a.SavedAt, b.SavedAt) }
func submittedEarlier(a, b *trainee) int { return cmp.Compare(a.Submitted, b.Submitted) }
func earlierDeadline(a, b *trainee) int  { return cmp.Compare(*a.aim, *b.aim) }
func asksForLess(a, b *trainee) int      { return cmp.Compare(a.asks, b.asks) }
func waitsForFewer(a, b *trainee) int    { return cmp.Compare(a.depth, b.depth) }
func running(a, b *trainee) int          { return cmp.Compare(min(b.Workers, 1), min(a.Workers, 1)) }
func greaterWorkers(a, b *trainee) int   { return cmp.Compare(b.gpus, a.gpus) }
func byName(a, b *trainee) int           { return cmp.Compare(a.Name, b.Name) }

func waitsLonger(a, b *trainee) int {
	return cmp.Compare(a.mayHaveToWaitUntil(), b.mayHaveToWaitUntil())
}

func choosier(a, b *trainee) int {
	return falseFirst(a.mayBeOn == nil, b.mayBeOn == nil)
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
	case j.aim != nil && !j.doomed && !j.UnknownWork:
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
	postponeLowerPriority(p.order, func(j *trainee) int { return int(j.rank) })
}

// spare is how long before its deadline the job would be finished with its present size, if it began that anew.
func (j *trainee) spare() Seconds {
	if j.aim == nil || !j.known() {
		return forever
	}
	size := j.size(j.Workers)
	if size.Speed == 0 {
		size = j.thrifty[0]
	}
	return *j.aim - j.lasts(size, j.todo+j.loses(j.Workers, j.todo))
}

// orderByNeed sorts newcomers, those first that ask for the least GPU time. What a job would lose if it gave way is
// needed once more, so it asks for that much less; and who would lose more than any newcomer needs comes before all of
// them.
func orderByNeed(newcomers []*trainee, now Seconds) {
	n := needs{now: now, smallest: math.Inf(1)}
	for _, j := range newcomers {
		switch {
		case len(j.lastPlan) == 0:
			n.smallest = min(n.smallest, j.leastTime)
		case j.runs() && !j.hopeful():
			n.greatest = max(n.greatest, j.leastTime)
		case j.runs() && j.inTimeWithWhatItHas(now):
			n.hoping = max(n.hoping, n.need(j))
		}
	}
	for _, j := range newcomers {
		j.asks = n.asks(j)
	}
	for _, j := range newcomers { // those that wait are the last of them, each after those that it waits for
		for _, other := range j.before {
			j.asks = max(j.asks, other.asks)
		}
	}
	byNeed.sort(newcomers)
	postponeLowerPriority(newcomers, n.class)
}

// needs is what newcomers need: the one that needs the least of those that were not planned yet, and the one that needs
// the most of those that run as they were planned, on what is sure; and of those that hope, and are in time with what
// they have.
type needs struct {
	now                        Seconds
	smallest, greatest, hoping float64
}

// claims are the rules by which a newcomer asks for GPU time: the first that is about it says for how much.
var claims = []func(needs, *trainee) (asks float64, says bool){
	needs.undoesNoChange, needs.takesNothingOnHope, needs.losesMoreThanAllNeed, needs.losesByGivingWay, needs.itsNeed,
}

func (n needs) asks(j *trainee) float64 {
	for _, claim := range claims {
		if asks, says := claim(n, j); says {
			return asks
		}
	}
	return 0
}

// undoesNoChange: for what is not sure either, no change is undone.
func (n needs) undoesNoChange(j *trainee) (float64, bool) {
	return n.greatest, j.hopeful() && j.runs() && j.BusyUntil > n.now
}

// takesNothingOnHope: on what is not sure nothing is taken from one that runs as planned, nor from one that hopes as
// well, and has what it hopes for: who has more workers seems to need more, and would take them back in turn.
func (n needs) takesNothingOnHope(j *trainee) (float64, bool) {
	return max(n.need(j), n.greatest, n.hoping), j.hopeful() && !j.inTimeWithWhatItHas(n.now)
}

// losesMoreThanAllNeed: who would lose more than any newcomer needs comes before all, those first that lose the most.
func (n needs) losesMoreThanAllNeed(j *trainee) (float64, bool) { return -j.stake, n.givesWayToNone(j) }

// losesByGivingWay: what a job would lose is needed once more.
func (n needs) losesByGivingWay(j *trainee) (float64, bool) {
	return n.need(j) - j.stake, j.losesMoreThan(0)
}

// itsNeed: all others ask for what they need.
func (n needs) itsNeed(j *trainee) (float64, bool) { return n.need(j), true }

// need is what a job needs. A plan that is there gives way to one that needs clearly less: not to and fro, as work is
// lost.
func (n needs) need(j *trainee) float64 {
	const clearly = 0.9
	if len(j.lastPlan) > 0 {
		return clearly * j.leastTime
	}
	return j.leastTime
}

func (n needs) givesWayToNone(j *trainee) bool { return j.losesMoreThan(n.smallest) }

// class is within which newcomers those of a higher priority go first.
func (n needs) class(j *trainee) int {
	const (
		givesWay  = iota
		stays     // it gives way to none
		onHope    // for what is not sure nobody gives way
		inItsTurn // each goes after those that it waits for
	)
	switch {
	case n.givesWayToNone(j):
		return stays
	case j.hopeful():
		return onHope
	case len(j.before) > 0 || len(j.behind) > 0:
		return inItsTurn
	}
	return givesWay
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

func goesBehindEarlier(a, b *position) int { return cmp.Compare(a.behind, b.behind) }
func higherPriority(a, b *position) int    { return cmp.Compare(b.job.Priority, a.job.Priority) }
func stoodEarlier(a, b *position) int      { return cmp.Compare(a.at, b.at) }

// Queues: first those that have less than they are guaranteed, then those of higher priority, then the one that has the
// least for its weight.

func belowItsGuarantee(a, b *tenant) int {
	return falseFirst(a.used >= a.guaranteed, b.used >= b.guaranteed)
}
func queueOfHigherPriority(a, b *tenant) int { return cmp.Compare(b.Priority, a.Priority) }
func lessForItsWeight(a, b *tenant) int      { return cmp.Compare(a.forItsWeight(), b.forItsWeight()) }
func queueByName(a, b *tenant) int           { return cmp.Compare(a.Name, b.Name) }

func (t *tenant) forItsWeight() float64 { return float64(t.used) / float64(max(t.Weight, 1)) }

func greaterFraction(a, b fraction) int { return cmp.Compare(b.of, a.of) }
func fractionByName(a, b fraction) int  { return cmp.Compare(a.queue, b.queue) }

// Growths: first those of jobs at risk, then those that gain for sure, then those that gain most for each GPU.

func ofJobAtRisk(a, b *growth) int  { return falseFirst(!a.atRisk, !b.atRisk) }
func surelyGains(a, b *growth) int  { return falseFirst(!a.tried, !b.tried) }
func gainsMore(a, b *growth) int    { return cmp.Compare(b.gain, a.gain) }
func growthByName(a, b *growth) int { return byName(a.job, b.job) }

// Moves: first those of jobs that cannot be in time where they are, then of others with a deadline.

func moreUrgent(a, b mover) int            { return cmp.Compare(a.job.urgencyOfMove(), b.job.urgencyOfMove()) }
func worseOff(a, b mover) int              { return cmp.Compare(b.stands, a.stands) }
func moverSubmittedEarlier(a, b mover) int { return submittedEarlier(a.job, b.job) }
func moverByName(a, b mover) int           { return byName(a.job, b.job) }

func (j *trainee) urgencyOfMove() int {
	switch {
	case j.doomed:
		return 0
	case j.aim != nil && j.known():
		return 1
	}
	return 2
}

func losesMore(a, b stopped) int     { return cmp.Compare(b.loss, a.loss) }
func stoppedByName(a, b stopped) int { return cmp.Compare(a.name, b.name) }

// Changes: first what is given back, then what is taken, by what it is for.

func givesBackMore(a, b step) int { return cmp.Compare(b.givesBack, a.givesBack) }

func moreUrgentCause(a, b step) int {
	return cmp.Compare(slices.Index(byUrgency, a.Reason), slices.Index(byUrgency, b.Reason))
}

var byUrgency = []ResizeCause{NodeLeaves, Stopped, GaveBack, RangeChanged, DeadlineRisk, Started, SpareCapacity}

func sooner(a, b cue) int              { return cmp.Compare(a.at, b.at) }
func toNothing(a, b cue) int           { return cmp.Compare(min(a.to, 1), min(b.to, 1)) }
func cueOfGreaterWorkers(a, b cue) int { return greaterWorkers(a.job, b.job) }
func cueByName(a, b cue) int           { return byName(a.job, b.job) }

// falseFirst puts that first of which something is not so.
func falseFirst(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}

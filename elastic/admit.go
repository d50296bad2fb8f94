package elastic

import "slices"

// patience bounds what a plan spends on making all reservations anew for the sake of one job more:
// it is the number of reservations that it may make for that.
const patience = 4096

// admit plans jobs one by one, those first that need the least GPU time: as they were planned before,
// or in the room that is left, or else by making all reservations anew. So a greater job gives way to
// smaller ones, and as many as possible are in time. What a job would lose if it gave way is needed
// once more, so that much it asks for less; and who would lose more than any newcomer needs gives way to none.
func (p *pool) admit(newcomers []*trainee) {
	orderByNeed(newcomers, p.now)
	left := max(patience, 2*len(p.jobs))
	for _, j := range newcomers {
		if j.hopeful() && j.Uninterruptible { // it could not be stopped when the hope fails
			continue
		}
		if p.tryOn(j) || p.planBesideEnding(j) {
			p.insert(j)
			continue
		}
		if left -= p.anew(); left > 0 {
			lent, goOn := p.borrowed, p.goingOn()
			p.instead(func() bool {
				p.insert(j)
				return p.reserveAnew(j.leastTime, j) && p.borrowed <= lent && p.oldPromisesStand() && !p.stopsOf(goOn, j)
			})
		}
		switch {
		case j.planned:
		case j.startsForGood():
			j.borrowing = p.wouldBorrow(j)
		case !j.hopeful() && !j.mustBePromised:
			p.hopeFor(j)
		}
	}
	p.letRunningGoOn(min(left, patience))
	p.growHopesSooner(patience)
	p.makePromises(newcomers)
}

// anew is how many reservations it takes to make all anew.
func (p *pool) anew() int { return len(p.holders) + len(p.kept) + len(p.onTrial) + 1 }

// letRunningGoOn lets those that run go on as it was planned where all others are in time all the same: a plan is made
// for each as soon as there is room, though that may be in the place of one that runs.
func (p *pool) letRunningGoOn(patience int) {
	goOn := map[*trainee]bool{}
	disturbed := func() []*trainee {
		var jobs []*trainee
		for _, j := range p.holders {
			if j.runs() && len(j.lastPlan) > 0 && !j.goesOnAsPlanned(p.now) {
				jobs = append(jobs, j)
			}
		}
		byLoss.sort(jobs)
		return jobs
	}
	for _, j := range disturbed() {
		if patience -= p.anew(); patience <= 0 {
			return
		}
		if j.goesOnAsPlanned(p.now) {
			continue
		}
		before, lent := len(disturbed()), p.borrowed
		goOn[j] = true
		goOn[j] = p.instead(func() bool {
			stands := func(j *trainee) bool { return goOn[j] || j.Promised && j.runs() }
			return p.layOut(stands, (*trainee).runs) && len(disturbed()) < before && p.borrowed <= lent && p.oldPromisesStand()
		})
	}
}

// goingOn are those that are planned to keep for the time being what they have.
func (p *pool) goingOn() (all []*trainee) {
	for _, j := range p.holders {
		if j.runs() && j.goesOnAsPlanned(p.now) {
			all = append(all, j)
		}
	}
	return all
}

// stopsOf says that for a job which only hopes to be in time one of some that went on is planned to stop for the time
// being, though it has the higher priority.
func (p *pool) stopsOf(goOn []*trainee, j *trainee) bool {
	return j.hopeful() && slices.ContainsFunc(goOn, func(other *trainee) bool {
		return other.queue == j.queue && other.Priority > j.Priority && other.planned && other.spans[0].From > p.now
	})
}

// goesOnAsPlanned says that a job is planned to keep for the time being what it has.
func (j *trainee) goesOnAsPlanned(now Seconds) bool {
	return j.planned && j.spans[0].From <= now && j.spans[0].Workers == j.Workers
}

func (p *pool) insert(j *trainee) {
	i, _ := slices.BinarySearchFunc(p.holders, j, byDeadline.compare)
	p.holders = slices.Insert(p.holders, i, j)
}

// makePromises makes promises of plans. A promise cannot be taken back for the sake of a job that needs
// less, so it is made where it will not turn such jobs away: to the tenth of jobs that need the least
// GPU time, unless that is more than a thirtieth of what there is before the deadline (a job that is alone
// always needs the least); and to all, as long as plans together take less than a tenth of it.
// Promises never have more than their share of the GPUs at a time, or what their queue is guaranteed;
// and none is made on what another queue is guaranteed, though nobody asks for that at present.
// Whoever waits for a promise is promised its deadline when its plan begins, and not before: until
// then it gives way like all others.
func (p *pool) makePromises(newcomers []*trainee) {
	const tenth, thirtieth = 0.1, 1. / 30
	planned, promised := load{p.timeline}.spent(), load{newTimeline(p.common, p.shares, p.moments)}
	var least []float64
	for _, j := range p.jobs {
		j.promise = j.Promised && !j.doomed
		if j.promise {
			promised.add(j)
		}
		j.promise = j.promise || j.fixed() && !j.Lent && j.planned && !j.hopeful() && !j.Doubted
		if j.planned || j.atRisk() {
			least = append(least, j.leastTime)
		}
	}
	slices.Sort(least)
	share := GPUs(p.settings.PromiseShare * float64(p.total))
	mayPromise := func(j *trainee) bool {
		if j.waits() || j.serving() { // it has no deadline, or nobody can promise when it begins
			return false
		}
		before := float64(p.total) * float64(*j.aim-p.now)
		few := planned(*j.aim) <= tenth*before
		small := j.leastTime <= least[int(tenth*float64(len(least)-1))] && j.leastTime <= thirtieth*before
		return j.mustBePromised && j.spans[0].From <= p.now || (few || small) && promised.leaves(j, share)
	}
	for _, j := range newcomers {
		if j.hopeful() || j.Doubted || !j.planned && !p.planOverTurns(j, mayPromise) && !p.planOverTrials(j, mayPromise) {
			continue
		}
		j.promise = mayPromise(j) && (j.mustBePromised || p.hasMargin(j))
		if j.borrowing = !j.startsForGood() && !p.secured.stands(j); j.borrowing {
			p.withhold(j)
		}
		if j.promise = j.promise && !j.borrowing; j.promise {
			promised.add(j)
			if !j.startsForGood() {
				p.secured.add(j)
			}
		}
	}
	p.promiseOnNodes(newcomers)
	p.holders = slices.DeleteFunc(p.holders, func(j *trainee) bool { return !j.planned })
}

// takeBackPromise makes a mere plan of a promise that was not told yet.
func (p *pool) takeBackPromise(j *trainee) {
	if j.promise && !j.startsForGood() && !j.fixed() {
		p.secured.put(j, j.spans, -1)
	}
	j.promise = false
}

// withhold makes no promise to a job. One that waits for a promise may not begin, nor one that only a promise made room
// for: those that it took from keep what they have.
func (p *pool) withhold(j *trainee) {
	j.promise = false
	if !j.overTrials && (!j.mustBePromised || j.Workers > 0) {
		return
	}
	p.timeline.release(j)
	if j.overTrials {
		p.holdAgain()
	}
}

// load adds up the reservations of all queues.
type load struct{ *timeline }

func (l load) add(j *trainee) { l.put(j, j.spans, 1) }

// put adds spans of a job to what is reserved, or takes them away.
func (l load) put(j *trainee, spans []Span, sign GPUs) {
	for _, s := range spans {
		l.take(j.queue, s.From, s.To, sign*j.need(s.Workers))
	}
}

// swap has a job have a reservation in the place of another, if there is room for it.
func (l load) swap(j *trainee, had, gets []Span) bool {
	return l.instead(j, had, gets, func() bool { return l.hasAll(j, gets) })
}

// spent tells the GPU time that is reserved before some moment, whatever is reserved later on.
func (l load) spent() func(until Seconds) float64 {
	at, taken := slices.Clone(l.at), slices.Clone(l.taken)
	before := make([]float64, len(at)) // each segment
	for i := range at[1:] {
		before[i+1] = before[i] + float64(taken[i])*float64(at[i+1]-at[i])
	}
	return func(until Seconds) float64 {
		i := (&timeline{at: at}).segment(until)
		return before[i] + float64(taken[i])*float64(until-at[i])
	}
}

// leaves says whether a job's reservation leaves all but a share of the GPUs to others at any time,
// or is within what its queue is guaranteed.
func (l load) leaves(j *trainee, share GPUs) bool {
	for _, s := range j.spans {
		need := j.need(s.Workers)
		for i := l.segment(s.From); i < len(l.at) && l.at[i] < s.To; i++ {
			if l.taken[i]+need > share && l.used[j.queue][i]+need > l.shares[j.queue].guaranteed {
				return false
			}
		}
	}
	return true
}

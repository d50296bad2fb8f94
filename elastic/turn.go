package elastic

// holdTurns reserves their smallest size for jobs that have waited for as long as they may have to wait, and for those
// that were started for that, until their turn is over. Promises come before them, what other queues are guaranteed,
// and what those have that run for a deadline. Who runs without one may shrink for them, and is not stopped.
func (p *pool) holdTurns() {
	stays := make([]GPUs, len(p.tenants)) // by queue, with those that run, and for whom nothing is reserved so far
	all := GPUs(0)
	keeps := func(j *trainee, sign GPUs) {
		if j.runs() && !j.unread && !j.fixed() { // these have what they need by now
			gpus := sign * p.leastStays(j)
			stays[j.queue], all = stays[j.queue]+gpus, all+gpus
		}
	}
	for _, j := range p.jobs {
		keeps(j, 1)
		switch {
		case !j.takesTurns():
		case j.startsItsTurn(p.now), j.runs() && j.TurnUntil > p.now+turnsEnd:
			p.turns = append(p.turns, j)
		case !j.runs():
			p.wake = min(p.wake, j.mayHaveToWaitUntil())
		}
	}
	byTurn.sort(p.turns)
	for _, j := range p.turns {
		keeps(j, -1)
		if !p.holdTurn(j, all, stays[j.queue]) {
			keeps(j, 1)
		}
	}
}

// turnsEnd is how long before its end a turn is over: what is reckoned is not exact.
const turnsEnd = 1

// holdTurn holds the smallest size of a job beside what others keep, in all and of its queue: for its turn, or for as
// long as there is room if that is long enough to train for as long as its start costs.
func (p *pool) holdTurn(j *trainee, all, ofQueue GPUs) bool {
	size, until := j.counted[0].Workers, j.TurnUntil
	need := j.need(size)
	if !j.runs() {
		until = p.now + j.Pause + j.MaxWait
	}
	until = p.timeline.roomUntil(j.queue, p.now, p.timeline.roundUp(until), need)
	if until <= p.now || !j.runs() && until < p.paidBackAt(j) {
		return false
	}
	t := &p.tenants[j.queue]
	if p.timeline.taken[0]+all+need > p.total || p.timeline.used[j.queue][0]+ofQueue+need > t.own() {
		return false
	}
	j.trial, j.turn = Span{p.now, until, size}, true
	p.takeTrial(j, 1)
	if j.runs() {
		p.wake = min(p.wake, until)
	}
	return true
}

// holdTurnsAgain does so where all reservations are made anew.
func (p *pool) holdTurnsAgain() {
	for _, j := range p.turns {
		p.takeTrial(j, 1)
	}
}

// holdTurnsThatFit does so for those that wait, and have lost it to a promise, where there is room all the same.
func (p *pool) holdTurnsThatFit() {
	for _, j := range p.turns {
		if s := j.turnLost; s.Workers > 0 && p.timeline.has(j.queue, s.From, s.To, j.need(s.Workers)) {
			j.trial, j.turnLost = s, Span{}
			p.takeTrial(j, 1)
		}
	}
}

// planOverTurns plans a job that there is no room for beside those that wait and whose turn it is, if there is room
// without them, and the plan may be promised. They keep what there still is room for.
func (p *pool) planOverTurns(j *trainee, mayPromise func(*trainee) bool) bool {
	if j.startsForGood() {
		return false
	}
	some := false
	for _, t := range p.turns {
		if !t.runs() && t.trial.Workers > 0 {
			p.takeTrial(t, -1)
			t.trial, t.turnLost, some = Span{}, t.trial, true
		}
	}
	if !some {
		return false
	}
	planned := p.planOverOthers(j, func(j *trainee) bool { return mayPromise(j) && (j.mustBePromised || p.hasMargin(j)) })
	p.holdTurnsThatFit()
	return planned
}

// takesTurns says that the wait of a job is bounded. It is not while the job may still be in time for a deadline, as it
// goes by that; nor while it waits for a promise; nor is one that is not to be interrupted ever held to a turn.
func (j *trainee) takesTurns() bool {
	return j.MaxWait > 0 && len(j.counted) > 0 && !j.Uninterruptible && !j.mayBeInTime() && !j.planned && !j.unread &&
		j.goesOnWith() == 0 && (j.runs() || !j.mustWait())
}

// leastStays is what a job that runs keeps at least where another has its turn, beyond what is reserved for it by now:
// all that it has, if it runs for a deadline or nothing is known of it.
func (p *pool) leastStays(j *trainee) GPUs {
	switch is := j.asItIs(); {
	case j.ending && j.trial.Workers > 0:
		return 0
	case is > 0:
		return j.need(is - min(is, j.trial.Workers))
	case len(j.counted) == 0:
		return j.need(j.Workers)
	case j.planned: // it may go on until that begins
		return j.need(max(0, min(j.Workers, j.counted[0].Workers)-p.owed(j)))
	case j.mayBeInTime():
		return j.need(j.Workers)
	}
	return j.need(min(j.Workers, j.counted[0].Workers))
}

// mayHaveToWaitUntil is when the turn of a job comes that waits.
func (j *Job) mayHaveToWaitUntil() Seconds { return max(j.Submitted, j.WaitsSince) + j.MaxWait }

// startsItsTurn says that a job which waits has waited for as long as it may have to.
func (j *Job) startsItsTurn(now Seconds) bool {
	return j.MaxWait > 0 && j.Workers == 0 && now >= j.mayHaveToWaitUntil()
}

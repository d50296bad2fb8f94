package elastic

// trialOf is what it takes to measure a job at a size from now on.
func (p *pool) trialOf(j *trainee, size Workers) Span {
	return Span{p.now, p.timeline.roundUp(max(p.now, p.busy(j, size)) + p.measuring(j)), size}
}

// measuring is how long a job trains until it is measured.
func (p *pool) measuring(j *trainee) Seconds {
	return max(Seconds(p.settings.Cooldown)*j.Pause, glance)
}

// trialUnderWay is what is left of it for a job that runs, or what one that is about to end has until then.
func (p *pool) trialUnderWay(j *trainee) Span {
	if j.ending {
		return Span{p.now, p.lastsUntil(j), j.Workers}
	}
	s := p.trialOf(j, j.Workers)
	if left := p.measuring(j) - j.Trained; left > rounding {
		s.To = p.timeline.roundUp(max(p.now, j.BusyUntil) + left)
	}
	return s
}

// goesOnUntil is when a job will have ended or be measured, as far as anybody can tell, whose trial is over by some
// moment. Of one that has told nothing by the end of a trial nobody can say when it does: it goes on as it is until its
// deadline, by which it is to have ended, or for good.
func (p *pool) goesOnUntil(j *trainee, over Seconds) Seconds {
	switch {
	case j.ending || j.Trained < p.measuring(j):
		return over
	case j.aim != nil && *j.aim > over:
		return p.timeline.roundUp(*j.aim)
	default:
		return forever
	}
}

// holdTrials reserves for jobs that run, and of which nothing is known, what they have, for as long as it takes to
// measure them: nobody can say what a change would cost them. Only promises come before that, and what other queues are
// guaranteed. So it is with those that are about to end, but for plans that cannot wait for that.
func (p *pool) holdTrials() {
	for _, j := range p.jobs {
		j.ending = j.aboutToEnd(p.now)
		if j.goesOnWith() > 0 && !j.fixed() && !j.unread {
			p.onTrial = append(p.onTrial, j)
		}
	}
	byTrial.sort(p.onTrial)
	p.holdTrialsThatFit()
	p.postponePromises()
}

// holdTrialsThatFit reserves, where nothing is reserved for them, the smallest size of each, and then all that it has,
// as far as there is room: so all give something before one of them has to stop.
func (p *pool) holdTrialsThatFit() {
	for _, j := range p.onTrial {
		j.trial = Span{}
	}
	for _, size := range []func(*trainee) Workers{(*trainee).goesOnWithAtLeast, (*trainee).goesOnWith} {
		for _, j := range p.onTrial {
			if workers := size(j); workers > j.trial.Workers {
				p.holdTrial(j, workers)
			}
		}
	}
}

// holdTrial reserves a size for a job instead of a smaller one, for as long as there is room, if that is long enough
// for its trial.
func (p *pool) holdTrial(j *trainee, size Workers) {
	s := p.trialUnderWay(j)
	p.takeTrial(j, -1)
	if until := p.timeline.roomUntil(j.queue, s.From, p.goesOnUntil(j, s.To), j.need(size)); until >= s.To {
		j.trial = Span{s.From, until, size}
	}
	p.takeTrial(j, 1)
}

// takeTrial takes what a job needs for its trial, or gives it back.
func (p *pool) takeTrial(j *trainee, sign GPUs) {
	p.timeline.take(j.queue, j.trial.From, j.trial.To, sign*j.need(j.trial.Workers))
}

// takeTrials does so for all that go on as they are.
func (p *pool) takeTrials(sign GPUs) {
	for _, j := range p.onTrial {
		p.takeTrial(j, sign)
	}
}

// planOverTrials plans a job that there is no room for beside those that go on as they are, if there is room without
// them, and the plan may be promised. They keep what there still is room for.
func (p *pool) planOverTrials(j *trainee, mayPromise func(*trainee) bool) bool {
	const most = 16 * patience
	if len(p.onTrial) == 0 || j.startsForGood() || p.heldAgain > most {
		return false
	}
	p.heldAgain += len(p.onTrial)
	return p.insteadOfTrials(func() bool { return p.planOverOthers(j, mayPromise) })
}

// planOverOthers plans a job where others have given up what was reserved for them, if the plan may be promised.
func (p *pool) planOverOthers(j *trainee, mayPromise func(*trainee) bool) bool {
	if p.timeline.reserve(j) && (!mayPromise(j) || !p.secured.stands(j)) {
		p.timeline.release(j)
	}
	if j.overTrials = j.planned; j.planned {
		p.insert(j)
	}
	return j.planned
}

// holdAgain has those that go on as they are keep what there is room for by now.
func (p *pool) holdAgain() {
	p.takeTrials(-1)
	p.holdTrialsThatFit()
	p.holdTurnsThatFit()
}

// goesOnWith is what is reserved for a job that runs, to go on with, where there is room: as nothing is known of it, or
// until it ends. It is 0 for any other.
func (j *trainee) goesOnWith() Workers {
	if j.ending {
		return j.Workers
	}
	return j.asItIs()
}

// goesOnWithAtLeast is the least of that: one that is about to end has nothing to gain by a smaller size.
func (j *trainee) goesOnWithAtLeast() Workers {
	if j.ending {
		return j.Workers
	}
	return j.counted[0].Workers
}

// goesOnHeld says that something is reserved for a job that runs, to go on with: as nothing is known of it, until it
// ends, or for its turn.
func (j *trainee) goesOnHeld() bool {
	return j.goesOnTrial() || (j.turn || j.ending) && j.runs() && j.trial.Workers > 0
}

// goesOnTrial says that something is reserved for a job that runs, and of which nothing is known: to go on as it does.
func (j *trainee) goesOnTrial() bool { return j.trial.Workers > 0 && j.asItIs() > 0 }

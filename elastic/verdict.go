package elastic

import (
	"fmt"
	"math"
	"slices"
)

// verdict is how a job stands with its deadline, as it is planned, and starts if it does not train yet.
func (j *trainee) verdict(starts *Seconds) Verdict {
	switch {
	case j.Deadline == nil || j.UnknownWork:
		return BestEffort
	case j.homeless() || j.waits() && j.inVain() || j.startsLate(starts):
		return AtRisk
	case !j.known():
		return Estimating
	case j.doomed && !j.possibleElsewhere:
		return Infeasible
	case j.planned && !j.hopeful():
		return OnTrack
	case j.waits() && !j.planned && j.released == forever:
		return Estimating
	}
	return AtRisk
}

// mayTurnOutLate says that a job which is in time by all that is known of its speed would not be if it became slower
// once more.
func (j *trainee) mayTurnOutLate(o Outcome) bool {
	return o.Verdict == OnTrack && j.Hindsight > 1 && o.LateEnd != nil && *o.LateEnd > *j.Deadline
}

// byPlan is the verdict without hindsight.
func (o Outcome) byPlan() Verdict {
	if o.ByHindsight {
		return OnTrack
	}
	return o.Verdict
}

// startsLate says that a job of which nothing is known is not expected to start before its deadline.
func (j *trainee) startsLate(starts *Seconds) bool {
	return !j.known() && starts != nil && *starts >= *j.Deadline
}

// homeless says that a job whose speed is known fits on no node at present, at any of its sizes.
func (j *trainee) homeless() bool {
	return len(j.fit) == 0 && slices.ContainsFunc(j.Sizes, func(s Size) bool { return max(s.Speed, s.Expected) > 0 })
}

// message is the verdict on a job in a sentence or two: what its owner should know, and do.
func (p *pool) message(j *trainee, o Outcome) string {
	if j.Believed != "" && o.ExpectedEnd != nil {
		return fmt.Sprintf("%s That goes by %s.", p.verdictOn(j, o), j.Believed)
	}
	return p.verdictOn(j, o)
}

func (p *pool) verdictOn(j *trainee, o Outcome) string {
	if said := p.afterOthers(j, o); said != "" {
		return said
	}
	switch o.Verdict {
	case BestEffort:
		if j.Deadline != nil {
			return "Nobody can tell how much work is left, so its deadline cannot be watched: it runs as best-effort. " +
				"Let the training report its progress as a part of the whole."
		}
		return "It has no deadline: it runs on what others leave."
	case Estimating:
		return "Nothing is known of its speed yet: the verdict follows once it has trained for a while."
	case Infeasible:
		return p.infeasible(j, o)
	case OnTrack:
		kind := "The deadline is planned for, but not promised: the plan gives way to jobs that need less."
		switch {
		case j.promise:
			kind = "The deadline is promised."
		case j.borrowing:
			kind = "The deadline is planned for, but not promised: other queues are guaranteed the GPUs that it takes, and " +
				"get them as soon as they ask."
		case j.mustWait():
			kind = "The deadline is planned for, and is promised once the job starts: until then the plan gives way to jobs " +
				"that need less."
		case j.Doubted:
			kind = "The deadline is planned for, but not promised: nobody has measured how fast the job is."
		}
		if len(p.behind(j)) > 0 {
			return kind + fmt.Sprintf(" It will be met if the job starts within %s.", Shorten(j.startsBy()-p.now))
		}
		return kind + " " + j.onTrack(o)
	case AtRisk:
		return p.atRisk(j, o)
	}
	return ""
}

// onTrack says how a deadline is met that the verdict counts on. It goes by what is as likely as LateEnd: where the end
// that people are told at worst lies beyond the deadline, which is as rare again, that would deny the verdict.
func (j *trainee) onTrack(o Outcome) string {
	switch spare := *j.Deadline - *o.Latest; {
	case spare <= -1:
		return "It will be met in nine cases of ten at least: in the others, no larger size that it could have is sure to " +
			"help."
	case spare < 1:
		return "At worst it will be met just in time."
	default:
		return fmt.Sprintf("At worst it will be met with %s to spare.", Shorten(spare))
	}
}

// atRisk says what is lacking.
func (p *pool) atRisk(j *trainee, o Outcome) string {
	switch {
	case j.homeless():
		if j.Promised {
			return fmt.Sprintf("The promise to meet its deadline is in danger: it cannot train at present, and its deadline "+
				"is in %s.", Shorten(*j.Deadline-p.now))
		}
		return fmt.Sprintf("It cannot train at present, and its deadline is in %s.", Shorten(*j.Deadline-p.now))
	case j.startsLate(o.Starts):
		if *j.Deadline <= p.now {
			return fmt.Sprintf("Its deadline passed %s ago, and it has not started.", Shorten(p.now-*j.Deadline))
		}
		return fmt.Sprintf("It is not expected to start before its deadline, which is in %s. Give it more time, or say how "+
			"long it takes (expected), so that it can be planned for.", Shorten(*j.Deadline-p.now))
	case j.doomed:
		return fmt.Sprintf("It cannot meet its deadline, which is in %s, on the GPUs that it waits for now, but could on "+
			"others that it may have: "+
			"it goes there once there is room for it.", Shorten(*j.Deadline-p.now))
	case p.mayStartLate(j):
		return fmt.Sprintf("It is planned to meet its deadline, and does if it starts within %s: nobody can tell whether "+
			"the GPUs that it waits for are free by then.", Shorten(j.startsBy()-p.now))
	case j.planned:
		return j.unsure(o)
	case j.borrowing && j.mustWait():
		return "It would meet its deadline, but that cannot be promised: other queues are guaranteed the GPUs that it " +
			"takes, though nobody asks for these now. " +
			"Let it start without a promise (guarantee: BestEffort), or let its queue be guaranteed more."
	case j.borrowing && j.Uninterruptible && j.Workers == 0:
		return "It would meet its deadline, but is not to be interrupted, and other queues are guaranteed the GPUs that it " +
			"would keep until it ends, though nobody asks for these now. " +
			"Let it be interrupted, or let its queue be guaranteed more."
	case j.hopeful() && j.mustWait() && !j.runs():
		return "It may well meet its deadline, but that cannot be promised: its speed is not known well enough yet. " +
			"Let it start without a promise (guarantee: BestEffort), or give it more time."
	}
	need := fmt.Sprintf("It takes at least %s of GPU time, and its deadline is in %s: there is no room for that "+
		"beside what is planned for others.", Shorten(Seconds(j.leastTime)), Shorten(*j.Deadline-p.now))
	if j.Promised {
		need = "The promise to meet its deadline cannot be kept: GPUs were lost, or it trains more slowly than it did. " +
			need
	}
	if j.inTime(o) {
		return need + inTimeAsItIs
	}
	return need + " It will be in time only if GPUs become free."
}

// unsure says of a job whose plan counts on more than is sure how likely that is.
func (j *trainee) unsure(o Outcome) string {
	const unknown = "its speed is not known well enough yet."
	switch {
	case o.ByHindsight:
		return fmt.Sprintf("It is expected to meet its deadline with %s to spare, but it has turned out slower than "+
			"expected before: if it does so again, it ends %s after its deadline.",
			Shorten(*j.Deadline-*o.ExpectedEnd), Away(*o.Latest-*j.Deadline))
	case o.ExpectedEnd == nil:
		return "It may well meet its deadline, and is planned to, but that is not sure: " + unknown
	case !j.inTime(o):
		return fmt.Sprintf("It is expected to miss its deadline by %s. It will be in time only if it turns out to be "+
			"faster than that, "+
			"as it may: %s", Away(*o.ExpectedEnd-*j.Deadline), unknown)
	case o.LateEnd != nil && *o.LateEnd > *j.Deadline:
		return fmt.Sprintf("It is expected to meet its deadline with %s to spare, but at worst it will end %s after it: %s",
			Shorten(*j.Deadline-*o.ExpectedEnd), Away(*o.Latest-*j.Deadline), unknown)
	}
	return fmt.Sprintf("It is expected to meet its deadline with %s to spare, but that is not sure: %s",
		Shorten(*j.Deadline-*o.ExpectedEnd), unknown)
}

// inTime says whether a job is expected to meet its deadline, by what is known of its speed.
func (j *trainee) inTime(o Outcome) bool {
	return o.ExpectedEnd != nil && *o.ExpectedEnd <= *j.Deadline
}

// needingRest goes with a size of which others have taken a part.
const needingRest = " left: others need the rest of its GPUs more."

// inTimeAsItIs goes with what is lacking for a job that is in time with GPUs which it cannot count on.
const inTimeAsItIs = " With the GPUs that it has now it would be in time, as long as others leave it those."

// infeasible says what would do.
func (p *pool) infeasible(j *trainee, o Outcome) string {
	goesOn := " It goes on as best-effort."
	if j.inTime(o) {
		goesOn += inTimeAsItIs
	}
	if j.gets == 0 {
		goesOn = " It starts as best-effort once GPUs are free."
	}
	if j.Workers == 0 && j.mustWait() {
		goesOn = " It does not start, since it is to start only with a promise."
	}
	if j.Promised {
		goesOn = " So the promise that was made cannot be kept." + goesOn
	}
	until := *j.Deadline - p.now
	if until <= 0 {
		return fmt.Sprintf("Its deadline passed %s ago.", Shorten(-until)) + goesOn
	}
	promisable := p.promisable(j)
	most := j.largestOf(j.sureSizes(), promisable)
	if most.Workers == 0 {
		least := j.need(j.counted[0].Workers)
		if least > p.total {
			return fmt.Sprintf("It needs %s at least, and the nodes have %d beside pods that Takt does not look after: "+
				"let it need fewer, add nodes, or wait until such pods have gone.", CountGPUs(least), p.total) + goesOn
		}
		return fmt.Sprintf("It needs %s at least, and its deadline can count on %d: let it have fewer workers, "+
			"or its queue %q a greater share.", CountGPUs(least), promisable, j.Queue) + goesOn
	}
	pause, left := j.Pause, j.todo+j.loses(j.Workers, j.todo)
	if most.Workers == j.Workers {
		pause, left = max(0, j.BusyUntil-p.now), j.todo
	}
	takes := pause + most.train(left) + j.Closing.Longest // what is promised on
	// People add and subtract these: what is given must do for what is shown.
	may, within := roundUp(max(takes, until+1)), roundDown(until)
	sentence := fmt.Sprintf("Even with %s, the most that its deadline can count on, it may take %s more, and its "+
		"deadline is in %s: "+
		"give it %s more time", j.count(most.Workers), Shorten(may), Shorten(within), Shorten(roundUp(may-within)))
	has := until - pause - j.Closing.Longest
	if faster := float64(most.train(left)) / float64(has); has > 0 && faster < 100 {
		sentence += fmt.Sprintf(", or workers that are together %.1f times as fast", max(1.1, math.Ceil(faster*10)/10))
	}
	return sentence + "." + goesOn
}

// promisable is what a promise to a job may count on at most.
func (p *pool) promisable(j *trainee) GPUs {
	return newTimeline(p.common, p.shares, p.moments[:1]).room(j.queue, 0)
}

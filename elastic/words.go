package elastic

import (
	"fmt"
	"math"
	"slices"
)

// message is the verdict on a job in a sentence or two: what its owner should know, and do.
func (p *pool) message(j *trainee, o Outcome) string {
	if j.Believed != "" && o.Expected != nil {
		return fmt.Sprintf("%s That goes by %s.", p.verdictOn(j, o), j.Believed)
	}
	return p.verdictOn(j, o)
}

func (p *pool) verdictOn(j *trainee, o Outcome) string {
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
			kind = "The deadline is planned for, but not promised: other queues are guaranteed the GPUs that it takes, and get them as soon as they ask."
		case j.mustWait():
			kind = "The deadline is planned for, and is promised once the job starts: until then the plan gives way to jobs that need less."
		case j.Doubted:
			kind = "The deadline is planned for, but not promised: nobody has measured how fast the job is."
		}
		return fmt.Sprintf("%s At worst it will be met with %s to spare.", kind, Shorten(*j.Deadline-*o.Late))
	case AtRisk:
		return p.atRisk(j, o)
	}
	return ""
}

// atRisk says what is lacking.
func (p *pool) atRisk(j *trainee, o Outcome) string {
	switch {
	case j.homeless():
		if j.Promised {
			return fmt.Sprintf("The promise to meet its deadline is in danger: it cannot train at present, and its deadline is in %s.", Shorten(*j.Deadline-p.now))
		}
		return fmt.Sprintf("It cannot train at present, and its deadline is in %s.", Shorten(*j.Deadline-p.now))
	case j.doomed:
		return fmt.Sprintf("It cannot meet its deadline, which is in %s, on the GPUs that it waits for now, but could on others that it may have: "+
			"it goes there once there is room for it.", Shorten(*j.Deadline-p.now))
	case j.planned:
		return j.unsure(o)
	case j.borrowing && j.mustWait():
		return "It would meet its deadline, but that cannot be promised: other queues are guaranteed the GPUs that it takes, though nobody asks for these now. " +
			"Let it start without a promise (guarantee: BestEffort), or let its queue be guaranteed more."
	case j.borrowing && j.Uninterruptible && j.Workers == 0:
		return "It would meet its deadline, but is not to be interrupted, and other queues are guaranteed the GPUs that it would keep until it ends, though nobody asks for these now. " +
			"Let it be interrupted, or let its queue be guaranteed more."
	case j.hopeful() && j.mustWait():
		return "It may well meet its deadline, but that cannot be promised: its speed is not known well enough yet. " +
			"Let it start without a promise (guarantee: BestEffort), or give it more time."
	}
	need := fmt.Sprintf("It takes at least %s of GPU time, and its deadline is in %s: there is no room for that "+
		"beside what is planned for others.", Shorten(Seconds(j.leastTime)), Shorten(*j.Deadline-p.now))
	if j.Promised {
		need = "The promise to meet its deadline cannot be kept: GPUs were lost, or it trains more slowly than it did. " + need
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
	case o.Expected == nil:
		return "It may well meet its deadline, and is planned to, but that is not sure: " + unknown
	case !j.inTime(o):
		return fmt.Sprintf("It is expected to miss its deadline by %s. It will be in time only if it turns out to be faster than that, "+
			"as it may: %s", Shorten(*o.Expected-*j.Deadline), unknown)
	case o.Late != nil && *o.Late > *j.Deadline:
		return fmt.Sprintf("It is expected to meet its deadline with %s to spare, but at worst it will end %s after it: %s",
			Shorten(*j.Deadline-*o.Expected), Shorten(*o.Late-*j.Deadline), unknown)
	}
	return fmt.Sprintf("It is expected to meet its deadline with %s to spare, but that is not sure: %s", Shorten(*j.Deadline-*o.Expected), unknown)
}

// inTime says whether a job is expected to meet its deadline, by what is known of its speed.
func (j *trainee) inTime(o Outcome) bool { return o.Expected != nil && *o.Expected <= *j.Deadline }

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
	pause, left := j.Pause, j.Left+j.loses(j.Workers, j.Left)
	if most.Workers == j.Workers {
		pause, left = max(0, j.BusyUntil-p.now), j.Left
	}
	takes := pause + most.train(left)
	// People add and subtract these: what is given must do for what is shown.
	may, within := roundUp(max(takes, until+1)), roundDown(until)
	sentence := fmt.Sprintf("Even with %s, the most that its deadline can count on, it may take %s more, and its deadline is in %s: "+
		"give it %s more time", Count(most.Workers), Shorten(may), Shorten(within), Shorten(roundUp(may-within)))
	if faster := float64(most.train(left)) / float64(until-pause); until > pause && faster < 100 {
		sentence += fmt.Sprintf(", or workers that are together %.1f times as fast", max(1.1, math.Ceil(faster*10)/10))
	}
	return sentence + "." + goesOn
}

// promisable is what a promise to a job may count on at most.
func (p *pool) promisable(j *trainee) GPUs {
	return newTimeline(p.common, p.shares, p.moments[:1]).room(j.queue, 0)
}

// why says in a sentence why a job has the size that it has.
func (p *pool) why(j *trainee, reason Reason) string {
	has := has + Count(j.gets)
	if j.fixed() {
		return has + ", and keeps its size until it ends, as it is not to be interrupted."
	}
	if j.Workers == 0 {
		has = startsWith + Count(j.gets)
	}
	switch reason {
	case ForDeadline:
		return has + p.forDeadline(j)
	case FreeGPUs:
		_, more := j.next(j.gets)
		switch {
		case j.gets < j.Workers && j.measured && !more && offers(j.fit, j.Workers):
			return fmt.Sprintf("%s: %d were no faster.", has, j.Workers)
		case j.gets < j.Workers:
			return has + needingRest
		}
		return has + ": nobody needs these GPUs more at present."
	case KeptSize:
		if j.clings && j.gets == j.Workers {
			return fmt.Sprintf("%s, as before: a resize would lose %s of training, and that is more than others could make of its GPUs.", has, Shorten(j.loss(p.now)))
		}
		next, ok := j.next(j.gets)
		switch {
		case j.reason == ForDeadline:
			return has + p.forDeadline(j)
		case j.gets >= min(p.workersOnNodes(j.gpus), j.Sizes[len(j.Sizes)-1].Workers):
			return has + ", as before: that is the most that it can have."
		case (!ok || j.guessed(next.Workers)) && j.Doubted:
			return has + ", as before: nobody has measured yet whether more would make it faster."
		case !ok:
			return has + ", as before: more would not make it faster."
		case min(p.free, p.tenants[j.queue].room()) < j.need(next.Workers-j.gets):
			return has + ", as before: there are not enough free GPUs to grow."
		}
		return has + ", as before."
	case SmallestSize:
		if j.gets > j.Sizes[0].Workers {
			return has + needingRest
		}
		return has + ", its smallest size: others need the rest of its GPUs more."
	case ToBeMeasured:
		return has + ", to find out how fast it trains."
	case StartsLater:
		if in := Shorten(j.spans[0].From - p.now); j.Promised && len(j.Elsewhere) > 0 {
			return fmt.Sprintf("It starts in %s: its deadline was promised on GPUs of pool %q, so it takes no others, and until then others have those.", in, j.Pool)
		}
		return fmt.Sprintf("It starts in %s: until then others have the GPUs that it is to have, and it is still in time.",
			Shorten(j.spans[0].From-p.now))
	case QueueFull:
		return fmt.Sprintf("It waits: its queue %q has all the GPUs that it may have.", j.Queue)
	case Fragmented:
		if j.gets == 0 {
			has = "It waits"
		}
		return fmt.Sprintf("%s: more GPUs are free, but not %d on one node, as each worker needs.", has, j.gpus)
	case NotPromised:
		if j.planned {
			return fmt.Sprintf("It waits: it starts in %s, and is promised its deadline then, unless jobs that need less come before.",
				Shorten(j.spans[0].From-p.now))
		}
		return "It waits: it is to start only once its deadline can be promised."
	case NoSizes:
		return p.noSizes(j)
	case NotWorthIt:
		if lost := j.loss(p.now); lost > j.Pause && j.Unsaved {
			return fmt.Sprintf("%s: GPUs are free, but no checkpoint of it was ever seen, so a resize would lose all that it has trained, %s.", has, Shorten(lost))
		}
		return has + ": GPUs are free, but it has too little left to do to make up for the pause of a resize."
	case Cooldown:
		return has + ": GPUs are free, but it has only just got this size."
	case Brief:
		if j.gets == 0 {
			has = "It waits"
		}
		if j.Uninterruptible {
			return has + ": GPUs are free, but others need them before it would end, or are guaranteed them, and it is not to be interrupted."
		}
		return has + ": GPUs are free, but others need them too soon for it to gain anything by them."
	case CheckpointSoon:
		return has + ": GPUs are free, and it grows right after its next checkpoint, since it loses less then."
	case NoRoom:
		if j.Workers > 0 {
			return "It is stopped, and waits: others need its GPUs more."
		}
		return "It waits: others need the GPUs more."
	}
	return ""
}

// forDeadline says of a size that is planned for a deadline whether that takes it: a plan may have more.
func (p *pool) forDeadline(j *trainee) string {
	does := p.enough(j)
	switch {
	case j.hopeful():
		return ": that is what is planned for its deadline."
	case j.gets == j.Sizes[0].Workers:
		return ": that is enough for its deadline."
	case does == j.gets:
		return ": that is what its deadline takes."
	case j.gets == j.Workers && j.changeCostsMore():
		return fmt.Sprintf(", as before: %d would do for its deadline, and a change would cost more GPU time than it saves.", does)
	case slices.IndexFunc(j.thrifty, withWorkers(does)) > slices.IndexFunc(j.thrifty, withWorkers(j.gets)):
		return fmt.Sprintf(", as planned: %d would do for its deadline as well, but take more GPU time.", does)
	}
	return fmt.Sprintf(", as planned: %d would do for its deadline as well.", does)
}

// noSizes says what the smallest size of a job needs, and why that is nowhere to be had.
func (p *pool) noSizes(j *trainee) string {
	largest := GPUs(0)
	for _, n := range p.nodes {
		largest = max(largest, n.GPUs)
	}
	switch {
	case largest == 0:
		return "It waits: pods that Takt does not look after have all GPUs that it may have, or their nodes are away. It starts when some are free."
	case largest < j.gpus:
		return fmt.Sprintf("It waits: each worker needs %s on one node, and no node has more than %d that it may have: "+
			"let its workers have fewer, or add a node.", CountGPUs(j.gpus), largest)
	}
	return fmt.Sprintf("It waits: at its smallest it is %s of %s each, and the nodes have room for %d beside pods that Takt does not look after: "+
		"let it have fewer, add nodes, or wait until such pods have gone.",
		Count(j.Sizes[0].Workers), CountGPUs(j.gpus), p.workersOnNodes(j.gpus))
}

// roundUp rounds to what Shorten shows of a span of time.
func roundUp(s Seconds) Seconds { return Seconds(math.Ceil(float64(s)/shownBy(s)) * shownBy(s)) }

// roundDown is what Shorten shows of a span of time.
func roundDown(s Seconds) Seconds { return Seconds(math.Floor(float64(s)/shownBy(s)) * shownBy(s)) }

// shownBy is the unit that Shorten shows a span of time in.
func shownBy(s Seconds) float64 {
	switch {
	case s >= 24*3600:
		return 3600
	case s >= 600:
		return 60
	}
	return 1
}

// Shorten writes a span of time as people do, by its two greatest units: 45s, 2m30s, 12m, 3h20m, 5d4h.
func Shorten(s Seconds) string {
	switch whole := int64(min(max(s, 0), 600)); {
	case whole < 60:
		return fmt.Sprintf("%ds", whole)
	case whole < 600 && whole%60 > 0:
		return fmt.Sprintf("%dm%ds", whole/60, whole%60)
	}
	minutes := int64(min(float64(s)/60, 1e12))
	days, hours := minutes/(24*60), minutes/60%24
	minutes %= 60
	switch {
	case days > 0 && hours > 0:
		return fmt.Sprintf("%dd%dh", days, hours)
	case days > 0:
		return fmt.Sprintf("%dd", days)
	case hours > 0 && minutes > 0:
		return fmt.Sprintf("%dh%dm", hours, minutes)
	case hours > 0:
		return fmt.Sprintf("%dh", hours)
	}
	return fmt.Sprintf("%dm", minutes)
}

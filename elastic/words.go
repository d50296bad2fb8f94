package elastic

import "fmt"

// message is the verdict on a job in a sentence or two: what its owner should know, and do.
func (p *pool) message(j *trainee, o Outcome) string {
	switch o.Verdict {
	case BestEffort:
		if j.Deadline != nil {
			return "Nobody can tell how much work is left, so its deadline cannot be watched: it runs as best-effort. " +
				"Let the training report its progress as a part of the whole."
		}
		return "It has no deadline."
	case Estimating:
		return "Nothing is known of its speed yet: the verdict follows once it has trained for a while."
	case Infeasible:
		return p.infeasible(j)
	case OnTrack:
		kind := "The deadline is planned for, but not promised: the plan gives way to jobs that need less."
		if j.promise {
			kind = "The deadline is promised."
		}
		end := j.spans[len(j.spans)-1].To
		if o.Late != nil && j.now > 0 {
			end = min(end, *o.Late)
		}
		return fmt.Sprintf("%s It will be met with %s to spare, or more.", kind, span(*j.Deadline-end))
	case AtRisk:
		return p.atRisk(j)
	}
	return ""
}

// atRisk says what is lacking.
func (p *pool) atRisk(j *trainee) string {
	need := fmt.Sprintf("It takes at least %s of GPU time before its deadline in %s, and there is no room for that beside what is promised to others.",
		span(Seconds(j.least)), span(*j.Deadline-p.now))
	if j.planned {
		return fmt.Sprintf("It is planned to be met with %s to spare, but not sure: its speed is not known well enough yet.",
			span(*j.Deadline-j.spans[len(j.spans)-1].To))
	}
	if j.Promised {
		return "The promise to meet its deadline cannot be kept: GPUs were lost, or it trains more slowly than it did. " + need
	}
	return need + " It is met only if GPUs become free."
}

// infeasible says what would do.
func (p *pool) infeasible(j *trainee) string {
	until := *j.Deadline - p.now
	if until <= 0 {
		return fmt.Sprintf("The deadline passed %s ago. It goes on as best-effort.", span(-until))
	}
	most := j.largest(min(p.total, p.tenants[j.queue].limit))
	if most.Workers == 0 {
		return fmt.Sprintf("It needs %d GPUs at least, and there are %d for its queue.",
			j.need(j.Sizes[0].Workers), min(p.total, p.tenants[j.queue].limit))
	}
	pause := j.Pause
	if most.Workers == j.Workers {
		pause = max(0, j.BusyUntil-p.now)
	}
	takes := pause + most.train(j.Left)
	sentence := fmt.Sprintf("Even with %s, the most that it may have here, it takes %s more, and its deadline is in %s: give it %s more time",
		workers(most.Workers), span(takes), span(until), span(takes-until))
	if faster := float64(most.train(j.Left)) / float64(until-pause); until > pause && faster < 100 {
		sentence += fmt.Sprintf(", or workers that are together %.1f times as fast", faster)
	}
	return sentence + ". It goes on as best-effort."
}

// why says in a sentence why a job has the size that it has.
func (p *pool) why(j *trainee, reason Reason) string {
	has := "It has " + workers(j.now)
	switch reason {
	case ForDeadline:
		return has + ": that is what its deadline takes."
	case FreeGPUs:
		return has + ": nobody needs these GPUs more at present."
	case KeptSize:
		return has + ", as before: a change would bring nothing."
	case SmallestSize:
		return has + ", its smallest size: others need the rest of its GPUs more."
	case ToBeMeasured:
		return has + ", to find out how fast it trains."
	case StartsLater:
		return fmt.Sprintf("It starts in %s: until then its GPUs serve jobs that are in more of a hurry, and it is still in time.",
			span(j.spans[0].From-p.now))
	case QueueFull:
		return fmt.Sprintf("It waits: its queue %q has all the GPUs that it may have.", j.Queue)
	case Fragmented:
		return fmt.Sprintf("%s: more GPUs are free, but not %d on one node, which a worker needs.", has, j.gpus)
	case NotPromised:
		return "It waits: it is to start only once its deadline is promised."
	case NoSizes:
		return "It waits: no size that it may have fits on the nodes there are."
	case NotWorthIt:
		return has + ": GPUs are free, but it has too little left to do to make up for the pause of a resize."
	case Cooldown:
		return has + ": GPUs are free, but it has only just been resized."
	case CheckpointSoon:
		return has + ": GPUs are free, and it grows right after its next checkpoint, since it loses less then."
	case NoRoom:
		return "It waits: all GPUs are needed more by others."
	}
	return ""
}

func workers(w Workers) string {
	switch w {
	case 0:
		return "no workers"
	case 1:
		return "1 worker"
	}
	return fmt.Sprintf("%d workers", w)
}

// span writes a span of time as people do, by its two greatest units: 45s, 12m, 3h20m, 5d4h.
func span(s Seconds) string {
	if s < 60 {
		return fmt.Sprintf("%.0fs", max(float64(s), 0))
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

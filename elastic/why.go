package elastic

import (
	"fmt"
	"slices"
	"strings"
)

// why says in a sentence why a job has the size that it has.
func (p *pool) why(j *trainee, reason Reason) string {
	has := has + j.count(j.gets)
	if j.Guarded && j.Workers > 0 {
		return has + ", and keeps its size for now, as the API server refuses to change it."
	}
	if j.fixed() && j.Lent {
		return has + ", and keeps its size as long as others leave it that."
	}
	if j.fixed() {
		return has + ", and keeps its size until it ends, as it is not to be interrupted."
	}
	if j.Workers == 0 {
		has = startsWith + j.count(j.gets)
	}
	if j.outgrew() && j.gets == j.Sizes[len(j.Sizes)-1].Workers {
		return has + ": that is the most that it may have now."
	}
	switch reason {
	case ForDeadline:
		return has + p.forDeadline(j)
	case FreeGPUs:
		return has + j.ofFreeGPUs()
	case Guaranteed:
		return has + ": its queue is guaranteed that."
	case KeptSize:
		return has + p.asBefore(j)
	case SmallestSize:
		if j.gets > j.Sizes[0].Workers {
			return has + needingRest
		}
		return has + ", its smallest size: others need the rest of its GPUs more."
	case ToBeMeasured:
		if j.Workers > j.gets && j.need(j.Workers) > p.total {
			return has + ": there are no more GPUs for it."
		}
		return has + ", to find out how fast it trains."
	case WaitedLong:
		return fmt.Sprintf("%s: it has waited for %s, and jobs of queue %q wait for %s at most where there is room.",
			has, Shorten(p.now-j.mayHaveToWaitUntil()+j.MaxWait), j.Queue, Shorten(j.MaxWait))
	case AfterOthers:
		return p.awaitsOthers(j)
	case StartsLater:
		return p.startsLater(j)
	case Rests:
		return fmt.Sprintf("It waits, and is started again in %s at the earliest.", Shorten(j.Ungrown.Until-p.now))
	case QueueFull:
		return fmt.Sprintf("It waits: its queue %q has all the GPUs that it may have.", j.Queue) + p.foresaw(j)
	case Fragmented:
		if j.gets == 0 {
			has = "It waits"
		}
		if j.mayBeOn != nil {
			return has + ": more GPUs are free, but not on nodes where more of its workers may be."
		}
		if j.appetite != nil {
			return has + ": more GPUs are free, but not on nodes that have all else which its workers take."
		}
		return fmt.Sprintf("%s: more GPUs are free, but not %d on one node, as each worker needs.", has, j.gpus)
	case NotPromised:
		return p.notPromised(j)
	case NoSizes:
		return p.noSizes(j)
	case NodesLeave, NodesGone: // leaveNodes and stopStranded say that, once all is planned
	case NotWorthIt:
		return has + p.notWorthIt(j)
	case Cooldown:
		return has + ": GPUs are free, but it has only just got this size."
	case Brief:
		if j.gets == 0 {
			has = "It waits"
		}
		return has + j.tooBrief()
	case CheckpointSoon:
		return has + ": GPUs are free, and it grows right after its next checkpoint, since it loses less then."
	case NoRoom:
		if j.Workers > 0 {
			return "It is stopped, and waits: others need its GPUs more." + p.foresaw(j)
		}
		return "It waits: others need the GPUs more." + p.foresaw(j)
	}
	return ""
}

// ofFreeGPUs says of a size that a job has of what is left over why it has no more, or fewer than before.
func (j *trainee) ofFreeGPUs() string {
	_, more := j.next(j.gets)
	switch {
	case j.gets < j.Workers && j.measured && !more && offers(j.fit, j.Workers):
		return fmt.Sprintf(": %d were no faster.", beside(j.Workers, j.Led))
	case j.gets < j.Workers:
		return needingRest
	}
	return ": nobody needs these GPUs more at present."
}

// asBefore says of a size that stays why it does.
func (p *pool) asBefore(j *trainee) string {
	if (j.losesTooMuch || j.ending) && j.gets == j.Workers {
		switch {
		case j.Overruns > 0:
			return ", as before: it has done all of its work, and nobody can tell when it ends."
		case j.allDone || j.endsSooner(p.now):
			return ", as before: it will have ended before a change had paid for itself."
		}
		return fmt.Sprintf(", as before: a resize would lose %s of training, and that is more than others could make of "+
			"its GPUs.", Shorten(j.loss(p.now)))
	}
	next, ok := j.next(j.gets)
	switch {
	case j.reason == ForDeadline:
		return p.forDeadline(j)
	case j.gets >= min(p.workersOnNodes(j.manner()), j.Sizes[len(j.Sizes)-1].Workers):
		return ", as before: that is the most that it can have."
	case (!ok || j.guessed(next.Workers)) && j.Doubted:
		return ", as before: nobody has measured yet whether more would make it faster."
	case !ok:
		return ", as before: more would not make it faster."
	case min(p.free, p.tenants[j.queue].room()) < j.need(next.Workers-j.gets):
		return ", as before: there are not enough free GPUs to grow."
	}
	return ", as before."
}

func (p *pool) startsLater(j *trainee) string {
	if awaits := p.awaitsOverrun(j); awaits != "" {
		return awaits
	}
	in := Shorten(j.spans[0].From - p.now)
	if j.Promised && len(j.Elsewhere) > 0 {
		return fmt.Sprintf("It starts in %s: its deadline was promised on GPUs of pool %q, so it takes no others, and "+
			"until then others have those.", in, j.Pool)
	}
	return fmt.Sprintf("It starts in %s: until then others have the GPUs that it is to have, and it is still in time.", in)
}

func (p *pool) notPromised(j *trainee) string {
	if !j.planned {
		return "It waits: it is to start only once its deadline can be promised."
	}
	return fmt.Sprintf("It waits: it starts in %s, and is promised its deadline then, unless jobs that need less come "+
		"before.", Shorten(j.spans[0].From-p.now))
}

func (p *pool) notWorthIt(j *trainee) string {
	if lost := j.loss(p.now); lost > j.Pause && j.Unsaved {
		return fmt.Sprintf(": GPUs are free, but no checkpoint of it was ever seen, so a resize would lose all that it "+
			"has trained, %s.", Shorten(lost))
	}
	return ": GPUs are free, but it has too little left to do to make up for the pause of a resize."
}

// tooBrief says of a job that gets no more although GPUs are free that they are not for long.
func (j *trainee) tooBrief() string {
	if j.Uninterruptible {
		return ": GPUs are free, but others need them before it would end, or are guaranteed them, and it is not to " +
			"be interrupted."
	}
	return ": GPUs are free, but others need them too soon for it to gain anything by them."
}

// foresaw goes with what a job without a plan waits for.
func (p *pool) foresaw(j *trainee) string {
	at, awaits := p.starts(j), p.awaitsOverrun(j)
	if awaits != "" {
		awaits = " " + awaits
	}
	if at == nil {
		return awaits
	}
	return awaits + fmt.Sprintf(" As it looks now, it starts in %s, unless others come before it.", Shorten(*at-p.now))
}

// forDeadline says of a size that is planned for a deadline whether that takes it: a plan may have more.
func (p *pool) forDeadline(j *trainee) string {
	said := p.forItsDeadline(j)
	if j.serving() {
		return strings.ReplaceAll(said, "its deadline", "the deadline of "+j.nameOf(j.serves.Name))
	}
	return said
}

func (p *pool) forItsDeadline(j *trainee) string {
	does := p.enough(j)
	switch {
	case j.hopeful():
		return ": that is what is planned for its deadline."
	case j.gets == j.Sizes[0].Workers:
		return ": that is enough for its deadline."
	case does == j.gets:
		return ": that is what its deadline takes."
	case j.gets == j.Workers && j.changeCostsMore():
		return fmt.Sprintf(", as before: %d would do for its deadline, and a change would cost more GPU time than it saves.",
			beside(does, j.Led))
	case j.thriftier(j.gets, does):
		return fmt.Sprintf(", as planned: %d would do for its deadline as well, but take more GPU time.", beside(does, j.Led))
	}
	return fmt.Sprintf(", as planned: %d would do for its deadline as well.", beside(does, j.Led))
}

// thriftier says that one size takes less GPU time than another, as far as that is known of both.
func (j *trainee) thriftier(one, than Workers) bool {
	at := slices.IndexFunc(j.thrifty, withWorkers(one))
	return at >= 0 && at < slices.IndexFunc(j.thrifty, withWorkers(than))
}

// noSizes says what the smallest size of a job needs, and why that is nowhere to be had.
func (p *pool) noSizes(j *trainee) string {
	largest := GPUs(0)
	for _, n := range p.nodes {
		largest = max(largest, n.GPUs)
	}
	switch {
	case largest == 0:
		return "It waits: pods that Takt does not look after have all GPUs that it may have, or their nodes are away. It " +
			"starts when some are free."
	case largest < j.gpus:
		return fmt.Sprintf("It waits: each worker needs %s on one node, and no node has more than %d that it may have: "+
			"let its workers have fewer, or add a node.", CountGPUs(j.gpus), largest)
	}
	return fmt.Sprintf("It waits: at its smallest it is %s of %s each, and the nodes have room for %d beside pods that "+
		"Takt does not look after: "+
		"let it have fewer, add nodes, or wait until such pods have gone.",
		Count(j.Sizes[0].Workers), CountGPUs(j.gpus), p.workersOnNodes(j.manner()))
}

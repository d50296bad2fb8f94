package elastic

// outcome is what is decided about a job.
func (p *pool) outcome(j *trainee) Outcome {
	o := Outcome{
		Name: j.Name, Workers: j.gets, Pool: j.Pool, Believed: j.Believed, Promised: j.promise || j.Promised,
		Reserved: j.spans, Reason: j.reasonFor(p), Keeps: j.keeps,
		Starts:   p.starts(j),
		EarlyEnd: p.finish(j, quickest), ExpectedEnd: p.finish(j, middle), LateEnd: p.finish(j, slowest),
	}
	if j.waits() && !j.planned {
		o.EarlyEnd, o.ExpectedEnd, o.LateEnd = j.finishes[0], j.finishes[1], j.finishes[2]
	}
	o.allowFor(j.Hindsight, p.now)
	o.Why = p.why(j, o.Reason)
	if j.Lent && j.runs() {
		o.Why += ofLent
	}
	o.Verdict = j.verdict(o.Starts)
	if o.Verdict == OnTrack && p.mayStartLate(j) {
		o.Verdict = AtRisk
	}
	if o.ByHindsight = j.mayTurnOutLate(o); o.ByHindsight {
		o.Verdict = AtRisk
	}
	o.tell(p.now, j.Deadline, func(longer float64) bool { return p.helped(j, longer) })
	if o.Verdict == AtRisk && !j.waits() {
		o.Hopes = p.hopeEnds(j)
	}
	o.Message = p.message(j, o)
	if j.serving() {
		o.Message += p.servesSo(j)
	}
	return o
}

// hopeEnds is until when a job may do without training any further, and still be in time by as much as is hoped of it
// now, if it were alone; absent if nobody can tell.
func (p *pool) hopeEnds(j *trainee) *Seconds {
	if j.homeless() || j.fixed() || !j.known() {
		return nil
	}
	slack, is := Seconds(-1), j.at(p.now)
	redone := is.left + j.loses(is.size, is.left)
	for i := range j.thrifty {
		if spans := p.empty.window(j, is, &j.thrifty[i], redone); spans != nil {
			slack = max(slack, j.due()-spans[len(spans)-1].To)
		}
	}
	if slack < 0 {
		return nil
	}
	until := p.now + slack
	return &until
}

// reasonFor is why a job has its size; for one that has none, why not.
func (j *trainee) reasonFor(p *pool) Reason {
	if j.waits() {
		return AfterOthers
	}
	if j.gets > 0 {
		if j.reason == ForDeadline && j.gets == j.Workers && p.enough(j) < j.gets {
			return KeptSize
		}
		if !j.measured && j.reason == KeptSize && j.gets == j.Workers {
			return ToBeMeasured
		}
		if j.hindrance != "" && j.gets == j.Workers && j.reason == KeptSize && p.free > 0 {
			return j.hindrance
		}
		return j.reason
	}
	least := GPUs(0)
	if len(j.counted) > 0 {
		least = j.need(j.counted[0].Workers)
	}
	switch {
	case least == 0:
		return NoSizes
	case j.hindrance == Brief && !j.planned:
		return Brief
	case j.reason == Fragmented:
		return Fragmented
	case j.mustWait():
		return NotPromised
	case j.resting:
		return Rests
	case j.planned:
		return StartsLater
	case p.tenants[j.queue].own() < p.total && p.tenants[j.queue].room() < least:
		return QueueFull
	}
	return NoRoom
}

// resizes are the changes of size: first those that give back, those first that give back most; then
// those that take, by what they are for. What runs on its own is left alone.
func resizes(jobs []Job, outcomes []Outcome, now Seconds) []Resize {
	var steps []step
	for i, o := range outcomes {
		if j := jobs[i]; o.Workers != j.Workers && !j.OnItsOwn {
			gives := j.GPUs(max(j.Workers-o.Workers, 0))
			steps = append(steps, step{Resize{j.Name, j.Workers, o.Workers, cause(j, o, now)}, gives})
		}
	}
	byGift.sort(steps)
	var resizes []Resize
	for _, s := range steps {
		resizes = append(resizes, s.Resize)
	}
	return resizes
}

// step is a change of size, and what it gives back.
type step struct {
	Resize
	givesBack GPUs
}

func cause(j Job, o Outcome, now Seconds) ResizeCause {
	switch {
	case j.Workers == 0:
		return Started
	case o.Workers == 0:
		return Stopped
	case o.Reason == NodesLeave:
		return NodeLeaves
	case !offers(j.Sizes, j.Workers):
		return RangeChanged
	case o.Workers < j.Workers:
		return GaveBack
	case o.Reason == ForDeadline || o.byPlan() == AtRisk || o.byPlan() == OnTrack && missesAsItIs(j, now):
		return DeadlineRisk
	}
	return SpareCapacity
}

// missesAsItIs says that a job would miss its deadline at the size that it has, as far as that is sure. It is given
// more for that, though it may get more still where nobody else needs it.
func missesAsItIs(j Job, now Seconds) bool {
	size, _ := find(j.Sizes, j.Workers)
	ends := max(now, j.BusyUntil) + size.train(j.Left) + j.Closing.Longest
	return j.Deadline != nil && size.Speed > 0 && ends > *j.Deadline
}

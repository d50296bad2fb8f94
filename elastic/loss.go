package elastic

import "cmp"

// loses is the work that a change from some size loses at worst, when so much is left to do.
func (j *trainee) loses(w Workers, left Work) Work {
	switch {
	case w == 0:
		return 0
	case j.Unsaved:
		return max(0, j.todo+j.Done-left)
	}
	return Work(float64(j.Rework) * float64(j.estimate(w).Speed))
}

// estimate is how fast a job trains at a size. If nobody knows, it is no faster than its workers are in a smaller one.
func (j *trainee) estimate(w Workers) Size {
	is := j.size(w)
	if s, ok := find(j.Sizes, w); ok {
		is.Speed = max(is.Speed, s.Speed)
	}
	if is.Speed == 0 && w > 0 && len(j.counted) > 0 {
		s := cmp.Or(j.largest(j.need(w)), j.counted[0])
		is.Speed = s.Speed * Speed(max(1, float64(w)/float64(s.Workers)))
	}
	is.Expected = max(is.Expected, is.Speed)
	return is
}

// loss is how much training time a job would lose by a change of size now: no more than it has trained for, whatever it
// says that it has done.
func (j *trainee) loss(now Seconds) Seconds {
	since := max(0, now-j.SavedAt)
	switch {
	case j.Workers == 0:
		return 0
	case !j.Unsaved:
		return min(j.Rework, since)
	}
	if speed := j.estimate(j.Workers).Expected; speed > 0 && j.Done > 0 {
		return min(since, Seconds(float64(j.Done)/float64(speed)))
	}
	return since
}

// remains is how much longer a job takes at its present size: if nobody can tell, for as long as it would lose.
func (j *trainee) remains(now Seconds) Seconds {
	if speed := j.estimate(j.Workers).Expected; speed > 0 && !j.UnknownWork {
		return Seconds(float64(j.todo)/float64(speed)) + j.Closing.Usual
	}
	return j.loss(now)
}

// outweighs says that a job that runs would lose more GPU time by a change of size now than all others could make of
// some GPUs until it is done.
func (p *pool) outweighs(j *trainee, gpus GPUs) bool {
	lost := j.loss(p.now)
	return lost > 0 && float64(j.need(j.Workers))*float64(lost+j.Pause) > float64(gpus)*float64(j.remains(p.now))
}

// endsSooner says that a job is done, and has freed all of its GPUs, before a change of its size has paid for itself:
// it costs a pause, and others need about as long until they make anything of what is given back.
func (j *trainee) endsSooner(now Seconds) bool { return j.known() && j.remains(now) <= 2*j.Pause }

// changeCostsMore says that a job has a size though a thriftier one would do, since it would have to change for that.
func (j *trainee) changeCostsMore() bool {
	is := j.size(j.Workers)
	return j.gets == j.Workers && is.Speed > 0 && j.thrifty[0].Workers < j.gets &&
		!j.saves(&j.thrifty[0], j.todo+j.loses(j.Workers, j.todo), &is, j.todo)
}

// findWhoLosesTooMuch finds the jobs that keep their size, as they would lose more by giving back what is not reserved
// for them than others lose that do without it. Queues that lack what they are guaranteed do not wait for others' jobs.
func (p *pool) findWhoLosesTooMuch() {
	spare, lacking := p.free, false
	least := func(j *trainee) Workers { return max(j.gets, j.counted[0].Workers) }
	waits := make([]bool, len(p.tenants))
	for _, j := range p.order {
		if len(j.counted) == 0 || j.Workers == 0 && (j.planned || j.mustWait() || j.resting) {
			continue
		}
		spare -= j.need(least(j) - j.gets)
		waits[j.queue] = waits[j.queue] || j.Workers == 0
	}
	for q := range p.tenants {
		lacking = lacking || waits[q] && p.tenants[q].used < p.tenants[q].guaranteed
	}
	var may []*trainee
	for _, j := range p.order {
		if len(j.counted) > 0 && j.Workers > least(j) && (j.has(j.Workers) || j.asItIs() == j.Workers) {
			may = append(may, j)
		}
	}
	byLoss.sort(may)
	for _, j := range may { // who loses little gives first
		more := j.need(j.Workers - least(j))
		short := more - max(spare, 0)
		own := p.tenants[j.queue].used+j.need(j.Workers-j.gets) <= p.tenants[j.queue].guaranteed
		costs := p.outweighs(j, short) || j.endsSooner(p.now)
		if j.losesTooMuch = short > 0 && (own || !lacking) && costs; j.losesTooMuch || short <= 0 {
			spare -= more
		}
	}
}

// losesMoreThan says that a job goes on as it was planned where others would gain so much GPU time by its end: it would
// lose more. That is so only of those that are sure to be in time if they go on.
func (j *trainee) losesMoreThan(gained float64) bool {
	return j.stake > gained && len(j.lastPlan) > 0 && !j.hopeful() && !j.Doubted
}

// afterChange is a job as it is right after it was given another size, and has lost at worst what that loses.
func (j Job) afterChange(w Workers, now Seconds) Job {
	lost := newTrainee(j, goalOf(j), mostGPUs).loses(j.Workers, j.Left)
	j.Left, j.Done = j.Left+lost, max(0, j.Done-lost)
	switch {
	case w == 0:
		j.WaitsSince, j.TurnUntil = now, 0
	case j.startsItsTurn(now):
		j.TurnUntil = now + j.Pause + j.MaxWait
	}
	j.Workers, j.BusyUntil, j.Changes, j.OnItsOwn, j.Stranded = w, now+j.Pause, nil, false, nil
	if j.Unsaved {
		j.SavedAt = j.BusyUntil
	}
	return j
}

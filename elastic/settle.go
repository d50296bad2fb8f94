package elastic

import "slices"

// settle sees to it that acting on a decision and planning again at the same moment gives the same sizes. That may take
// more than one try: what some jobs are given, or have given back, opens a way for another. A way that is open to jobs
// that have just been resized is open to the same jobs as they are. Among many jobs there are few tries, or none: what
// opens for some of them is for the next plan to find. Whoever was stopped for GPUs that are free after all is not.
func (s Snapshot) settle(d Decision, eager bool) Decision {
	const most, many = 4, 1 << 13
	tries := min(most, many/max(len(s.Jobs), 1))
	if tries == 0 {
		return d
	}
	for range tries {
		again, then, ok := s.next(d, eager)
		if !ok {
			break
		}
		same := slices.EqualFunc(d.Jobs, again.Jobs, func(a, b Outcome) bool {
			return a.Workers == b.Workers && a.Pool == b.Pool && a.Promised == b.Promised && a.byPlan() == b.byPlan()
		})
		if same {
			break
		}
		at, ok := s.after(again)
		if !ok || !s.sameNodes(at, then) {
			break
		}
		for i := range again.Jobs { // why a size was changed, not why it is then kept
			if was, o := d.Jobs[i], &again.Jobs[i]; o.Workers == was.Workers && o.Workers != s.Jobs[i].Workers {
				o.Reason, o.Why = was.Reason, was.Why
			}
		}
		d = again
	}
	return d
}

// next is what is decided right after a decision was acted upon, but for those that it stopped without need: if these
// find no nodes, or somebody else has no plan for them, they were not. Then is what comes of it.
func (s Snapshot) next(d Decision, eager bool) (next Decision, then Snapshot, ok bool) {
	if spared, some := s.spared(d); some {
		if at, again, good := s.instead(d, spared, eager); good {
			then, ok = at.after(again)
			return again, then, ok
		}
	}
	at, ok := s.after(d)
	if !ok {
		return d, at, false
	}
	next = at.decide(eager)
	if goOn, some := s.goOnInstead(d, next); some {
		if where, again, good := s.instead(next, goOn, eager); good && !stopsMore(goOn, again) {
			at, next = where, again
		}
	}
	then, ok = at.after(next)
	return next, then, ok
}

// instead acts on a decision in the place of another, and decides again: that is good if nobody loses a plan by it.
func (s Snapshot) instead(d, other Decision, eager bool) (at Snapshot, again Decision, good bool) {
	at, ok := s.after(other)
	if !ok {
		return at, again, false
	}
	again = at.decide(eager)
	return at, again, !losesPlan(d, again)
}

// stopsMore says that a job is stopped which was not before.
func stopsMore(d, then Decision) bool {
	for i, o := range d.Jobs {
		if o.Workers > 0 && then.Jobs[i].Workers == 0 {
			return true
		}
	}
	return false
}

// goOnInstead is what is decided next, but that those go on of which nothing is known, and which were stopped for GPUs
// that nobody takes after all but jobs that start without a plan: these have what is left.
func (s Snapshot) goOnInstead(d, next Decision) (instead Decision, some bool) {
	var stopped, starts []int
	for i, o := range next.Jobs {
		j := s.Jobs[i]
		switch {
		case j.Workers == 0 && o.Workers > 0 && !o.Promised && o.byPlan() != OnTrack:
			starts = append(starts, i)
		case j.Workers > 0 && d.Jobs[i].Workers == 0 && o.Workers == 0 && o.Pool == j.Pool &&
			newTrainee(j, goalOf(j), mostGPUs).asItIs() > 0:
			stopped = append(stopped, i)
		}
	}
	if len(stopped) == 0 || len(starts) == 0 {
		return next, false
	}
	instead = next
	instead.Jobs = slices.Clone(next.Jobs)
	for _, i := range starts {
		instead.Jobs[i].Workers = 0
	}
	s.goOn(&instead, stopped, s.free(instead))
	return instead, !slices.ContainsFunc(stopped, func(i int) bool { return instead.Jobs[i].Workers == 0 })
}

// sameNodes says that workers are on the same nodes after one step as after two. A job that makes way on one node and
// goes on upon another takes two: in one, it would stay where it is.
func (s Snapshot) sameNodes(one, two Snapshot) bool {
	for i, j := range s.Jobs {
		kept := min(int(j.Workers), len(one.Jobs[i].On), len(two.Jobs[i].On))
		choosy := j.GPUsPerWorker > 1 || j.Site != "" || len(j.Takes) > 0
		if choosy && !slices.Equal(one.Jobs[i].On[:kept], two.Jobs[i].On[:kept]) {
			return false
		}
	}
	return true
}

// spared is a decision in which those that it stops, though it leaves GPUs free, have as much as there is of what they
// had: those first that would lose most. A restart costs more than it costs to go on.
func (s Snapshot) spared(d Decision) (spared Decision, some bool) {
	free := s.free(d)
	var stopped []int
	for i, o := range d.Jobs {
		if j := s.Jobs[i]; j.Workers > 0 && o.Workers == 0 && o.Pool == j.Pool && free[j.Pool] > 0 {
			stopped = append(stopped, i)
		}
	}
	if len(stopped) == 0 {
		return d, false
	}
	d.Jobs = slices.Clone(d.Jobs)
	return d, s.goOn(&d, stopped, free)
}

// stopped is a job that a decision stops, and what it would lose by that.
type stopped struct {
	at   int
	name string
	loss Seconds
}

// goOn has jobs that are stopped have as much as is free of what they had: those first that would lose most.
func (s Snapshot) goOn(d *Decision, these []int, free map[string]GPUs) (some bool) {
	all := make([]stopped, len(these))
	for k, i := range these {
		all[k] = stopped{i, s.Jobs[i].Name, newTrainee(s.Jobs[i], goalOf(s.Jobs[i]), mostGPUs).loss(s.Now)}
	}
	byCostOfStop.sort(all)
	for _, one := range all {
		i, j := one.at, s.Jobs[one.at]
		for _, size := range slices.Backward(j.Sizes) {
			if need := j.GPUs(size.Workers); size.Workers <= j.Workers && need <= free[j.Pool] {
				d.Jobs[i].Workers, some = size.Workers, true
				free[j.Pool] -= need
				break
			}
		}
	}
	return some
}

// free is what a decision gives to nobody, by pools.
func (s Snapshot) free(d Decision) map[string]GPUs {
	free := map[string]GPUs{}
	for _, n := range s.Nodes {
		free[n.Pool] += n.GPUs
	}
	for _, demand := range s.Demands {
		free[demand.Pool] -= demand.GPUs
	}
	for i, o := range d.Jobs {
		free[o.Pool] -= s.Jobs[i].GPUs(o.Workers)
	}
	return free
}

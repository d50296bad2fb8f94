package elastic

import "slices"

// Pod is one outside of Takt's care that takes all its GPUs of one node.
type Pod struct {
	GPUs GPUs   `json:"gpus"`
	Site string `json:"site,omitempty"` // where it may be; absent: on any node of the pool
}

// decideOnNodes decides so that pods outside of Takt's care find the GPUs that they wait for on one node each: those
// that have workers on one such node give way, as long as none is stopped for it, or loses its plan. Where that is not
// possible, nobody gives way in vain.
func (s Snapshot) decideOnNodes(eager bool) Decision {
	d := s.settle(s.decide(eager), eager)
	if s.podsFit(d) {
		return d
	}
	if t, cut, ok := s.makingWay(); ok {
		if then := t.settle(t.decide(eager), eager); !losesPlan(d, then) && !stopsMore(d, then) {
			then.saysWhoMadeWay(s.Jobs, cut)
			return then
		}
	}
	t := s.withoutPods()
	return t.settle(t.decide(eager), eager)
}

// podsFit says that all pods that take several GPUs of one node find them once a decision is acted upon; or that nobody
// knows.
func (s Snapshot) podsFit(d Decision) bool {
	if !slices.ContainsFunc(s.Demands, func(d Demand) bool { return s.podsWait(d.Pool) }) {
		return true
	}
	after, ok := s.after(d)
	if !ok {
		return true
	}
	for _, demand := range s.Demands {
		c, known := after.clearingFor(demand)
		if !known {
			return true
		}
		for _, pod := range c.pods() {
			node, found := c.freest(pod)
			if !found {
				return false
			}
			c.free[node] -= pod.GPUs
		}
	}
	return true
}

// podsWait says that pods wait for GPUs of a pool for which it matters on which nodes these are.
func (s Snapshot) podsWait(pool string) bool {
	return slices.ContainsFunc(s.Demands, func(d Demand) bool { return d.Pool == pool && len(d.Pods) > 0 })
}

// withoutPods is the snapshot without those pods, and what they wait for.
func (s Snapshot) withoutPods() Snapshot {
	s.Demands = slices.Clone(s.Demands)
	for i := range s.Demands {
		d := &s.Demands[i]
		for _, pod := range d.Pods {
			d.GPUs = max(d.GPUs-pod.GPUs, 0)
		}
		d.Pods = nil
	}
	return s
}

// makingWay is the snapshot as if those pods were there already, each on the node where that costs least, and the jobs
// that have workers in their place may only be so large any more: cut says how large. It is not ok if they find none.
func (s Snapshot) makingWay() (t Snapshot, cut map[int]Workers, ok bool) {
	cut, t = map[int]Workers{}, s.withoutPods()
	t.Nodes, t.Jobs = slices.Clone(s.Nodes), slices.Clone(s.Jobs)
	for _, demand := range s.Demands {
		c, known := s.clearingFor(demand)
		if !known {
			return s, nil, false
		}
		c.cut = cut
		for _, pod := range c.pods() {
			if !c.make(pod) {
				return s, nil, false
			}
		}
		for i := range t.Nodes {
			t.Nodes[i].GPUs -= c.taken[i]
		}
	}
	for i, most := range cut {
		j := &t.Jobs[i]
		j.Sizes = slices.DeleteFunc(slices.Clone(j.Sizes), func(size Size) bool { return size.Workers > most })
		if j.Awaits != nil && j.Awaits.Workers > most {
			j.Awaits = nil
		}
	}
	return t, cut, true
}

// saysWhoMadeWay says why those have fewer workers that made c.
func (d Decision) saysWhoMadeWay(jobs []Job, cut map[int]Workers) {
	for i := range cut {
		if o := &d.Jobs[i]; o.Workers > 0 && o.Workers < jobs[i].Workers {
			o.Reason = SmallestSize
			o.Why = isToHave + jobs[i].count(o.Workers) + ": a pod that Takt does not look after needs the rest of its GPUs, " +
				"all on one node."
		}
	}
}

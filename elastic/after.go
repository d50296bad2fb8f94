package elastic

import "slices"

// after is the snapshot right after a decision was acted upon, and all work was lost that a change
// of size may lose. There is none if new workers find no nodes.
func (s Snapshot) after(d Decision) (Snapshot, bool) {
	s.Jobs = slices.Clone(s.Jobs)
	pools, sites, appetites := map[string][]*trainee{}, s.sites(), appetitesOn(s.Nodes)
	for i, o := range d.Jobs {
		j := &s.Jobs[i]
		*j = j.In(o.Pool)
		before := *j
		j.Promised, j.Reserved = o.Promised, o.Reserved
		if before.Workers != o.Workers {
			*j = j.afterChange(o.Workers, s.Now)
			j.On = before.On[:min(int(o.Workers), len(before.On))]
		}
		pools[j.Pool] = append(pools[j.Pool], &trainee{Job: before, gpus: max(j.GPUsPerWorker, 1), mayBeOn: sites[j.Site],
			appetite: appetites.of(j),
			draft:    draft{gets: o.Workers}})
	}
	on := map[string][]string{}
	for pool, jobs := range pools {
		unknown := slices.DeleteFunc(slices.Clone(jobs), func(t *trainee) bool { return !t.astray() })
		if !rearrange(s.Nodes, pool, jobs, s.podsWait(pool)) {
			return s, false
		}
		for _, t := range jobs {
			if slices.Contains(unknown, t) { // nor is it known afterwards
				continue
			}
			on[t.Name] = slices.Concat(t.On[:min(int(t.gets), len(t.On))], t.added)
		}
	}
	for i := range s.Jobs {
		if j := &s.Jobs[i]; len(on[j.Name]) == int(j.Workers) {
			j.On = on[j.Name]
		}
	}
	return s, true
}

// rearrange finds nodes for the new workers of a pool, the greatest first, if it matters.
func rearrange(nodes []Node, pool string, jobs []*trainee, podsWait bool) bool {
	if !podsWait && !scattered(jobs) {
		return true
	}
	nodes = slices.DeleteFunc(slices.Clone(nodes), func(n Node) bool { return n.Pool != pool })
	suppose(nodes, jobs)
	l := newLayout(nodes, jobs)
	if l == nil {
		return true
	}
	jobs = slices.Clone(jobs)
	byGreatness.sort(jobs)
	for _, j := range jobs {
		if j.gets > j.Workers && !l.add(j, j.gets-j.Workers) {
			return false
		}
	}
	return true
}

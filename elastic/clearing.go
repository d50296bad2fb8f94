package elastic

import (
	"cmp"
	"slices"
)

// clearing finds nodes for the pods of one demand, and clears them.
type clearing struct {
	demand Demand
	jobs   []Job
	sites  map[string]*Site
	nodes  []Node
	index  map[string]int
	on     map[int][]int // by node, the jobs that have workers there
	free   []GPUs
	taken  []GPUs
	cut    map[int]Workers
}

// clearingFor is what is known of where the pods of a demand may find their GPUs; false if it is not known where
// workers are.
func (s Snapshot) clearingFor(demand Demand) (*clearing, bool) {
	c := &clearing{demand: demand, jobs: s.Jobs, sites: s.sites(), nodes: s.Nodes, index: map[string]int{},
		on:   map[int][]int{},
		free: make([]GPUs, len(s.Nodes)), taken: make([]GPUs, len(s.Nodes))}
	for i, n := range s.Nodes {
		c.index[n.Name], c.free[i] = i, n.GPUs
	}
	for i, j := range s.Jobs {
		if j.Pool != demand.Pool {
			continue
		}
		if len(j.On) != int(j.Workers) {
			return nil, false
		}
		for _, name := range j.On {
			at, there := c.index[name]
			if !there {
				return nil, false
			}
			c.free[at] -= max(j.GPUsPerWorker, 1)
			if !slices.Contains(c.on[at], i) {
				c.on[at] = append(c.on[at], i)
			}
		}
	}
	return c, true
}

// pods are those of the demand, the greatest first.
func (c *clearing) pods() []Pod {
	return slices.SortedStableFunc(slices.Values(c.demand.Pods), func(a, b Pod) int { return cmp.Compare(b.GPUs, a.GPUs) })
}

// may says that a pod may be on a node.
func (c *clearing) may(pod Pod, node int) bool {
	site := c.sites[pod.Site]
	return c.nodes[node].Pool == c.demand.Pool && (site == nil || site.Most[c.nodes[node].Name] > 0)
}

// freest is a node that has as many GPUs free as a pod takes, the fullest of them.
func (c *clearing) freest(pod Pod) (best int, found bool) {
	for i := range c.nodes {
		if c.free[i] >= pod.GPUs && c.may(pod, i) && (!found || c.free[i] < c.free[best]) {
			best, found = i, true
		}
	}
	return best, found
}

// make has a pod take its GPUs of the node where fewest others are given back for it, and says whether there is one.
func (c *clearing) make(pod Pod) bool {
	best, cost, cut := -1, bill{}, map[int]Workers(nil)
	for i := range c.nodes {
		if !c.may(pod, i) || c.nodes[i].GPUs-c.taken[i] < pod.GPUs {
			continue
		}
		if b, sizes, ok := c.clear(i, pod.GPUs); ok && (best < 0 || b.less(cost)) {
			best, cost, cut = i, b, sizes
		}
	}
	if best < 0 {
		return false
	}
	for job, most := range cut {
		c.give(job, most)
	}
	c.free[best] -= pod.GPUs
	c.taken[best] += pod.GPUs
	return true
}

// bill is what it costs to clear a node: how many jobs give way to which a change may cost all that they have done, how
// many with a deadline, how many GPUs are given back, and by how many jobs.
type bill struct {
	dear  int
	dated int
	gpus  GPUs
	jobs  int
}

func (b bill) plus(o bill) bill {
	return bill{b.dear + o.dear, b.dated + o.dated, b.gpus + o.gpus, b.jobs + o.jobs}
}

func (b bill) less(than bill) bool {
	return cmp.Or(cmp.Compare(b.dear, than.dear), cmp.Compare(b.dated, than.dated), cmp.Compare(b.gpus, than.gpus),
		cmp.Compare(b.jobs, than.jobs)) < 0
}

// clear is to which sizes jobs shrink so that so many GPUs are free on a node, and what that costs.
func (c *clearing) clear(node int, gpus GPUs) (cost bill, cut map[int]Workers, ok bool) {
	cut = map[int]Workers{}
	for free := c.free[node]; free < gpus; {
		best, to, freed, least := -1, Workers(0), GPUs(0), bill{}
		for _, job := range c.on[node] {
			size, frees, costs := c.next(job, c.has(job, cut), node)
			if frees > 0 && (best < 0 || costs.less(least)) {
				best, to, freed, least = job, size, frees, costs
			}
		}
		if best < 0 {
			return cost, nil, false
		}
		cut[best] = to
		free += freed
		cost = cost.plus(least)
	}
	return cost, cut, true
}

// has is how many workers a job has left.
func (c *clearing) has(job int, cut map[int]Workers) Workers {
	for _, cuts := range []map[int]Workers{cut, c.cut} {
		if most, is := cuts[job]; is {
			return most
		}
	}
	return c.jobs[job].Workers
}

// next is the largest size with which a job has a worker less on a node, how many GPUs that frees there, and what it
// costs; it frees none if the job does not become smaller for this.
func (c *clearing) next(job int, has Workers, node int) (to Workers, frees GPUs, cost bill) {
	j := c.jobs[job]
	for _, size := range slices.Backward(j.Sizes) {
		if size.Workers >= has || size.Workers < j.leastForOthers() {
			continue
		}
		for _, name := range j.On[size.Workers:has] {
			if c.index[name] == node {
				frees += max(j.GPUsPerWorker, 1)
			}
		}
		if frees > 0 {
			cost = bill{gpus: GPUs(has-size.Workers) * max(j.GPUsPerWorker, 1)}
			if has == j.Workers { // it shrinks once, however much
				cost.dear, cost.dated, cost.jobs = one(j.dear()), one(j.Deadline != nil), 1
			}
			return size.Workers, frees, cost
		}
	}
	return has, 0, cost
}

// give has a job shrink.
func (c *clearing) give(job int, most Workers) {
	j := c.jobs[job]
	for _, name := range j.On[most:c.has(job, nil)] {
		c.free[c.index[name]] += max(j.GPUsPerWorker, 1)
	}
	c.cut[job] = most
}

func one(is bool) int {
	if is {
		return 1
	}
	return 0
}

// dear says that a change may cost a job all that it has done.
func (j Job) dear() bool { return j.Unsaved || newTrainee(j, goalOf(j), mostGPUs).asItIs() > 0 }

// leastForOthers is the size down to which a job gives way for a pod outside of Takt's care: what it is promised, or
// its smallest.
func (j Job) leastForOthers() Workers {
	if j.Uninterruptible || j.Changes != nil {
		return j.Workers
	}
	least := Workers(1)
	if j.Promised {
		for _, span := range j.Reserved {
			least = max(least, min(span.Workers, j.Workers))
		}
	}
	return least
}

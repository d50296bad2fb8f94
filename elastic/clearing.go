package elastic

import (
	"cmp"
	"slices"
)

// way is where pods of one demand may find their GPUs.
type way struct {
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

// wayFor is what is known of where the pods of a demand may find their GPUs; false if it is not known where workers
// are.
func (s Snapshot) wayFor(demand Demand) (*way, bool) {
	w := &way{demand: demand, jobs: s.Jobs, sites: s.sites(), nodes: s.Nodes, index: map[string]int{}, on: map[int][]int{},
		free: make([]GPUs, len(s.Nodes)), taken: make([]GPUs, len(s.Nodes))}
	for i, n := range s.Nodes {
		w.index[n.Name], w.free[i] = i, n.GPUs
	}
	for i, j := range s.Jobs {
		if j.Pool != demand.Pool {
			continue
		}
		if len(j.On) != int(j.Workers) {
			return nil, false
		}
		for _, name := range j.On {
			at, there := w.index[name]
			if !there {
				return nil, false
			}
			w.free[at] -= max(j.GPUsPerWorker, 1)
			if !slices.Contains(w.on[at], i) {
				w.on[at] = append(w.on[at], i)
			}
		}
	}
	return w, true
}

// pods are those of the demand, the greatest first.
func (w *way) pods() []Pod {
	return slices.SortedStableFunc(slices.Values(w.demand.Pods), func(a, b Pod) int { return cmp.Compare(b.GPUs, a.GPUs) })
}

// may says that a pod may be on a node.
func (w *way) may(pod Pod, node int) bool {
	site := w.sites[pod.Site]
	return w.nodes[node].Pool == w.demand.Pool && (site == nil || site.Most[w.nodes[node].Name] > 0)
}

// freest is a node that has as many GPUs free as a pod takes, the fullest of them.
func (w *way) freest(pod Pod) (best int, found bool) {
	for i := range w.nodes {
		if w.free[i] >= pod.GPUs && w.may(pod, i) && (!found || w.free[i] < w.free[best]) {
			best, found = i, true
		}
	}
	return best, found
}

// make has a pod take its GPUs of the node where fewest others are given back for it, and says whether there is one.
func (w *way) make(pod Pod) bool {
	best, cost, cut := -1, bill{}, map[int]Workers(nil)
	for i := range w.nodes {
		if !w.may(pod, i) || w.nodes[i].GPUs-w.taken[i] < pod.GPUs {
			continue
		}
		if b, c, ok := w.clear(i, pod.GPUs); ok && (best < 0 || b.less(cost)) {
			best, cost, cut = i, b, c
		}
	}
	if best < 0 {
		return false
	}
	for job, most := range cut {
		w.give(job, most)
	}
	w.free[best] -= pod.GPUs
	w.taken[best] += pod.GPUs
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
func (w *way) clear(node int, gpus GPUs) (cost bill, cut map[int]Workers, ok bool) {
	cut = map[int]Workers{}
	for free := w.free[node]; free < gpus; {
		best, to, freed, least := -1, Workers(0), GPUs(0), bill{}
		for _, job := range w.on[node] {
			size, frees, costs := w.next(job, w.has(job, cut), node)
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
func (w *way) has(job int, cut map[int]Workers) Workers {
	for _, cuts := range []map[int]Workers{cut, w.cut} {
		if most, is := cuts[job]; is {
			return most
		}
	}
	return w.jobs[job].Workers
}

// next is the largest size with which a job has a worker less on a node, how many GPUs that frees there, and what it
// costs; it frees none if the job does not become smaller for this.
func (w *way) next(job int, has Workers, node int) (to Workers, frees GPUs, cost bill) {
	j := w.jobs[job]
	for _, size := range slices.Backward(j.Sizes) {
		if size.Workers >= has || size.Workers < j.leastForOthers() {
			continue
		}
		for _, name := range j.On[size.Workers:has] {
			if w.index[name] == node {
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
func (w *way) give(job int, most Workers) {
	j := w.jobs[job]
	for _, name := range j.On[most:w.has(job, nil)] {
		w.free[w.index[name]] += max(j.GPUsPerWorker, 1)
	}
	w.cut[job] = most
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

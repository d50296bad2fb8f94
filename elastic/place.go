package elastic

import "slices"

// layout is which GPUs of which nodes are free. Workers that are there stay where they are.
type layout struct {
	index map[string]int
	free  []GPUs
}

// place sees to it that every new worker finds its GPUs on one node, and reduces what does not fit.
// It need not look where workers take one GPU each, or where nobody knows on which nodes they are.
func (p *pool) place() {
	if !slices.ContainsFunc(p.jobs, func(j *trainee) bool { return j.gpus > 1 }) {
		return
	}
	l := &layout{index: map[string]int{}}
	for i, n := range p.nodes {
		l.index[n.Name] = i
		l.free = append(l.free, n.GPUs)
	}
	for _, j := range p.jobs {
		if !l.stay(j, min(j.now, j.Workers), -1) {
			return
		}
	}
	order := slices.SortedStableFunc(slices.Values(p.jobs), claims)
	for _, j := range order {
		want := j.now
		for size := j.now; size > j.Workers && !l.add(j, size-j.Workers); {
			if !p.makeRoom(l, order, j) {
				size = j.largest(j.need(size) - 1).Workers
				p.give(j, max(size, j.Workers), Fragmented)
			}
		}
		if j.now < want && j.planned {
			j.planned = false // until there is room
		}
	}
}

// stay adds to what is free where the first workers of a job are, or takes from it.
func (l *layout) stay(j *trainee, first Workers, sign GPUs) bool {
	if len(j.On) < int(first) {
		return false
	}
	for _, node := range j.On[:first] {
		i, ok := l.index[node]
		if !ok {
			return false
		}
		l.free[i] += sign * j.gpus
	}
	return true
}

// add places new workers on the fullest nodes that have room for one, all or none.
func (l *layout) add(j *trainee, count Workers) bool {
	free := slices.Clone(l.free)
	for range count {
		best := -1
		for i, f := range free {
			if f >= j.gpus && (best < 0 || f < free[best]) {
				best = i
			}
		}
		if best < 0 {
			return false
		}
		free[best] -= j.gpus
	}
	l.free = free
	return true
}

// makeRoom takes back what some job has beyond its reservation, if that is for the good of a planned
// one: from the job with the least claim, and down to its smallest size before it is stopped.
func (p *pool) makeRoom(l *layout, order []*trainee, needy *trainee) bool {
	if !needy.planned {
		return false
	}
	for _, j := range slices.Backward(order) {
		if j == needy {
			break
		}
		kept := min(j.now, j.Workers)
		if kept == 0 {
			continue
		}
		least := Workers(0)
		if j.planned {
			if len(j.spans) > 0 && j.spans[0].From <= p.now {
				least = j.spans[0].Workers
			}
		} else if first := j.Sizes[0].Workers; kept > first {
			least = first
		}
		if least >= kept {
			continue
		}
		for _, node := range j.On[least:kept] {
			l.free[l.index[node]] += j.gpus
		}
		p.give(j, least, SmallestSize)
		return true
	}
	return false
}

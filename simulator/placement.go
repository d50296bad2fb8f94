package simulator

import (
	"cmp"
	"slices"
)

// spot is a number of GPUs of one job on one node.
type spot struct{ node, gpus int }

// nodes keeps which GPUs are free. A job may be spread over any nodes; it is put on as few as
// there can be, and on the busiest that will do, so that whole nodes stay whole.
type nodes struct {
	free []int
	down []bool
}

func newNodes(gpus, each int) *nodes {
	n := &nodes{}
	for ; gpus > 0; gpus -= each {
		n.free = append(n.free, min(gpus, each))
		n.down = append(n.down, false)
	}
	return n
}

// drop takes GPUs away from a job: first where it has the fewest.
func (n *nodes) drop(t *Training, gpus int) {
	slices.SortFunc(t.at, func(a, b spot) int { return cmp.Or(cmp.Compare(b.gpus, a.gpus), cmp.Compare(a.node, b.node)) })
	for gpus > 0 {
		last := &t.at[len(t.at)-1]
		gone := min(gpus, last.gpus)
		n.free[last.node] += gone
		last.gpus -= gone
		gpus -= gone
		if last.gpus == 0 {
			t.at = t.at[:len(t.at)-1]
		}
	}
}

// add gives GPUs to a job.
func (n *nodes) add(t *Training, gpus int) {
	for i := range t.at {
		gpus -= n.put(t, t.at[i].node, gpus)
	}
	for gpus > 0 {
		best := -1
		for i, free := range n.free {
			if n.down[i] || free == 0 {
				continue
			}
			if best < 0 || n.better(free, n.free[best], gpus) {
				best = i
			}
		}
		gpus -= n.put(t, best, gpus)
	}
}

// better prefers the tightest node that holds all, and else the one that holds most.
func (n *nodes) better(free, than, gpus int) bool {
	if free >= gpus && than >= gpus {
		return free < than
	}
	return free > than
}

func (n *nodes) put(t *Training, node, gpus int) int {
	if n.down[node] {
		return 0
	}
	gpus = min(gpus, n.free[node])
	if gpus == 0 {
		return 0
	}
	n.free[node] -= gpus
	for i := range t.at {
		if t.at[i].node == node {
			t.at[i].gpus += gpus
			return gpus
		}
	}
	t.at = append(t.at, spot{node, gpus})
	return gpus
}

package elastic

import (
	"container/heap"
	"maps"
	"slices"
)

// layout is which GPUs of which nodes are free. Workers that are there stay where they are.
type layout struct {
	nodes []Node
	index map[string]int
	free  []GPUs
	room  []map[string]int64 // what is left of the room of each node, if it has one
	// levels are the nodes by what is free on them, and amounts the levels there are, in order. A
	// level may name nodes that have left it: free tells.
	levels  map[GPUs]*lowest
	amounts []GPUs
	bounds  map[*Site][]bound // of those that were asked for
}

// newLayout has the jobs' workers where they are, those at least that stay. There is none if nobody
// knows where some worker is, nor where it could be.
func newLayout(nodes []Node, jobs []*trainee) *layout {
	l := &layout{nodes: nodes, index: map[string]int{}, levels: map[GPUs]*lowest{}}
	for i, n := range nodes {
		l.index[n.Name] = i
		l.free = append(l.free, n.GPUs)
		l.room = append(l.room, maps.Clone(n.Room))
	}
	for _, j := range jobs {
		kept := min(j.gets, j.Workers)
		if len(j.On) < int(kept) {
			return nil
		}
		for _, name := range j.On[:kept] {
			i, ok := l.index[name]
			if !ok {
				return nil
			}
			l.free[i] -= j.gpus
			l.fill(j, i, 1)
		}
	}
	for i := range l.free {
		l.change(i, 0)
	}
	l.forgive()
	return l
}

// change adds to what is free on a node, or takes from it.
func (l *layout) change(node int, gpus GPUs) {
	l.free[node] += gpus
	free := l.free[node]
	level := l.levels[free]
	if level == nil {
		level = &lowest{}
		l.levels[free] = level
		i, _ := slices.BinarySearch(l.amounts, free)
		l.amounts = slices.Insert(l.amounts, i, free)
	}
	heap.Push(level, node)
}

// fullest is the fullest node that has room for a worker, the first of them; there may be none.
func (l *layout) fullest(gpus GPUs) (node int, ok bool) {
	i, _ := slices.BinarySearch(l.amounts, gpus)
	for _, free := range l.amounts[i:] {
		level := l.levels[free]
		for len(*level) > 0 {
			if node := (*level)[0]; l.free[node] == free {
				return node, true
			}
			heap.Pop(level)
		}
	}
	return 0, false
}

// add places new workers on the fullest nodes that have room for one, all or none.
func (l *layout) add(j *trainee, count Workers) bool {
	if j.mayBeOn != nil || j.appetite != nil {
		return l.addOnSite(j, count)
	}
	return l.allOrNone(j, func() bool {
		for placed := Workers(0); placed < count; {
			node, ok := l.fullest(j.gpus)
			if !ok {
				return false
			}
			more := min(count-placed, Workers(l.free[node]/j.gpus))
			l.put(j, node, more)
			placed += more
		}
		return true
	})
}

// put places new workers on a node.
func (l *layout) put(j *trainee, node int, count Workers) {
	l.hold(j, node, count)
	j.added = append(j.added, slices.Repeat([]string{l.nodes[node].Name}, int(count))...)
}

// roomOn is the number of workers that there are GPUs for.
func (l *layout) roomOn(gpus GPUs) Workers {
	room := Workers(0)
	for _, free := range l.free {
		room += Workers(max(free, 0) / gpus)
	}
	return room
}

// back gives workers of a job their nodes back, all or none.
func (l *layout) back(j *trainee, nodes []string) bool {
	for i, name := range nodes {
		if l.hasRoom(j, l.index[name]) < 1 {
			l.letGo(j, nodes[:i])
			return false
		}
		l.hold(j, l.index[name], 1)
	}
	return true
}

// letGo has workers of a job give back what they have on their nodes.
func (l *layout) letGo(j *trainee, nodes []string) {
	for _, name := range nodes {
		l.hold(j, l.index[name], -1)
	}
}

// extend gives a job more workers: those that it had where they were, and new ones.
func (l *layout) extend(j *trainee, size Workers) bool {
	had := max(j.gets, min(size, j.Workers))
	if !l.back(j, j.On[min(int(j.gets), len(j.On)):min(int(had), len(j.On))]) {
		return false
	}
	if !l.add(j, size-had) {
		l.shrink(j, had)
		return false
	}
	return true
}

// shrink is the reverse of extend.
func (l *layout) shrink(j *trainee, size Workers) {
	had := max(j.gets, min(size, j.Workers))
	l.letGo(j, j.On[min(int(j.gets), len(j.On)):min(int(had), len(j.On))])
	l.drop(j, size-had)
}

// drop takes the last of a job's new workers away again.
func (l *layout) drop(j *trainee, count Workers) {
	rest := len(j.added) - int(count)
	l.letGo(j, j.added[rest:])
	j.added = j.added[:rest]
}

// lowest is a heap of nodes with the first of them on top.
type lowest []int

func (h lowest) Len() int           { return len(h) }
func (h lowest) Less(a, b int) bool { return h[a] < h[b] }
func (h lowest) Swap(a, b int)      { h[a], h[b] = h[b], h[a] }
func (h *lowest) Push(x any)        { *h = append(*h, x.(int)) }

// Pop takes off the last, as container/heap asks for.
func (h *lowest) Pop() any {
	last := (*h)[len(*h)-1]
	*h = (*h)[:len(*h)-1]
	return last
}

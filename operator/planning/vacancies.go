package planning

import (
	"cmp"
	"slices"

	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/operator/capacity"
	"github.com/takt-dev/takt/operator/view"
)

// vacancies are the GPUs that jobs may have, and that none of their workers has.
type vacancies struct {
	on     map[string]elastic.GPUs   // by node
	byPool map[string][]elastic.Node // the nodes of each, those with the most vacancies first
}

// vacanciesOf counts those that the workers of some jobs leave. A worker that leaves takes none: it is about to give
// back what it has.
func vacanciesOf(nodes []elastic.Node, subjects []*view.Subject, options capacity.Options) vacancies {
	v := vacancies{on: make(map[string]elastic.GPUs, len(nodes)), byPool: map[string][]elastic.Node{}}
	for _, node := range nodes {
		v.on[node.Name] = node.GPUs
		v.byPool[node.Pool] = append(v.byPool[node.Pool], node)
	}
	for _, s := range subjects {
		for _, w := range s.Pods {
			if on := w.Pod.Spec.NodeName; on != "" && holds(w.Pod) {
				v.on[on] -= capacity.GPUs(&w.Pod.Spec, options)
			}
		}
	}
	for _, of := range v.byPool {
		slices.SortStableFunc(of, func(a, b elastic.Node) int { return cmp.Compare(v.on[b.Name], v.on[a.Name]) })
	}
	return v
}

// placing is where the workers of a job are, and what each takes.
type placing struct {
	pool    string
	on      []string // in the order of their index
	each    elastic.GPUs
	perNode int // of how many there is room on an empty node
}

// nodesFor is on how many nodes a job that has workers would be with so many: where there is room for them at present,
// and for the rest where others give it back. Those that stay are where they are. If it is cold, all of another size
// begin anew: on as few nodes as may be, or, where its scheduler has spread it over more than that, on as many as now.
func (v vacancies) nodesFor(size int, is placing, cold bool) int {
	switch {
	case size == len(is.on) || size < len(is.on) && !cold:
		return len(countOf(is.on[:size]))
	case !cold:
		return v.grown(size, is)
	}
	nodes, rest := fewest(v.rooms(size, is), size)
	nodes = min(nodes+ceil(rest, is.perNode), len(v.byPool[is.pool]))
	if v.isSpread(is) {
		return max(nodes, min(size, len(countOf(is.on))))
	}
	return nodes
}

// isSpread says that not as many of a job's workers are together as could be: whoever has placed them did not mean to.
func (v vacancies) isSpread(is placing) bool {
	together, count := 0, countOf(is.on)
	for _, workers := range count {
		together = max(together, workers)
	}
	rooms := v.rooms(len(is.on), is)
	few, _ := fewest(rooms, len(is.on))
	return together < min(slices.Max(rooms), len(is.on)) || len(count) > few
}

// grown is on how many nodes a job is at least once workers are added to it.
func (v vacancies) grown(size int, is placing) int {
	own, more := countOf(is.on), size-len(is.on)
	for node := range own {
		more -= max(0, int(v.on[node]/is.each))
	}
	further, rest := fewest(v.others(nil, is, own, more), more)
	return min(len(own)+further+ceil(rest, is.perNode), max(len(v.byPool[is.pool]), len(own)))
}

// rooms are how many workers of a job each node has room for, if all of its own begin anew, of as many nodes as so many
// may need.
func (v vacancies) rooms(size int, is placing) (rooms []int) {
	own := countOf(is.on)
	for node, workers := range own {
		rooms = append(rooms, int(v.on[node]/is.each)+workers)
	}
	return v.others(rooms, is, own, size)
}

// countOf is how many workers are on each node.
func countOf(on []string) map[string]int {
	count := map[string]int{}
	for _, node := range on {
		count[node]++
	}
	return count
}

// fewest is how few of some rooms hold so many workers, and for how many of them there is none.
func fewest(rooms []int, workers int) (nodes, rest int) {
	slices.SortFunc(rooms, func(a, b int) int { return cmp.Compare(b, a) })
	for _, room := range rooms {
		if workers <= 0 || room <= 0 {
			break
		}
		workers, nodes = workers-room, nodes+1
	}
	return nodes, max(0, workers)
}

// ceil is a quotient that is rounded up.
func ceil(a, b int) int { return (a + b - 1) / b }

// others adds how many workers the nodes of a pool that a job is not on have room for: as many nodes as may be needed.
func (v vacancies) others(rooms []int, is placing, own map[string]int, most int) []int {
	for _, node := range v.byPool[is.pool] {
		if own[node.Name] > 0 {
			continue
		}
		room := int(v.on[node.Name] / is.each)
		if room <= 0 || most <= 0 {
			break
		}
		rooms, most = append(rooms, room), most-room
	}
	return rooms
}

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

// vacanciesOf counts those that the workers of some jobs leave.
func vacanciesOf(nodes []elastic.Node, subjects []*view.Subject, options capacity.Options) vacancies {
	v := vacancies{on: make(map[string]elastic.GPUs, len(nodes)), byPool: map[string][]elastic.Node{}}
	for _, node := range nodes {
		v.on[node.Name] = node.GPUs
		v.byPool[node.Pool] = append(v.byPool[node.Pool], node)
	}
	for _, s := range subjects {
		for _, w := range s.Pods {
			if on := w.Pod.Spec.NodeName; on != "" && !view.HasEnded(w.Pod) {
				v.on[on] -= capacity.GPUs(&s.Job.Worker.Spec, options)
			}
		}
	}
	for _, of := range v.byPool {
		slices.SortStableFunc(of, func(a, b elastic.Node) int { return cmp.Compare(v.on[b.Name], v.on[a.Name]) })
	}
	return v
}

// nodesFor is on how many nodes a job that runs would be with so many workers, of which an empty node has room for some:
// where there is room for them at present, and for the rest where others give it back. Those that stay are where they
// are. If it is cold, all of another size begin anew: on as few nodes as may be, or, where its scheduler has spread it
// over more than that, on as many as now.
func (v vacancies) nodesFor(job *elastic.Job, size, perNode int, cold bool) int {
	is := distinct(job.On)
	switch {
	case size == len(job.On) || size < len(job.On) && !cold:
		return distinct(job.On[:size])
	case !cold:
		return v.grown(job, size, perNode)
	}
	nodes, rest := fewest(v.rooms(job, size), size)
	nodes = min(nodes+ceil(rest, perNode), len(v.byPool[job.Pool]))
	if v.isSpread(job) {
		return max(nodes, min(size, is))
	}
	return nodes
}

// isSpread says that not as many of a job's workers are together as could be: whoever has placed them did not mean to.
func (v vacancies) isSpread(job *elastic.Job) bool {
	together, count := 0, countOf(job.On)
	for _, workers := range count {
		together = max(together, workers)
	}
	rooms := v.rooms(job, len(job.On))
	few, _ := fewest(rooms, len(job.On))
	return together < min(slices.Max(rooms), len(job.On)) || len(count) > few
}

// grown is on how many nodes a job is at least once workers are added to it.
func (v vacancies) grown(job *elastic.Job, size, perNode int) int {
	each, own := max(job.GPUsPerWorker, 1), countOf(job.On)
	more := size - len(job.On)
	for node := range own {
		more -= max(0, int(v.on[node]/each))
	}
	further, rest := fewest(v.others(nil, job.Pool, own, each, more), more)
	return min(len(own)+further+ceil(rest, perNode), max(len(v.byPool[job.Pool]), len(own)))
}

// rooms are how many workers of a job each node has room for, if all of its own begin anew, of as many nodes as so many
// may need.
func (v vacancies) rooms(job *elastic.Job, size int) (rooms []int) {
	each, own := max(job.GPUsPerWorker, 1), countOf(job.On)
	for node, workers := range own {
		rooms = append(rooms, int(v.on[node]/each)+workers)
	}
	return v.others(rooms, job.Pool, own, each, size)
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
func (v vacancies) others(rooms []int, pool string, own map[string]int, each elastic.GPUs, most int) []int {
	for _, node := range v.byPool[pool] {
		if _, is := own[node.Name]; is {
			continue
		}
		room := int(v.on[node.Name] / each)
		if room <= 0 || most <= 0 {
			break
		}
		rooms, most = append(rooms, room), most-room
	}
	return rooms
}

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

// nodesFor is on how many nodes a job that runs would be with so many workers, as far as there is room for them at
// present. Those that stay are where they are; if it is cold, all of another size begin anew.
func (v vacancies) nodesFor(job *elastic.Job, size int, cold bool) int {
	if size == len(job.On) || size < len(job.On) && !cold {
		return distinct(job.On[:size])
	}
	each, own := max(job.GPUsPerWorker, 1), map[string]elastic.GPUs{}
	for _, node := range job.On {
		own[node] += each
	}
	var rooms []int
	left, nodes := size, 0
	if cold {
		for node, gpus := range own {
			rooms = append(rooms, int((v.on[node]+gpus)/each))
		}
	} else {
		left, nodes = size-len(job.On), len(own)
		for node := range own {
			left -= max(0, int(v.on[node]/each))
		}
	}
	rooms = v.others(rooms, job.Pool, own, each, left)
	slices.SortFunc(rooms, func(a, b int) int { return cmp.Compare(b, a) })
	for _, room := range rooms {
		if left <= 0 || room <= 0 {
			break
		}
		left, nodes = left-room, nodes+1
	}
	return nodes
}

// others adds how many workers the nodes of a pool that a job is not on have room for: as many nodes as may be needed.
func (v vacancies) others(rooms []int, pool string, own map[string]elastic.GPUs, each elastic.GPUs, most int) []int {
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

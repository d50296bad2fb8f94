package planning

import (
	"slices"

	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/operator/capacity"
	"github.com/takt-dev/takt/shares"
)

// sharesOf is what each queue may have of the GPUs that are planned for. What those of its jobs have whose size stays
// is no part of them, and counts all the same towards what it is guaranteed, and towards its limit.
func (p *Planner) sharesOf(sc *Scene) []elastic.Queue {
	nodes, held := slices.Clone(sc.Supply.Nodes), map[string]map[string]elastic.GPUs{}
	for _, s := range sc.Held {
		queue := s.ElasticJob.Spec.Queue
		for _, w := range s.Pods {
			pool, ours := sc.Supply.PoolOf(w.Pod.Spec.NodeName)
			if !ours || !holds(w.Pod) {
				continue
			}
			if held[queue] == nil {
				held[queue] = map[string]elastic.GPUs{}
			}
			gpus := capacity.GPUs(&w.Pod.Spec, p.GPUs)
			held[queue][pool] += gpus
			nodes = append(nodes, elastic.Node{Pool: pool, GPUs: gpus})
		}
	}
	all := shares.Of(sc.queues, nodes)
	sc.guaranteed, sc.keptBy = slices.Clone(all), held
	for queue, has := range held {
		deduct(all, queue, has, func(q *elastic.Queue) *elastic.GPUs { return &q.Guaranteed })
		deduct(all, queue, has, func(q *elastic.Queue) *elastic.GPUs { return q.Limit })
	}
	return all
}

// deduct takes from an amount of a queue what it has in each pool. What is more than the amount there is taken from
// those of the other pools.
func deduct(all []elastic.Queue, queue string, has map[string]elastic.GPUs,
	amount func(*elastic.Queue) *elastic.GPUs) {
	rest := elastic.GPUs(0)
	for _, own := range []bool{true, false} {
		for i := range all {
			left := amount(&all[i])
			if all[i].Name != queue || left == nil {
				continue
			}
			takes := rest
			if own {
				takes = has[all[i].Pool]
			}
			taken := min(takes, *left)
			*left -= taken
			if own {
				rest += takes - taken
			} else {
				rest -= taken
			}
		}
	}
}

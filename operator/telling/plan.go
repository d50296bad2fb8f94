package telling

import (
	"github.com/prometheus/client_golang/prometheus"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic"
)

// Hold shows what a plan has handed out, of what, and the queues of the jobs that are left alone.
func (m *Metrics) Hold(queues []*v1alpha1.TrainingQueue, s elastic.Snapshot, d elastic.Decision, alone []string,
	costs map[string]v1alpha1.QueueCostStatus) {
	m.knows(queues)
	m.gpus.Reset()
	m.Jobs.Reset()
	for i, o := range d.Jobs {
		job := s.Jobs[i]
		queue := m.queue(job.Queue)
		m.gpus.WithLabelValues(queue, string(o.Verdict)).Add(float64(job.GPUs(o.Workers)))
		m.Jobs.WithLabelValues(queue, string(o.Verdict)).Inc()
	}
	for _, name := range alone {
		m.Jobs.WithLabelValues(m.queue(name), string(v1alpha1.VerdictLeftAlone)).Inc()
	}
	m.share(queues)
	m.cost(queues, costs)
	m.supply(s)
}

// share shows what queues may have. Those that have no figures of their own have none here: their shares do not add up.
func (m *Metrics) share(queues []*v1alpha1.TrainingQueue) {
	m.shares.Reset()
	for _, queue := range queues {
		if m.queue(queue.Name) == others {
			continue
		}
		for share, gpus := range map[string]*int32{"guaranteed": queue.Spec.Guaranteed, "limit": queue.Spec.Limit} {
			if gpus != nil {
				m.shares.WithLabelValues(queue.Name, share).Set(float64(*gpus))
			}
		}
	}
}

// cost shows what the jobs of queues cost, where GPUs have a price, and begins to count what deadlines cost.
func (m *Metrics) cost(queues []*v1alpha1.TrainingQueue, costs map[string]v1alpha1.QueueCostStatus) {
	m.costs.Reset()
	if costs == nil {
		return
	}
	for _, outcome := range outcomes {
		m.paid.WithLabelValues(others, outcome)
	}
	for _, queue := range queues {
		if m.queue(queue.Name) == others {
			continue
		}
		for _, outcome := range outcomes {
			m.paid.WithLabelValues(queue.Name, outcome)
		}
		for estimate, cost := range estimatesOf(costs[queue.Name].SoFar, costs[queue.Name].Expected) {
			m.costs.WithLabelValues(queue.Name, estimate).Set(cost)
		}
	}
}

// supply shows what there is to hand out, and what others wait for.
func (m *Metrics) supply(s elastic.Snapshot) {
	m.pools.Reset()
	m.demands.Reset()
	seen := map[string]bool{}
	add := func(to *prometheus.GaugeVec, pool string, gpus elastic.GPUs) {
		if !seen[pool] && len(seen) >= mostPools {
			pool = others
		}
		seen[pool] = true
		to.WithLabelValues(pool).Add(float64(gpus))
	}
	for _, node := range s.Nodes {
		add(m.pools, node.Pool, node.GPUs)
	}
	for _, demand := range s.Demands {
		add(m.demands, demand.Pool, demand.GPUs)
	}
}

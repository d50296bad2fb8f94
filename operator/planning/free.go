package planning

import (
	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/operator/capacity"
	"github.com/takt-dev/takt/operator/memory"
	"github.com/takt-dev/takt/operator/view"
)

// freeGPUs is what is free at this moment, and is spent from as resizes begin.
type freeGPUs struct {
	GPUs    map[string]elastic.GPUs     // by pool
	budgets map[string]*capacity.Budget // by namespace
	caps    map[*view.Subject]quotaCap
	// patient says whether to wait for all that a job is to have. What is given back may take its
	// time, but somewhere that ends.
	patient func(*view.Subject) bool
}

// FreeGPUs counts what is free: what the nodes have, without what the workers hold, or are about to, and what is only coming.
func (p *Planner) FreeGPUs(sc *Scene) *freeGPUs {
	f := &freeGPUs{GPUs: map[string]elastic.GPUs{}, budgets: sc.budgets, caps: sc.caps}
	f.patient = func(s *view.Subject) bool { return sc.At.Sub(s.Known.AwaitsSince(sc.At)) < p.Limits.DrainWithin }
	for _, node := range sc.Snapshot.Nodes {
		f.GPUs[node.Pool] += node.GPUs
	}
	for pool := range f.GPUs {
		f.GPUs[pool] -= sc.Supply.Coming(pool)
	}
	for i, s := range sc.Subjects {
		job := sc.Snapshot.Jobs[i]
		held := 0
		for _, w := range s.Pods {
			if !p.writtenOff(w.Pod) { // what its node has is not among what is free
				held++
			}
		}
		if r := s.Active(); r != nil {
			held = max(held, int(job.Workers))
		}
		f.GPUs[job.Pool] -= elastic.GPUs(held) * job.GPUsPerWorker
	}
	return f
}

// take is the size that there is room for now, at most that of the resize, and why it is not all of
// it. What a growing job takes is spent.
func (f *freeGPUs) take(s *view.Subject, job elastic.Job, r elastic.Resize) (elastic.Workers, memory.Hindrance) {
	if r.To <= r.From {
		return r.To, memory.Hindrance{}
	}
	wanted, why := r.To-r.From, f.caps[s].hinders(r.To)
	if room := elastic.Workers(max(f.GPUs[job.Pool], 0) / max(job.GPUsPerWorker, 1)); room < wanted {
		why = memory.NotFree(r.To)
		if f.patient(s) {
			return r.From, why // growing twice would cost two pauses
		}
		wanted = room
	}
	budget := f.budgets[s.ElasticJob.Namespace]
	if left, limited, limit := budget.Left(s.Job.Worker); limited && left < wanted {
		wanted, why = left, quotaCap{r.From + left, limit}.hinders(r.To)
	}
	to := r.From
	for _, size := range job.Sizes { // only sizes that it may have
		if size.Workers > r.From && size.Workers <= r.From+wanted {
			to = size.Workers
		}
	}
	budget.Take(s.Job.Worker, to-r.From)
	f.GPUs[job.Pool] -= elastic.GPUs(to-r.From) * job.GPUsPerWorker
	return to, why
}

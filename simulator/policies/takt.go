// Package policies holds the ways of sharing a cluster that are compared with each other.
package policies

import (
	"slices"

	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/simulator"
)

// takt is the planner of this project, asked as the operator asks it.
type takt struct {
	plan    func(elastic.Snapshot) elastic.Decision
	decided map[string]elastic.Outcome
}

func (p *takt) Decide(s simulator.State) simulator.Seconds {
	snapshot := elastic.Snapshot{Now: elastic.Seconds(s.Now)}
	for _, gpus := range s.Nodes {
		snapshot.Nodes = append(snapshot.Nodes, elastic.Node{GPUs: elastic.GPUs(gpus)})
	}
	for _, t := range s.Jobs {
		snapshot.Jobs = append(snapshot.Jobs, p.job(t, s.ResizeCost))
	}
	for _, t := range s.Later {
		job := p.job(t, s.ResizeCost)
		job.After = t.Awaits
		snapshot.Jobs = append(snapshot.Jobs, job)
	}
	decision := p.plan(snapshot)
	for i, t := range slices.Concat(s.Jobs, s.Later) {
		d := decision.Jobs[i]
		p.decided[t.ID] = d
		t.Want = int(d.Workers)
		t.Promised = t.Promised || d.Promised
		t.Declined = d.Verdict == elastic.AtRisk || d.Verdict == elastic.Infeasible
	}
	if decision.Wake == nil {
		return simulator.Never
	}
	return simulator.Seconds(*decision.Wake)
}

func (p *takt) job(t *simulator.Training, pause simulator.Seconds) elastic.Job {
	before := p.decided[t.ID]
	job := elastic.Job{
		Name:      t.ID,
		Submitted: elastic.Seconds(t.Submit),
		Left:      elastic.Work(t.Left),
		Sizes:     t.Curve,
		Workers:   elastic.Workers(t.Size),
		Written:   elastic.Workers(t.GPUs),
		BusyUntil: elastic.Seconds(t.Since),
		Pause:     elastic.Seconds(pause),
		Promised:  before.Promised,
		Reserved:  before.Reserved,

		OnlyPromised: t.OnlyPromised, Priority: t.Priority,
	}
	if !t.BestEffort() {
		deadline := elastic.Seconds(t.Deadline)
		job.Deadline = &deadline
	}
	return job
}

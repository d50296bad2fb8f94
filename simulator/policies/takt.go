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
	turns   map[string]turn
}

func newTakt() *takt {
	return &takt{elastic.Plan, map[string]elastic.Outcome{}, map[string]turn{}}
}

func (p *takt) Decide(s simulator.State) simulator.Seconds {
	snapshot := elastic.Snapshot{Now: elastic.Seconds(s.Now), Queues: s.Queues}
	for _, gpus := range s.Nodes {
		snapshot.Nodes = append(snapshot.Nodes, elastic.Node{GPUs: elastic.GPUs(gpus)})
	}
	for _, t := range slices.Concat(s.Jobs, s.Later) {
		snapshot.Jobs = append(snapshot.Jobs, p.job(t, s))
	}
	decision := p.plan(snapshot)
	for i, t := range slices.Concat(s.Jobs, s.Later) {
		d := decision.Jobs[i]
		p.decided[t.ID] = d
		t.Want = int(d.Workers)
		t.Promised = t.Promised || d.Promised
		t.Declined = d.Verdict == elastic.AtRisk || d.Verdict == elastic.Infeasible
		if t.MaxWait > 0 {
			p.turns[t.ID] = p.turns[t.ID].after(t, s)
		}
	}
	wake := simulator.Never
	if len(s.Queues) > 0 {
		wake = tooLate(s)
	}
	if decision.Wake != nil {
		wake = min(wake, simulator.Seconds(*decision.Wake))
	}
	return wake
}

// tooLate is when the next job will have missed its deadline that waits for a promise of it: from then on it has none.
func tooLate(s simulator.State) simulator.Seconds {
	next := simulator.Never
	for _, t := range s.Jobs {
		if t.OnlyPromised && t.Want == 0 && t.Deadline > s.Now {
			next = min(next, t.Deadline)
		}
	}
	return next
}

func (p *takt) job(t *simulator.Training, s simulator.State) elastic.Job {
	before := p.decided[t.ID]
	job := elastic.Job{
		Name:      t.ID,
		Submitted: elastic.Seconds(t.Submit),
		Left:      elastic.Work(t.Left),
		Sizes:     t.Curve,
		Workers:   elastic.Workers(t.Size),
		Written:   elastic.Workers(t.GPUs),
		BusyUntil: elastic.Seconds(t.Since),
		Pause:     elastic.Seconds(s.ResizeCost),
		Promised:  before.Promised,
		Reserved:  before.Reserved,
		After:     t.Awaits,

		OnlyPromised: t.OnlyPromised, Priority: t.Priority,
	}
	missed := len(s.Queues) > 0 && t.OnlyPromised && t.Size == 0 && t.Deadline <= s.Now
	if !t.BestEffort() && !missed {
		deadline := elastic.Seconds(t.Deadline)
		job.Deadline = &deadline
	}
	if len(s.Queues) > 0 {
		job.Queue = t.Queue
	}
	if t.MaxWait > 0 {
		now := p.turns[t.ID].before(t, s.Now)
		p.turns[t.ID] = now
		job.MaxWait, job.WaitsSince, job.TurnUntil = elastic.Seconds(t.MaxWait), elastic.Seconds(now.since),
			elastic.Seconds(now.until)
	}
	return job
}

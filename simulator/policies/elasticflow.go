package policies

import (
	"slices"

	"github.com/takt-dev/takt/simulator"
)

// elasticflow is ElasticFlow as published, with its own model of overhead. Where its description
// leaves room:
//
//   - It acts on an event at once, but not within a slot after it last acted: what happens
//     meanwhile waits for the end of that slot, and its newcomers stand or fall together. What is
//     declined is dropped.
//   - The ends of shares are rounded up to slots, deadlines are not.
//   - A job that can no longer make it takes all that it can use in the plan, and fails every
//     newcomer until it is finished.
//   - Of what is left over, a GPU goes to the job whose GPU-time changes most by it, which is the
//     one that it serves worst. The paper reads as if it went the other way; what was plotted was
//     made this way, and this comes closer to it on five of six traces.
//   - The plan knows nothing of the overhead that it causes.
type elasticflow struct {
	overhead
	arrivals  arrivals
	accepted  queue
	newcomers []*simulator.Training
	acted     bool
	last      simulator.Seconds
}

// slot is the least time between two actions.
const slot = simulator.Seconds(60)

func newElasticflow() *elasticflow { return &elasticflow{accepted: queue{compare: byDeadline}} }

func (p *elasticflow) Decide(s simulator.State) simulator.Seconds {
	for _, t := range p.arrivals.sinceLast(s) {
		if !t.BestEffort() {
			p.newcomers = append(p.newcomers, t)
		}
	}
	if next := p.last + slot; p.acted && s.Now < next {
		p.idle()
		return next
	}
	p.acted, p.last = true, s.Now
	p.accepted.prune()
	p.admit(s)
	shares, _ := p.plan(s, p.accepted.jobs)
	free, wake := give(s, p.accepted.jobs, shares)
	grow(free, slices.Concat(p.accepted.jobs, bestEffort(s.Jobs)), spentGPUTime)
	p.count(s)
	return max(wake, s.Now+slot)
}

// admit takes all newcomers whose speed is known, or none of them.
func (p *elasticflow) admit(s simulator.State) {
	known, unknown := split(p.newcomers)
	if len(known) == 0 {
		return
	}
	p.newcomers = unknown
	all := queue{jobs: slices.Clone(p.accepted.jobs), compare: byDeadline}
	all.add(known...)
	_, late := p.plan(s, all.jobs)
	if late == 0 {
		p.accepted = all
	}
	for _, t := range known {
		t.Promised, t.Declined = late == 0, late > 0
	}
}

func (p *elasticflow) plan(s simulator.State, jobs []*simulator.Training) ([]share, int) {
	none := func(*simulator.Training) simulator.Seconds { return 0 }
	return newProfile(s.Now, s.GPUs, slot).reserve(jobs, none, func(p *profile, t *simulator.Training) share {
		return p.most(newLadder(t), t.Left)
	})
}

package policies

import (
	"slices"

	"github.com/takt-dev/takt/simulator"
)

// elasticflowFixed is ElasticFlow with its faults repaired. It acts at every event and not by the
// slot; it admits newcomers one by one; a job that can no longer make it reserves nothing and lives
// on what is left over; what is left over goes where it costs least GPU-time; and a resize costs
// the job that changes, and no other. The plan counts the pause that a job is in, and that of a
// start, but not those of the resizes to come. What is declined is dropped.
type elasticflowFixed struct {
	arrivals  arrivals
	accepted  queue
	newcomers []*simulator.Training
}

func newElasticflowFixed() *elasticflowFixed {
	return &elasticflowFixed{accepted: queue{compare: byDeadline}}
}

func (p *elasticflowFixed) Decide(s simulator.State) simulator.Seconds {
	p.accepted.prune()
	for _, t := range p.arrivals.sinceLast(s) {
		if !t.BestEffort() {
			p.newcomers = append(p.newcomers, t)
		}
	}
	free, wake := give(s, p.accepted.jobs, p.admit(s))
	grow(free, slices.Concat(p.accepted.jobs, bestEffort(s.Jobs)), savedGPUTime)
	return max(wake, s.Now+1)
}

// admit takes each newcomer that makes neither itself nor another late, and tells the shares.
func (p *elasticflowFixed) admit(s simulator.State) []share {
	shares, late := p.plan(s, p.accepted.jobs)
	known, unknown := split(p.newcomers)
	p.newcomers = unknown
	for _, t := range known {
		with := p.accepted.with(t)
		then, lateThen := p.plan(s, with.jobs)
		t.Promised, t.Declined = lateThen <= late, lateThen > late
		if t.Promised {
			p.accepted, shares = with, then
		}
	}
	return shares
}

func (p *elasticflowFixed) plan(s simulator.State, jobs []*simulator.Training) ([]share, int) {
	aside := func(*profile, *simulator.Training) share { return share{changes: simulator.Never} }
	return newProfile(s.Now, s.GPUs, 0).reserve(jobs, func(t *simulator.Training) simulator.Seconds {
		return pause(s, t, max(t.Size, 1))
	}, aside)
}

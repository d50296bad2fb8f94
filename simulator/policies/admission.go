package policies

import "github.com/takt-dev/takt/simulator"

// edfAdmission runs jobs earliest deadline first, each at a size that is fixed when it is accepted:
// the smallest with which the newcomer makes neither itself nor another late. To know, it plays the
// schedule that would follow. If there is no such size the job is declined, and dropped. Jobs
// without a deadline come last, at the size that their owner asked for.
type edfAdmission struct {
	arrivals  arrivals
	accepted  queue
	newcomers []*simulator.Training
	gpus      map[*simulator.Training]int
}

func newEDFAdmission() *edfAdmission {
	return &edfAdmission{accepted: queue{compare: byDeadline}, gpus: map[*simulator.Training]int{}}
}

func (p *edfAdmission) Decide(s simulator.State) simulator.Seconds {
	for _, t := range p.accepted.jobs {
		if finished(t) {
			delete(p.gpus, t)
		}
	}
	p.accepted.prune()
	p.newcomers = append(p.newcomers, p.arrivals.sinceLast(s)...)
	p.admit(s)
	release(s.Jobs)
	free := s.GPUs
	for _, t := range p.accepted.jobs {
		if gpus := p.gpus[t]; gpus <= free {
			t.Want = gpus
			free -= gpus
		}
	}
	return simulator.Never
}

func (p *edfAdmission) admit(s simulator.State) {
	known, unknown := split(p.newcomers)
	p.newcomers = unknown
	if len(known) == 0 {
		return
	}
	late := p.misses(s, p.accepted)
	for _, t := range known {
		if own, _ := ownSize(t); t.BestEffort() {
			p.gpus[t] = own.gpus
			p.accepted.add(t)
			continue
		}
		with := p.accepted.with(t)
		for _, size := range newLadder(t) {
			if s.Now+pause(s, t, size.gpus)+size.took(t.Left) > t.Deadline {
				continue
			}
			p.gpus[t] = size.gpus
			if p.misses(s, with) <= late {
				p.accepted, t.Promised = with, true
				break
			}
		}
		if !t.Promised {
			t.Declined = true
			delete(p.gpus, t)
		}
	}
}

// misses is how many jobs miss their deadline if nobody else comes.
func (p *edfAdmission) misses(s simulator.State, jobs queue) int {
	profile := newProfile(s.Now, s.GPUs, 0)
	late := 0
	for _, t := range jobs.jobs {
		size, ok := known(t, p.gpus[t])
		if !ok || profile.most(ladder{size}, t.Left).end+pause(s, t, size.gpus) > t.Deadline {
			late++
		}
	}
	return late
}

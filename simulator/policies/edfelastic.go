package policies

import "github.com/takt-dev/takt/simulator"

// edfElastic gives each job, earliest deadline first, the smallest size that meets its deadline if
// it keeps it from now on. What is left goes where it costs least GPU-time, to late jobs too. It never
// looks at what comes after now, and declines nobody.
type edfElastic struct{ queue }

func newEDFElastic() *edfElastic { return &edfElastic{queue{compare: byDeadline}} }

func (p *edfElastic) Decide(s simulator.State) simulator.Seconds {
	p.update(s)
	free := s.GPUs
	for _, t := range p.jobs {
		if t.BestEffort() || free == 0 {
			break
		}
		for _, r := range newLadder(t) {
			if r.gpus <= free && s.Now+pause(s, t, r.gpus)+r.took(t.Left) <= t.Deadline {
				t.Want = r.gpus
				free -= r.gpus
				break
			}
		}
	}
	grow(free, p.jobs, savedGPUTime)
	return simulator.Never
}

package policies

import "github.com/takt-dev/takt/simulator"

// edf is earliest deadline first as ElasticFlow's authors compare with it: in the order of their
// deadlines jobs get the most GPUs that were measured for them, faster or not, or as many of the
// sizes as are left. Of the readings that were tried only this one gives the ratios that they plotted,
// within four points of each. It is a weak baseline by definition: jobs hold GPUs that do not make
// them any faster. See edfAdmission and edfElastic for what the order by deadline can do.
type edf struct{ queue }

func newEDF() *edf { return &edf{queue{compare: byDeadline}} }

func (p *edf) Decide(s simulator.State) simulator.Seconds {
	p.update(s)
	free := s.GPUs
	for _, t := range p.jobs {
		if free == 0 {
			break
		}
		t.Want = largest(t, free)
		free -= t.Want
	}
	return simulator.Never
}

// largest is the largest size of a job that fits; none if there is none.
func largest(t *simulator.Training, free int) int {
	gpus := 0
	for _, size := range t.Curve {
		if int(size.Workers) <= free {
			gpus = max(gpus, int(size.Workers))
		}
	}
	return gpus
}

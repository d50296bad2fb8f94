package policies

import "github.com/takt-dev/takt/simulator"

// fifo is kube-scheduler: every job has the size that its owner asked for, from its start to its
// end. Jobs start in the order of their arrival; one that does not fit waits, and smaller ones pass
// it meanwhile, as kube-scheduler puts aside what it cannot place.
type fifo struct{}

func (fifo) Decide(s simulator.State) simulator.Seconds {
	free := s.GPUs
	for _, t := range s.Jobs {
		free -= t.Size
	}
	for _, t := range s.Jobs {
		if free == 0 {
			break
		}
		if t.Size > 0 {
			continue
		}
		if own, ok := ownSize(t); ok && own.gpus <= free {
			t.Want = own.gpus
			free -= own.gpus
		}
	}
	return simulator.Never
}

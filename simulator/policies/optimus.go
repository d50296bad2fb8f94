package policies

import "github.com/takt-dev/takt/simulator"

// optimus gives every job its smallest size, in the order of arrival, and then GPU after GPU to
// the job whose estimated remaining time shrinks most by it. Deadlines are not looked at. It decides
// at every event: its published ten-minute intervals let GPUs idle, and met fewer deadlines in every
// trace that they were tried on.
type optimus struct{}

func (optimus) Decide(s simulator.State) simulator.Seconds {
	release(s.Jobs)
	grow(s.GPUs, s.Jobs, savedTime)
	return simulator.Never
}

package policies

import (
	"cmp"
	"container/heap"
	"math"

	"github.com/takt-dev/takt/simulator"
)

// climber is a job that may climb its ladder while GPUs are left.
type climber struct {
	training *simulator.Training
	ladder   ladder
	step     int // -1 is below the lowest rung
	gain     float64
	order    int
}

// gain is what the next rung of a job is worth for each GPU that it takes.
type gain func(work simulator.Iterations, from, to rung) float64

// savedGPUTime is ElasticFlow's: how much less GPU-time the rest of the work takes. It is negative
// where more GPUs mean a poorer use of them.
func savedGPUTime(work simulator.Iterations, from, to rung) float64 {
	saved := float64(from.gpus)*float64(from.took(work)) - float64(to.gpus)*float64(to.took(work))
	return saved / float64(to.gpus-from.gpus)
}

// spentGPUTime is the opposite: how much more it takes.
func spentGPUTime(work simulator.Iterations, from, to rung) float64 {
	return -savedGPUTime(work, from, to)
}

// savedTime is that of Optimus: how much sooner the job is finished.
func savedTime(work simulator.Iterations, from, to rung) float64 {
	return float64(from.took(work)-to.took(work)) / float64(to.gpus-from.gpus)
}

// climbers are those for whom there is a next rung, the one with the most to gain first.
type climbers []*climber

func (c climbers) Len() int      { return len(c) }
func (c climbers) Swap(i, j int) { c[i], c[j] = c[j], c[i] }
func (c climbers) Less(i, j int) bool {
	return cmp.Or(cmp.Compare(c[j].gain, c[i].gain), cmp.Compare(c[i].order, c[j].order)) < 0
}
func (c *climbers) Push(x any) { *c = append(*c, x.(*climber)) }
func (c *climbers) Pop() any {
	last := len(*c) - 1
	x := (*c)[last]
	*c = (*c)[:last]
	return x
}

// grow gives away the GPUs that are left, a rung at a time: first to jobs that have none, in the
// order given, then to the job that gains most.
func grow(free int, jobs []*simulator.Training, gain gain) {
	var up climbers
	for i, t := range jobs {
		c := &climber{training: t, ladder: newLadder(t), order: i}
		c.step = c.ladder.within(t.Want)
		if c.look(gain) {
			up = append(up, c)
		}
	}
	heap.Init(&up)
	for free > 0 && len(up) > 0 {
		c := up[0]
		more := c.ladder[c.step+1].gpus - c.training.Want
		if more <= free {
			free -= more
			c.training.Want += more
			c.step++
			if c.look(gain) {
				heap.Fix(&up, 0)
				continue
			}
		}
		heap.Pop(&up)
	}
}

// look weighs the next rung, if there is one.
func (c *climber) look(gain gain) bool {
	switch {
	case c.step+1 >= len(c.ladder):
		return false
	case c.step < 0:
		c.gain = math.Inf(1)
	default:
		c.gain = gain(c.training.Left, c.ladder[c.step], c.ladder[c.step+1])
	}
	return true
}

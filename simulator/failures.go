package simulator

import (
	"math"
	"math/rand/v2"
	"slices"
)

// Failures are nodes that go down at random and come back. A job that was on such a node stops; it
// goes on from its last checkpoint once the policy gives it GPUs again.
type Failures struct {
	MTBF       Seconds // mean time between two failures of one node; none, if zero
	Repair     Seconds // how long a node is down
	Checkpoint Seconds // how often jobs save their state
	Seed       uint64
}

// failing is what fails next, and what is being repaired.
type failing struct {
	Failures
	random  *rand.Rand
	nodes   *nodes
	strikes Seconds
	back    []Seconds // by node: when it comes back; zero for one that is up
}

func (f Failures) start(n *nodes) *failing {
	s := &failing{Failures: f, nodes: n, strikes: Never, back: make([]Seconds, len(n.free))}
	if f.MTBF > 0 {
		s.random = rand.New(rand.NewPCG(f.Seed, 1))
		s.draw(0)
	}
	return s
}

func (f *failing) draw(now Seconds) {
	f.strikes = now + Seconds(f.random.ExpFloat64()*float64(f.MTBF)/float64(len(f.back)))
}

// repaired is when the next node comes back.
func (f *failing) repaired() Seconds {
	next := Never
	for _, at := range f.back {
		if at > 0 {
			next = min(next, at)
		}
	}
	return next
}

// strike brings back what is repaired, takes down what fails now, and returns the jobs that stop.
func (f *failing) strike(now Seconds, jobs []*Training) []*Training {
	for i, at := range f.back {
		if at > 0 && at <= now {
			f.back[i], f.nodes.down[i] = 0, false
		}
	}
	if now < f.strikes {
		return nil
	}
	node := f.random.IntN(len(f.back))
	f.draw(now)
	f.back[node], f.nodes.down[node] = now+f.Repair, true
	var stopped []*Training
	for _, t := range jobs {
		if slices.ContainsFunc(t.at, func(s spot) bool { return s.node == node }) {
			if f.Checkpoint > 0 {
				lost := math.Mod(float64(t.unsaved), float64(f.Checkpoint))
				t.Left = min(t.Work, t.Left+Iterations(lost*t.speeds[t.Size]))
			}
			stopped = append(stopped, t)
		}
	}
	return stopped
}

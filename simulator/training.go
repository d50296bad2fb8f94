package simulator

import (
	"math"

	"github.com/takt-dev/takt/elastic"
)

// Training is a job in the cluster: what has become of it so far, and what the policy wants.
type Training struct {
	Job
	// Curve is what the predictor makes of its speeds: nothing as long as nothing is known.
	Curve []elastic.Size
	Left  Iterations
	Size  int     // the GPUs that it holds
	Ready Seconds // when it trains next: moves along while it does
	Since Seconds // when it has begun, or will begin, to train after its last change of size

	Awaits []string // those of After that are not finished

	// Want is the number of GPUs that the policy gives it now; it stays if the policy says nothing.
	Want int
	// Promised and Declined are what the policy has told its owner. A decline may be followed by a
	// promise, but a promise stands.
	Promised, Declined bool

	Resizes  int
	Waited   Seconds // for how long it held no GPU since it has come
	Held     float64 // GPU-seconds that it held
	Idle     float64 // of these, those in which it did not train
	Finished Seconds // never, if it has not

	speeds  Speeds  // the truth, which policies do not see
	unsaved Seconds // training since the last checkpoint
	at      []spot  // the nodes it is on
}

// Never is after all time: the deadline of a job that has none, and when a job is finished that is not.
var Never = Seconds(math.Inf(1))

// BestEffort says that the job has no deadline.
func (t *Training) BestEffort() bool { return t.Deadline == Never }

// rounding is how much a sum of spans may be off.
const rounding = Seconds(1e-3)

// Met says whether the job was finished in time.
func (t *Training) Met() bool { return !t.BestEffort() && t.Finished <= t.Deadline+rounding }

// Nodes is the number of nodes that it is on.
func (t *Training) Nodes() int { return len(t.at) }

// end is when the job is finished if its size stays.
func (t *Training) end() Seconds {
	if t.Size == 0 {
		return Never
	}
	return t.Ready + Seconds(float64(t.Left)/t.speeds[t.Size])
}

// advance lets the job train for a span of time. Ready moves along while it trains.
func (t *Training) advance(from, to Seconds) {
	if t.Size == 0 {
		t.Waited += to - from
		return
	}
	end := t.end()
	t.Held += float64(t.Size) * float64(to-from)
	t.Idle += float64(t.Size) * float64(max(0, min(t.Ready, to)-from))
	switch {
	case end <= to+rounding:
		t.Left, t.Finished = 0, to
	case to > t.Ready:
		t.Left -= Iterations(float64(to-t.Ready) * t.speeds[t.Size])
		t.unsaved += to - t.Ready
		t.Ready = to
	}
}

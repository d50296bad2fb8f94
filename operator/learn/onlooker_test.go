package learn

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic/resize"
	"github.com/takt-dev/takt/operator/progress"
	"github.com/takt-dev/takt/predictor"
)

// hazard is what else happens to the workers of a history.
type hazard string

const (
	nothing      hazard = "nothing"
	atBarrier    hazard = "new ones wait at the barrier"
	cannotRun    hazard = "new ones cannot run at first"
	unreached    hazard = "the node of new ones does not answer at first"
	fellAndWaits hazard = "one falls, and cannot run for a while"
	lostAndFound hazard = "the node of one does not answer for a while"
)

// onlooker is a training as Takt sees it.
type onlooker struct {
	*hunted
	*testing.T
	run *Run

	hazard
	every, late float64 // how often it is read, and how likely that comes late
	prints      float64 // it tells how far it is each so many steps, dated by then; 0 is whenever it is asked
	spread      bool    // each worker has a node to itself
	dies        float64 // how likely another operator goes on after a reading

	pods     int     // that run
	told     float64 // what it has printed last
	toldAt   float64
	doubt    [2]float64 // from when to when it is seen that one does not train
	owes     *changed   // the change that is not over yet
	live     bool       // it is no start
	mishaps  int        // that were learned
	readings int
}

func newOnlooker(t *testing.T, seed uint64, h hazard) *onlooker {
	random := rand.New(rand.NewPCG(seed, 5))
	w := &onlooker{
		T: t, hunted: newHunted(random), run: NewRun("resnet-1"), hazard: h,
		every: 1 + 9*random.Float64()*random.Float64(), spread: random.IntN(2) == 0,
	}
	if random.IntN(2) == 0 {
		w.late = 0.1
	}
	if random.IntN(3) == 0 {
		w.prints = math.Ceil(w.one * w.between(1, 5))
	}
	if random.IntN(4) == 0 {
		w.dies = 0.05
	}
	return w
}

// shape is how so many workers run.
func (w *onlooker) shape(workers int) predictor.Shape {
	shape := size(workers)
	if w.spread {
		shape.Nodes = workers
	}
	return shape
}

// watch lets the training go on for so long, and reads it meanwhile. What is found fault with is looked for after each
// reading.
func (w *onlooker) watch(seconds float64, look func()) {
	const step = 0.25
	for end := w.now + seconds; w.now < end; {
		next := w.now + w.every*w.between(0.8, 1.2)
		if w.Float64() < w.late {
			next += w.between(2, 15)
		}
		for w.now < next {
			w.train(step)
			if w.prints > 0 && math.Floor(w.done/w.prints) != math.Floor(w.told/w.prints) {
				w.told, w.toldAt = math.Floor(w.done/w.prints)*w.prints, w.now
			}
		}
		w.read()
		look()
		if w.Float64() < w.dies {
			w.run = recalledFrom(w.T, w.run)
		}
	}
}

// doubted says that a worker is seen not to train.
func (w *onlooker) doubted() bool { return w.doubt[0] <= w.now && w.now < w.doubt[1] }

// read takes one reading.
func (w *onlooker) read() {
	if w.doubted() {
		w.run.Doubt(second(w.now))
	}
	s := progress.Sample{
		Source: v1alpha1.ProgressAgent, At: second(w.now), Done: math.Floor(w.done), Total: 1e6, Unit: "steps",
	}
	if w.prints > 0 {
		s.At, s.Done = second(w.toldAt), w.told
	}
	if w.savedAt > 0 {
		s.SavedAt = second(w.savedAt)
	}
	w.readings++
	fell := !w.run.mishap.since.IsZero()
	w.run.Sample(s, w.shape(w.pods))
	if fell && w.run.mishap.since.IsZero() {
		w.mishaps++
	}
	w.settle()
}

// begin has the training start.
func (w *onlooker) begin() {
	w.pods = w.workers
	w.run.Team("0", second(0), second(0))
	w.owes = &changed{}
}

// resize changes the number of workers.
func (w *onlooker) resize(to int) {
	grows, after := to > w.pods, 0.0
	if h := w.hazard; grows && (h == atBarrier || h == cannotRun || h == unreached) {
		after = w.between(30, 300)
		w.doubt = [2]float64{w.now, w.now + after}
		if h == unreached { // that is noticed only after some time
			w.doubt[0] += 40
		}
	}
	w.change(to, after)
	w.pods, w.owes, w.live = to, w.last(), true
	w.run.Team(string(rune('a'+len(w.changes))), second(0), second(w.now))
}

// fall has a worker not train for a while, whose pod stays.
func (w *onlooker) fall() {
	after := w.between(60, 300)
	w.doubt = [2]float64{w.now + 3, w.now + after}
	if w.hazard == lostAndFound {
		w.doubt[0] += 37
	}
	w.loses(after)
}

// settle ends a change as its resize does, which is told what it has cost. One that cannot run is no reason to wait.
func (w *onlooker) settle() {
	if w.owes == nil || w.doubted() && w.hazard != cannotRun {
		return
	}
	p, c := w.run.Progress(), w.owes
	limits := resize.DefaultLimits()
	noticed := p.Cadence == 0 || p.Cadence >= limits.SteadyFor || p.StoppedAt.IsZero() ||
		2*p.ResumedAt.Sub(p.StoppedAt) > 3*p.Cadence || p.AdvancedAt.Sub(p.ResumedAt) >= limits.SteadyFor
	switch {
	case p.Advances >= 2 && !p.ResumedAt.Before(second(c.at)) && noticed:
		w.over(p)
	case w.now > c.at+limits.VerifyWithin.Seconds():
		w.owes = nil
		w.run.Restarted(v1alpha1.RestartLive, resize.Cost{})
	}
}

// over takes what a resize has cost, as it is told.
func (w *onlooker) over(p resize.Progress) {
	w.owes = nil
	if !w.live {
		w.run.Restarted(v1alpha1.RestartStart, resize.Cost{})
		return
	}
	cost := resize.Cost{Measured: true, Pause: p.ResumedAt.Sub(p.StoppedAt), Lost: p.Redoes}
	if !p.SavedAt.IsZero() {
		began := p.BeganAt
		if !p.TrainsSince.After(p.StoppedAt) {
			began = latestOf(began, p.TrainsSince)
		}
		cost.Lost = max(cost.Lost, p.StoppedAt.Sub(latestOf(p.SavedAt, began)))
	}
	cost.Pause, cost.Lost = cost.Pause.Round(time.Millisecond), cost.Lost.Round(time.Millisecond)
	w.run.Restarted(v1alpha1.RestartLive, cost)
}

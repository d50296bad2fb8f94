package predictor

import (
	"cmp"
	"math"
	"slices"
)

// Whole is how long a run took that has ended, from its first start to its end.
type Whole struct {
	Run  string  `json:"run"`
	Seen Seconds `json:"seen"` // when it ended
	Took []Spent `json:"took"`
	// Closing is how much of that came after the last step; absent if nobody could tell.
	Closing *Seconds `json:"closing,omitempty"`
}

// Spent is how long a run was of one shape.
type Spent struct {
	Shape Shape   `json:"shape"`
	Time  Seconds `json:"time"`
}

// Belief is how long a job takes as others say who know it: earlier runs of its code, or somebody who guesses. It
// counts the whole job as a work of 1. Nothing in it was measured of the job itself.
type Belief struct {
	// Runs is how many earlier runs it goes by; 0 is a guess.
	Runs int
	// Agree says that there are several runs, which took the same time at the same size.
	Agree bool

	model     *Model
	guess     bool
	deviation float64 // of the logarithm of the time that the whole takes
}

const (
	// guessDeviation makes what people guess true up to a factor of two, in nine of ten cases.
	guessDeviation = 0.42
	// runDeviation is that of the times of two runs of the same code, before more is known of them.
	runDeviation = 0.25
	// enoughRuns that are as near to each other as a factor of alike agree.
	enoughRuns = 3
	alike      = 1.25
	// keptRuns is how many of the latest runs count.
	keptRuns = 15
	// usualScaling is the power of the number of workers by which jobs are usually faster.
	usualScaling = 0.8
	// modelSpread is that of a whole run in the model of sizes; what runs differ by is added to what that says.
	modelSpread = 0.05
)

// Guess believes that the whole takes so long with so many workers, wherever they are.
func Guess(took Seconds, workers Workers) (*Belief, bool) {
	b := &Belief{model: NewModel(), guess: true, deviation: guessDeviation}
	return b, b.observe(Shape{Workers: workers, Nodes: 1}, math.Log(float64(took)), 1)
}

// FromRuns believes that the job takes as long as earlier runs; false if none of them tells anything.
func FromRuns(runs []Whole) (*Belief, bool) {
	b := &Belief{model: NewModel()}
	var shapes []Shape
	logs := map[Shape][]float64{}
	for _, run := range lastRuns(runs) {
		shape, took, ok := run.mostly()
		if !ok {
			continue
		}
		if logs[shape] == nil {
			shapes = append(shapes, shape)
		}
		logs[shape] = append(logs[shape], math.Log(float64(took)))
	}
	for _, shape := range shapes {
		typical := total(logs[shape]) / float64(len(logs[shape]))
		if len(logs[shape]) > enoughRuns { // one of them may have been for a try
			slices.Sort(logs[shape])
			typical = middle(logs[shape])
		}
		if !b.observe(shape, typical, len(logs[shape])) {
			delete(logs, shape)
			continue
		}
		b.Runs += len(logs[shape])
	}
	squares, worst := 0.0, 0.0
	for shape, all := range logs {
		rate, err := b.model.Rate(shape)
		if err != nil {
			return nil, false
		}
		for _, log := range all {
			off := log + math.Log(rate.Median)
			squares, worst = squares+off*off, max(worst, math.Abs(off))
		}
	}
	n := float64(b.Runs)
	b.deviation = math.Sqrt((priorParts*runDeviation*runDeviation + squares) / (priorParts + max(n-1, 0)) * (1 +
		1/max(n, 1)))
	b.Agree = b.Runs >= enoughRuns && worst <= math.Log(alike)
	return b, b.Runs > 0
}

// lastRuns are the runs that count, the one that ended last first.
func lastRuns(runs []Whole) []Whole {
	runs = slices.SortedFunc(slices.Values(runs), func(a, b Whole) int {
		return cmp.Or(cmp.Compare(b.Seen, a.Seen), cmp.Compare(a.Run, b.Run))
	})
	return runs[:min(len(runs), keptRuns)]
}

func (b *Belief) observe(shape Shape, logTook float64, count int) bool {
	return b.model.ObserveMeasure(shape, Measure{Rate: Rate(math.Exp(-logTook)), Spread: modelSpread, Count: count}) == nil
}

// mostly is the shape that a run had for most of the time, and how long it would have taken with that alone.
func (w Whole) mostly() (Shape, Seconds, bool) {
	if len(w.Took) == 0 {
		return Shape{}, 0, false
	}
	most := slices.MaxFunc(w.Took, func(a, b Spent) int { return cmp.Compare(a.Time, b.Time) }).Shape
	took := Seconds(0)
	for _, s := range w.Took {
		took += s.Time * Seconds(math.Pow(float64(s.Shape.Workers)/float64(most.Workers), usualScaling))
	}
	return most, took, took > 0 && most.Workers > 0
}

// Rate is the part of the whole that is done in a second at a shape. How wrong the belief may be as a whole is in
// Left.
func (b *Belief) Rate(shape Shape) (Estimate, error) {
	if b.guess {
		shape.Nodes, shape.GPU = 1, "" // somebody means those that the job is going to have
	}
	return b.model.Rate(shape)
}

// Left is how much is left once a part of what was believed is done, in the middle of what may be, and by which
// factors it may be less and more, with a probability of 90 %. A job that takes longer than it was believed to
// shows that the belief was wrong: then more is left than nothing.
func (b *Belief) Left(done float64) (left, less, more float64) {
	const least = 0.02 // of what is done, and of the whole
	done = max(done, 0)
	passed := 0.0 // how probable it was to have ended by now
	if done > 0 {
		passed = math.Erfc(-math.Log(done)/b.deviation/math.Sqrt2) / 2
	}
	rest := max(1-passed, 1e-9)
	at := func(p float64) float64 { // what is left with a probability of p, given that it has not ended
		z := math.Sqrt2 * math.Erfinv(2*min(1-rest*(1-p), 1-1e-12)-1)
		return max(math.Exp(b.deviation*z)-done, least*max(done, 1))
	}
	left = at(0.5)
	return left, left / at(0.05), at(0.95) / left
}

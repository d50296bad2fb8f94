package pollux

import (
	"errors"
	"math"
	"slices"

	"gonum.org/v1/gonum/optimize"
)

// Shape is how a job ran.
type Shape struct {
	Workers, Nodes int
	Batch          float64 // of one worker
}

// Point is a step time, in seconds, that was measured.
type Point struct {
	Shape
	Step float64
}

// The parameters; all but γ are searched as logarithms.
const (
	fixed       = iota // a
	perBatch           // b
	across             // α_n
	acrossSlope        // β_n
	within             // α_r
	withinSlope        // β_r
	gamma
	parameters
)

const (
	least    = 1e-8
	maxGamma = 10
)

// Form is the form with all parameters known.
type Form struct{ values [parameters]float64 }

// Fit fits the form to the points, from several starts.
func Fit(points []Point) (Form, error) {
	for _, p := range points {
		if !(p.Step > 0) || !(p.Batch > 0) || p.Workers < 1 || p.Nodes < 1 {
			return Form{}, errors.New("a point has no positive step time, batch, workers or nodes")
		}
	}
	if len(points) == 0 {
		return Form{}, errors.New("there is no point to fit to")
	}
	free, known := freeze(points)
	problem := optimize.Problem{
		Func: func(x []float64) float64 { return objective(points, free, known, x, nil) },
		Grad: func(grad, x []float64) { objective(points, free, known, x, grad) },
	}
	best := math.Inf(1)
	var form Form
	for _, start := range starts(points) {
		x := make([]float64, 0, len(free))
		for _, i := range free {
			x = append(x, start[i])
		}
		// A line search that ends early has found all that it can: its best point counts.
		result, _ := optimize.Minimize(problem, x, &optimize.Settings{MajorIterations: 300}, &optimize.BFGS{})
		if result != nil && result.F < best {
			best = result.F
			form.values = values(free, known, result.X)
		}
	}
	if math.IsInf(best, 1) {
		return Form{}, errors.New("no start led anywhere")
	}
	if !slices.Contains(free, across) {
		// Nothing ran across nodes: that costs at least a little more than within one.
		form.values[across] = max(form.values[across], 1.1*form.values[within])
		form.values[acrossSlope] = max(form.values[acrossSlope], 1.1*form.values[withinSlope])
	}
	return form, nil
}

// freeze tells which parameters the points can tell of, and what the others are.
func freeze(points []Point) (free []int, known [parameters]float64) {
	any := func(is func(Point) bool) bool { return slices.ContainsFunc(points, is) }
	free = []int{fixed, perBatch, across, acrossSlope, within, withinSlope, gamma}
	keep := func(i int, value float64) {
		free = slices.DeleteFunc(free, func(j int) bool { return i == j })
		known[i] = value
	}
	if !any(func(p Point) bool { return p.Batch != points[0].Batch }) {
		sum := 0.0
		for _, p := range points {
			sum += p.Step
		}
		keep(fixed, sum/float64(len(points))/2)
	}
	if !any(func(p Point) bool { return p.Nodes > 1 }) {
		keep(across, least)
	}
	if !any(func(p Point) bool { return p.Nodes > 1 && p.Workers > 2 }) {
		keep(acrossSlope, least)
	}
	if !any(func(p Point) bool { return p.Nodes == 1 && p.Workers > 1 }) {
		keep(within, least)
	}
	if !any(func(p Point) bool { return p.Nodes == 1 && p.Workers > 2 }) {
		keep(withinSlope, least)
	}
	return free, known
}

// starts are points from which the search may find the valley: more computing, or more network.
func starts(points []Point) [][parameters]float64 {
	var steps, batches []float64
	for _, p := range points {
		steps, batches = append(steps, p.Step), append(batches, p.Batch)
	}
	slices.Sort(steps)
	slices.Sort(batches)
	step, batch := steps[len(steps)/2], batches[len(batches)/2]
	var list [][parameters]float64
	for _, s := range [][5]float64{
		{0.3, 0.5, 0.5, 0.01, -4}, {0.1, 0.9, 0.3, 0.001, 0}, {0.5, 0.3, 0.9, 0.03, -1}, {0.1, 0.5, 0.1, 0.001, 1},
	} {
		list = append(list, [parameters]float64{
			fixed: math.Log(s[0] * step), perBatch: math.Log(s[1] * step / batch),
			across: math.Log(s[2] * step), acrossSlope: math.Log(s[3] * step),
			within: math.Log(s[2] * step / 2), withinSlope: math.Log(s[3] * step / 2),
			gamma: s[4],
		})
	}
	return list
}

// values are the parameters of the form at x.
func values(free []int, known [parameters]float64, x []float64) [parameters]float64 {
	v := known
	for j, i := range free {
		if i == gamma {
			v[i] = 1 + (maxGamma-1)/(1+math.Exp(-x[j]))
		} else {
			v[i] = max(math.Exp(min(x[j], 700)), least)
		}
	}
	return v
}

// objective is what the fit minimises. It writes the gradient by x, unless that is nil.
func objective(points []Point, free []int, known [parameters]float64, x, grad []float64) float64 {
	v := values(free, known, x)
	var slope [parameters]float64 // by the parameters themselves
	sum := 0.0
	for _, p := range points {
		log, by := logStep(v, p.Shape)
		rest := (log - math.Log(p.Step)) / float64(len(points))
		sum += rest * rest * float64(len(points))
		for i := range by {
			slope[i] += 2 * rest * by[i]
		}
	}
	sum += 1e-3 * (v[gamma] - 1) * (v[gamma] - 1)
	slope[gamma] += 2e-3 * (v[gamma] - 1)
	for _, pair := range [][2]int{{acrossSlope, across}, {withinSlope, within}} {
		ratio := v[pair[0]] / v[pair[1]]
		sum += 1e-2 * ratio * ratio
		slope[pair[0]] += 2e-2 * ratio / v[pair[1]]
		slope[pair[1]] -= 2e-2 * ratio * ratio / v[pair[1]]
	}
	if grad != nil {
		for j, i := range free {
			if i == gamma {
				grad[j] = slope[i] * (v[i] - 1) * (maxGamma - v[i]) / (maxGamma - 1)
			} else {
				grad[j] = slope[i] * v[i]
			}
		}
	}
	return sum
}

// logStep is the logarithm of the step time, and its derivatives by the parameters.
func logStep(v [parameters]float64, s Shape) (log float64, by [parameters]float64) {
	computing := v[fixed] + v[perBatch]*s.Batch
	if s.Workers == 1 {
		by[fixed], by[perBatch] = 1/computing, s.Batch/computing
		return math.Log(computing), by
	}
	cost, slope := across, acrossSlope
	if s.Nodes == 1 {
		cost, slope = within, withinSlope
	}
	network := v[cost] + v[slope]*float64(s.Workers-2)
	a, n, g := math.Log(computing), math.Log(network), v[gamma]
	share := 1 / (1 + math.Exp(g*(a-n))) // of the network
	log = max(a, n) + math.Log1p(math.Exp(-g*math.Abs(a-n)))/g
	by[fixed], by[perBatch] = (1-share)/computing, (1-share)*s.Batch/computing
	by[cost], by[slope] = share/network, share*float64(s.Workers-2)/network
	by[gamma] = ((1-share)*a + share*n - log) / g
	return log, by
}

// Step is the step time, in seconds, of a shape.
func (f Form) Step(s Shape) float64 {
	log, _ := logStep(f.values, s)
	return math.Exp(log)
}

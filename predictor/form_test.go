package predictor

import (
	"fmt"
	"math"
	"testing"
)

// The derivatives that the optimiser follows are those of the function.
func TestGradients(t *testing.T) {
	likely := Usual()
	shapes := []Shape{
		{Workers: 1, Nodes: 1, Servers: 1}, {Workers: 2, Nodes: 1, Servers: 1}, {Workers: 3, Nodes: 1, Servers: 2},
		{Workers: 2, Nodes: 2, Servers: 1}, {Workers: 16, Nodes: 4, Servers: 4},
	}
	for _, form := range forms {
		for _, shape := range shapes {
			t.Run(fmt.Sprintf("%T/%d on %d", form, shape.Workers, shape.Nodes), func(t *testing.T) {
				var theta []float64
				for i, prior := range form.prior(&likely) {
					theta = append(theta, prior.mean+0.3*math.Sin(float64(i)))
				}
				grad, scratch := make([]float64, len(theta)), make([]float64, len(theta))
				form.logTime(theta, shape, 1.7, grad)
				for i := range theta {
					const h = 1e-6
					up, down := append([]float64(nil), theta...), append([]float64(nil), theta...)
					up[i] += h
					down[i] -= h
					high, _ := form.logTime(up, shape, 1.7, scratch)
					low, _ := form.logTime(down, shape, 1.7, scratch)
					if want := (high - low) / (2 * h); math.Abs(grad[i]-want) > 1e-6 {
						t.Errorf("parameter %d: derivative %g, want %g", i, grad[i], want)
					}
				}
			})
		}
	}
}

// The network decides between nothing and all of a step.
func TestExposed(t *testing.T) {
	likely := Usual()
	for _, form := range forms {
		var theta []float64
		for _, prior := range form.prior(&likely) {
			theta = append(theta, prior.mean)
		}
		scratch := make([]float64, len(theta))
		_, small := form.logTime(theta, Shape{Workers: 8, Nodes: 2, Servers: 1}, 0.1, scratch)
		_, large := form.logTime(theta, Shape{Workers: 8, Nodes: 2, Servers: 1}, 10, scratch)
		if !(0 <= large && large < small && small <= 1) {
			t.Errorf("%T: the network decides %g of a step with a small batch, and %g with a large one", form, small, large)
		}
	}
}

// A job that behaves as one kind of form says is recognised as such.
func TestFormIsChosenByFit(t *testing.T) {
	servers := func(s Shape) float64 { return 0.1 + 0.05*float64(s.Workers)/float64(s.Servers) }
	reduce := func(s Shape) float64 {
		if s.Nodes == 1 {
			return 0.1
		}
		return math.Hypot(0.1, 0.3)
	}
	for name, test := range map[string]struct {
		step func(Shape) float64
		want bool // parameter servers
	}{"parameter servers": {servers, true}, "all-reduce": {reduce, false}} {
		t.Run(name, func(t *testing.T) {
			m := NewModel()
			for _, workers := range []Workers{1, 2, 4, 8, 16} {
				for _, count := range []int{1, 2, 4} {
					shape := Shape{Workers: workers, Nodes: (int(workers) + 3) / 4, Servers: count}
					if err := m.Observe(Observation{Shape: shape, Step: Seconds(test.step(shape))}); err != nil {
						t.Fatal(err)
					}
				}
			}
			stepTime(t, m, shapeOf(8))
			for i, weight := range m.weights {
				if _, is := forms[i].(parameterServer); is && (weight > 0.9) != test.want {
					t.Errorf("parameter servers weigh %g", weight)
				}
			}
		})
	}
}

package predictor

import (
	"math"
	"testing"
)

// Where the workers of a node share one way out, it matters how many they are, not how many there
// are in all: that is learned on two and three nodes, and holds on four.
func TestCrowdedNodes(t *testing.T) {
	step := func(workers, nodes int) float64 {
		return math.Hypot(0.1, 0.3*math.Pow(float64(workers)/float64(nodes), 0.6))
	}
	m := NewModel()
	for _, at := range [][2]int{{1, 1}, {2, 2}, {4, 2}, {8, 2}, {3, 3}, {6, 3}, {12, 3}} {
		workers, nodes := at[0], at[1]
		took := step(workers, nodes)
		if workers == 1 {
			took = 0.1
		}
		shape := Shape{Workers: Workers(workers), Nodes: nodes}
		if err := m.Observe(Observation{Shape: shape, Step: Seconds(took)}); err != nil {
			t.Fatal(err)
		}
	}
	for _, workers := range []int{4, 8, 12, 16} {
		want := step(workers, 4)
		got := stepTime(t, m, Shape{Workers: Workers(workers), Nodes: 4})
		if math.Abs(got.Median/want-1) > 0.1 || got.Low > want || want > got.High {
			t.Errorf("%d workers on 4 nodes: %v, want %g", workers, got, want)
		}
	}
}

// A job that was never told to have several parameter servers probably has none. A few samples
// do not change that.
func TestServersAreUnlikely(t *testing.T) {
	weight := func(servers int) float64 {
		m := NewModel()
		for _, workers := range []int{1, 4} {
			shape := shapeOf(workers)
			shape.Servers = servers
			if err := m.Observe(Observation{Shape: shape, Step: Seconds(truth(workers))}); err != nil {
				t.Fatal(err)
			}
		}
		stepTime(t, m, shapeOf(8))
		for i, form := range forms {
			if _, is := form.(parameterServer); is {
				return m.weights[i]
			}
		}
		t.Fatal("there is no form for parameter servers")
		return 0
	}
	if untold, told := weight(1), weight(2); untold > 0.05 || told < 0.2 {
		t.Errorf("parameter servers weigh %g if nothing was told of them, and %g with two", untold, told)
	}
}

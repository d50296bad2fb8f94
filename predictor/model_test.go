package predictor

import (
	"math"
	"testing"
)

// truth is a job that no form describes exactly.
func truth(workers, nodes int, batch float64) float64 {
	computing := 0.1 + 0.02*batch
	network := 0.0
	switch {
	case nodes > 1:
		network = 0.3 * math.Pow(float64(workers), 0.3)
	case workers > 1:
		network = 0.05
	}
	return math.Hypot(computing, network)
}

func shapeOf(workers int, batch float64) Shape {
	return Shape{Workers: Workers(workers), Nodes: (workers + 3) / 4, Batch: batch}
}

func TestStepTimeBetweenWhatWasMeasured(t *testing.T) {
	m := NewModel()
	for _, workers := range []int{1, 2, 8, 16} {
		for range 5 {
			if err := m.Observe(Observation{Shape: shapeOf(workers, 16), Step: Seconds(truth(workers, (workers+3)/4, 16))}); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, workers := range []int{1, 2, 4, 8, 12, 16, 24, 32, 64} {
		got, err := m.StepTime(shapeOf(workers, 16))
		if err != nil {
			t.Fatal(err)
		}
		want := truth(workers, (workers+3)/4, 16)
		t.Logf("%d workers: %.4f in %.4f %.4f %.4f %v %v", workers, want, got.Low, got.Median, got.High, got.Trust, m.weights)
	}
}

func BenchmarkObserveAndCurve(b *testing.B) {
	for b.Loop() {
		b.StopTimer()
		m := NewModel()
		for i, workers := range []int{4, 8, 16, 12, 2, 24} {
			_ = m.Observe(Observation{Shape: shapeOf(workers, 16), Step: Seconds(truth(workers, (workers+3)/4, 16) * (1 + 0.01*float64(i)))})
		}
		_, _ = m.StepTime(shapeOf(1, 16))
		b.StartTimer()
		_ = m.Observe(Observation{Shape: shapeOf(12, 16), Step: Seconds(truth(12, 3, 16))})
		for workers := 1; workers <= 32; workers += 2 {
			_, _ = m.StepTime(shapeOf(workers, 16))
		}
	}
}

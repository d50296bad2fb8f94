package predictor

import (
	"errors"
	"math"
	"testing"
)

// truth is a job that no form describes exactly, on nodes of four workers.
func truth(workers int) float64 {
	const computing = 0.42
	switch {
	case workers > 4:
		return math.Hypot(computing, 0.3*math.Pow(float64(workers), 0.3))
	case workers > 1:
		return math.Hypot(computing, 0.05)
	}
	return computing
}

func shapeOf(workers int) Shape {
	return Shape{Workers: Workers(workers), Nodes: (workers + 3) / 4, Batch: 16}
}

// learned is a model that has seen these sizes, several times each, as the truth has it.
func learned(t testing.TB, sizes ...int) *Model {
	t.Helper()
	m := NewModel()
	for _, workers := range sizes {
		for range 5 {
			if err := m.Observe(Observation{Shape: shapeOf(workers), Step: Seconds(truth(workers))}); err != nil {
				t.Fatal(err)
			}
		}
	}
	return m
}

func stepTime(t testing.TB, m *Model, shape Shape) Estimate {
	t.Helper()
	estimate, err := m.StepTime(shape)
	if err != nil {
		t.Fatal(err)
	}
	return estimate
}

func TestStepTime(t *testing.T) {
	m := learned(t, 1, 2, 8, 16)
	for name, test := range map[string]struct {
		workers int
		within  float64 // of the truth
		trust   Trust
	}{
		"measured":                       {8, 0.01, Measured},
		"between":                        {12, 0.05, Interpolated},
		"on one node":                    {4, 0.12, Interpolated},
		"up to twice the largest":        {32, 0.3, Extrapolated},
		"more than twice the largest":    {64, 1, Unknown},
		"far more than what makes sense": {100_000, math.Inf(1), Unknown},
	} {
		t.Run(name, func(t *testing.T) {
			want, got := truth(test.workers), stepTime(t, m, shapeOf(test.workers))
			if math.Abs(got.Median/want-1) > test.within || got.Trust != test.trust {
				t.Errorf("%d workers: %v, want %g within %g and %v", test.workers, got, want, test.within, test.trust)
			}
			if got.Low > want || want > got.High {
				t.Errorf("%d workers: %g is not in %v", test.workers, want, got)
			}
		})
	}
}

func TestWhatIsFartherAwayIsLessSure(t *testing.T) {
	m := learned(t, 4, 8)
	before := 0.0
	for _, workers := range []int{8, 12, 16, 24, 32, 64, 128} {
		got := stepTime(t, m, shapeOf(workers))
		if width := got.High / got.Low; width < before {
			t.Errorf("%d workers: the interval is narrower, %g, than that of fewer workers, %g", workers, width, before)
		} else {
			before = width
		}
	}
}

// A step of a month is predicted like one of a second, on the way from forms that are as likely as
// each other to one that is certain.
func TestTheUnitOfTimeDoesNotMatter(t *testing.T) {
	const month = 30 * 24 * 3600
	seconds, months := NewModel(), NewModel()
	for _, workers := range []Workers{1, 2, 4, 8, 16} {
		for _, servers := range []int{1, 2} {
			shape := Shape{Workers: workers, Nodes: (int(workers) + 3) / 4, Servers: servers}
			step := Seconds(0.1 + 0.05*float64(workers)/float64(servers))
			err1 := seconds.Observe(Observation{Shape: shape, Step: step})
			err2 := months.Observe(Observation{Shape: shape, Step: month * step})
			if err := errors.Join(err1, err2); err != nil {
				t.Fatal(err)
			}
			want, got := stepTime(t, seconds, shapeOf(6)).Scaled(month), stepTime(t, months, shapeOf(6))
			if math.Abs(got.Median/want.Median-1) > 1e-6 || math.Abs(got.High/want.High-1) > 1e-6 {
				t.Errorf("%d workers with %d servers: %v, want %v", workers, servers, got, want)
			}
		}
	}
}

func TestNothingMeasuredIsUnknown(t *testing.T) {
	if _, err := NewModel().StepTime(shapeOf(1)); !errors.Is(err, ErrUnknown) {
		t.Errorf("got %v, want %v", err, ErrUnknown)
	}
}

func BenchmarkObserveAndCurve(b *testing.B) {
	m := learned(b, 4, 8, 16, 12, 2, 24)
	step := 0
	for b.Loop() {
		// Far enough from the last that the model must be fitted anew.
		step++
		changed := truth(12) * (1 + 0.05*float64(step%3))
		for range window {
			if err := m.Observe(Observation{Shape: shapeOf(12), Step: Seconds(changed)}); err != nil {
				b.Fatal(err)
			}
		}
		for workers := 1; workers <= 32; workers += 2 {
			stepTime(b, m, shapeOf(workers))
		}
	}
}

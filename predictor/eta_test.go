package predictor

import (
	"errors"
	"math"
	"slices"
	"testing"
)

func TestETA(t *testing.T) {
	m := learned(t, 1, 2, 4, 8)
	shape := shapeOf(8)
	const steps = 1000
	left := Work(steps * 8 * 16) // 8 workers with a batch of 16 each
	got, err := m.ETA(left, shape, Estimate{})
	if err != nil {
		t.Fatal(err)
	}
	if want := steps * truth(8); math.Abs(got.Median/want-1) > 0.02 || got.Trust != Measured {
		t.Errorf("%+v, want about %g", got, want)
	}
	with, err := m.ETA(left, shape, Estimate{Low: 10, Median: 20, High: 60})
	if err != nil {
		t.Fatal(err)
	}
	if with.Low != got.Low+10 || with.Median != got.Median+20 || with.High != got.High+60 {
		t.Errorf("with a restart %+v, without %+v", with, got)
	}
	if done, err := m.ETA(0, shape, Estimate{Low: 10, Median: 20, High: 60}); err != nil || done.High != 0 {
		t.Errorf("nothing left takes %+v, %v", done, err)
	}
}

func TestRateIsWhatWasObserved(t *testing.T) {
	m := NewModel()
	for range 5 {
		if err := m.ObserveRate(Shape{Workers: 4, Nodes: 1, Batch: 0.25}, 1e-4, 0); err != nil {
			t.Fatal(err)
		}
	}
	got, err := m.Rate(Shape{Workers: 4, Nodes: 1, Batch: 0.25})
	if err != nil || math.Abs(got.Median/1e-4-1) > 0.01 || got.Low > got.Median || got.Median > got.High {
		t.Errorf("got %+v, %v, want 1e-4", got, err)
	}
	for name, rate := range map[string]Rate{"zero": 0, "negative": -1, "NaN": Rate(math.NaN()),
		"infinite": Rate(math.Inf(1)), "tiny": 1e-200} {
		var bad *ValueError
		if err := m.ObserveRate(Shape{Workers: 4, Nodes: 1}, rate, 0); !errors.As(err, &bad) {
			t.Errorf("a rate that is %s is taken: %v", name, err)
		}
	}
}

func TestQuestionsThatMakeNoSense(t *testing.T) {
	m := learned(t, 4)
	nan := math.NaN()
	for name, test := range map[string]struct {
		left    Work
		restart Estimate
	}{
		"NaN left":           {Work(nan), Estimate{}},
		"negative left":      {-1, Estimate{}},
		"infinite left":      {Work(math.Inf(1)), Estimate{}},
		"NaN restart":        {1, Estimate{Low: nan, Median: nan, High: nan}},
		"unordered restart":  {1, Estimate{Low: 3, Median: 2, High: 1}},
		"infinite a restart": {1, Estimate{High: math.Inf(1)}},
	} {
		t.Run(name, func(t *testing.T) {
			var bad *ValueError
			if eta, err := m.ETA(test.left, shapeOf(4), test.restart); !errors.As(err, &bad) {
				t.Errorf("got %+v, %v", eta, err)
			}
		})
	}
}

func TestQuantile(t *testing.T) {
	e := Estimate{Low: 50, Median: 100, High: 400}
	for p, want := range map[float64]float64{0.05: 50, 0.5: 100, 0.95: 400} {
		if got := e.Quantile(p); math.Abs(got-want) > 1e-9*want {
			t.Errorf("quantile %g is %g, want %g", p, got, want)
		}
		if got := e.Below(want); math.Abs(got-p) > 1e-9 {
			t.Errorf("the probability of %g is %g, want %g", want, got, p)
		}
	}
}

// TestFewRestarts takes the next pause to be no shorter at worst than what was seen, and not absurdly long: a
// job that is believed to pause for half an hour is never resized again, and so never learns better.
func TestFewRestarts(t *testing.T) {
	for _, pauses := range [][]Seconds{{0.3, 1.8}, {1.8, 0.3, 1.4}, {0.3, 1.3, 2, 7}, {20, 60}, {20, 400}, {1, 4, 16},
		{0.3, 1.8, 8}, {20, 100, 400}} {
		var r Restarts
		for _, pause := range pauses {
			if err := r.Observe(Cost{Pause: pause}); err != nil {
				t.Fatal(err)
			}
		}
		if got, longest := r.Pause(), float64(slices.Max(pauses)); got.High < longest || got.High > 8*longest ||
			got.Median > longest+2 {
			t.Errorf("after pauses of %v s the next is taken to be %+v", pauses, got)
		}
	}
}

func TestRestarts(t *testing.T) {
	var r Restarts
	unknown := r.Cost()
	if unknown.Trust != Unknown || unknown.High < 100 {
		t.Errorf("a restart that was never seen costs %+v, want a wide guess", unknown)
	}
	for _, pause := range []Seconds{30, 31, 29, 400, 30, 32} {
		if err := r.Observe(Cost{Pause: pause, Lost: pause / 3}); err != nil {
			t.Fatal(err)
		}
	}
	pause := r.Pause()
	if pause.Median < 27 || pause.Median > 34 || pause.High > 100 || pause.Trust != Measured {
		t.Errorf("after pauses of 30 s and one of 400 s the next is taken to be %+v", pause)
	}
	if lost := r.Lost(); lost.Median < 9 || lost.Median > 11 || lost.High < 100 {
		t.Errorf("the next restart is taken to lose %+v", lost)
	}
	for name, cost := range map[string]Cost{
		"negative": {Pause: -1}, "NaN": {Pause: Seconds(math.NaN())}, "infinite": {Lost: Seconds(math.Inf(1))},
		"absurd": {Lost: 1e300},
	} {
		var bad *ValueError
		if err := r.Observe(cost); !errors.As(err, &bad) {
			t.Errorf("a cost that is %s is taken: %v", name, err)
		}
	}
	for range 100 {
		if err := r.Observe(Cost{Pause: 60}); err != nil {
			t.Fatal(err)
		}
	}
	if len(r.recent) != window || math.Abs(r.Pause().Median/60-1) > 0.05 {
		t.Errorf("%d restarts are kept, and the next pause is taken to be %+v", len(r.recent), r.Pause())
	}
}

package pollux

import (
	"math"
	"testing"
)

func TestFitFindsTheFormAgain(t *testing.T) {
	want := Form{[parameters]float64{fixed: 0.1, perBatch: 0.02, across: 0.3, acrossSlope: 0.003, within: 0.05,
		withinSlope: 0.002, gamma: 1.5}}
	var points []Point
	for _, workers := range []int{1, 2, 3, 4, 6, 8, 12, 16} {
		for _, batch := range []float64{4, 8, 16, 32} {
			s := Shape{workers, (workers + 3) / 4, batch}
			points = append(points, Point{s, want.Step(s)})
		}
	}
	got, err := Fit(points)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range points {
		if math.Abs(got.Step(p.Shape)/p.Step-1) > 0.03 {
			t.Errorf("%+v: %g, want %g", p.Shape, got.Step(p.Shape), p.Step)
		}
	}
}

func TestWhatNoPointTellsIsFrozen(t *testing.T) {
	form, err := Fit([]Point{{Shape{1, 1, 8}, 1}, {Shape{2, 1, 8}, 1.5}})
	if err != nil {
		t.Fatal(err)
	}
	if form.values[fixed] != 0.625 {
		t.Errorf("of one batch size, %g is fixed, want half of the mean, 0.625", form.values[fixed])
	}
	if form.values[across] < 1.1*form.values[within] {
		t.Errorf("across nodes costs %g, and within one %g: it must be a tenth more", form.values[across],
			form.values[within])
	}
}

func TestFitRefuses(t *testing.T) {
	for name, points := range map[string][]Point{
		"nothing": nil, "no time": {{Shape{1, 1, 1}, 0}}, "not a number": {{Shape{1, 1, 1}, math.NaN()}},
		"no workers": {{Shape{0, 1, 1}, 1}},
	} {
		t.Run(name, func(t *testing.T) {
			if form, err := Fit(points); err == nil {
				t.Errorf("got %+v", form)
			}
		})
	}
}

func TestGradient(t *testing.T) {
	points := []Point{{Shape{1, 1, 8}, 1}, {Shape{2, 1, 16}, 1.5}, {Shape{3, 1, 16}, 1.6}, {Shape{8, 2, 16}, 2}}
	free, known := freeze(points)
	start := starts(points)[0]
	var x []float64
	for _, i := range free {
		x = append(x, start[i])
	}
	grad := make([]float64, len(x))
	objective(points, free, known, x, grad)
	for i := range x {
		const h = 1e-6
		at := func(shift float64) float64 {
			moved := append([]float64(nil), x...)
			moved[i] += shift
			return objective(points, free, known, moved, nil)
		}
		if want := (at(h) - at(-h)) / (2 * h); math.Abs(grad[i]-want) > 1e-6*(1+math.Abs(want)) {
			t.Errorf("derivative %d is %g, want %g", i, grad[i], want)
		}
	}
}

package predictor

import (
	"math"
	"testing"
)

func TestAGuessIsTrueUpToAFactorOfTwo(t *testing.T) {
	b, ok := Guess(6*3600, 4)
	if !ok || b.Agree || b.Runs != 0 {
		t.Fatalf("%+v, %t", b, ok)
	}
	rate, err := b.Rate(Shape{Workers: 4, Nodes: 2, GPU: "A100"})
	if err != nil || math.Abs(rate.Median*6*3600-1) > 0.02 || rate.Trust != Measured {
		t.Errorf("at the size that was named: %+v, %v", rate, err)
	}
	if twice, _ := b.Rate(Shape{Workers: 8, Nodes: 1}); twice.Median < 1.2*rate.Median || twice.Median > 2*rate.Median ||
		twice.Trust == Unknown {
		t.Errorf("with twice as many workers: %+v", twice)
	}
	if far, _ := b.Rate(Shape{Workers: 64, Nodes: 1}); far.Trust != Unknown {
		t.Errorf("far beyond: %+v", far)
	}
	left, less, more := b.Left(0)
	if left != 1 || math.Abs(less-2) > 0.05 || math.Abs(more-2) > 0.05 {
		t.Errorf("at first there is %g left, or %g less, or %g more", left, less, more)
	}
	last := 1.0
	for _, done := range []float64{0.2, 0.5, 0.8, 0.95} {
		if left, less, more = b.Left(done); left >= last || left < 1-done || less < 1 || more < 1 {
			t.Errorf("at %g: %g left, or %g less, or %g more", done, left, less, more)
		}
		last = left
	}
	for _, done := range []float64{1, 1.5, 3, 10, 1000} {
		if left, less, more = b.Left(done); !(left >= 0.02*done && left < done && less >= 1 && more >= 1) {
			t.Errorf("though it should have ended, at %g: %g left, or %g less, or %g more", done, left, less, more)
		}
	}
}

func TestRunsThatAgree(t *testing.T) {
	run := func(name string, seconds Seconds, more ...Spent) Whole {
		return Whole{Run: name, Seen: 1, Took: append([]Spent{{Shape{Workers: 4, Nodes: 1, GPU: "A100"}, seconds}}, more...)}
	}
	eight := Spent{Shape{Workers: 8, Nodes: 1, GPU: "A100"}, 100}
	for name, test := range map[string]struct {
		runs     []Whole
		wantTook float64 // at four workers
		agree    bool
		more     float64 // at most
	}{
		"one":                  {[]Whole{run("a", 1000)}, 1000, false, 1.9},
		"two":                  {[]Whole{run("a", 1000), run("b", 1050)}, 1025, false, 1.6},
		"three":                {[]Whole{run("a", 1000), run("b", 1050), run("c", 980)}, 1010, true, 1.45},
		"three, and not alike": {[]Whole{run("a", 1000), run("b", 2000), run("c", 900)}, 1216, false, 3},
		"one that was resized": {[]Whole{run("a", 1000, eight)}, 1174, false, 1.9},
	} {
		t.Run(name, func(t *testing.T) {
			b, ok := FromRuns(test.runs)
			if !ok || b.Runs != len(test.runs) || b.Agree != test.agree {
				t.Fatalf("%+v, %t", b, ok)
			}
			rate, err := b.Rate(Shape{Workers: 4, Nodes: 1, GPU: "A100"})
			if _, _, more := b.Left(0); err != nil || math.Abs(rate.Median*test.wantTook-1) > 0.03 || more > test.more {
				t.Errorf("it takes %g s, want %g, or %g times as long, want %g at most; %v", 1/rate.Median, test.wantTook, more,
					test.more, err)
			}
		})
	}
	if _, ok := FromRuns([]Whole{{Run: "a"}}); ok {
		t.Error("a run of no time is believed")
	}
}

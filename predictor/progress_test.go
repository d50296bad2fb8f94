package predictor

import (
	"errors"
	"math"
	"testing"
)

// reading is a step of a story: what the counter shows at a moment, and what is made of it.
type reading struct {
	at   Seconds
	done Fraction
	rate Rate // wanted; 0 if err is
	err  error
}

func TestProgress(t *testing.T) {
	stories := map[string][]reading{
		"steady": {
			{0, 0, 0, ErrNoNews}, {10, 0.01, 0, ErrNoNews}, {20, 0.02, 0.001, nil}, {30, 0.03, 0.001, nil},
		},
		"coarse counter": {
			{0, 0, 0, ErrNoNews}, {10, 0, 0, ErrNoNews}, {20, 0.1, 0, ErrNoNews}, {30, 0.1, 0, ErrNoNews},
			{40, 0.2, 0.005, nil}, {50, 0.2, 0, ErrNoNews}, {60, 0.3, 0.005, nil},
		},
		"not a number": {
			{0, 0, 0, ErrNoNews}, {10, 0.01, 0, ErrNoNews}, {15, Fraction(math.NaN()), 0, ErrNotFinite},
			{16, Fraction(math.Inf(1)), 0, ErrNotFinite}, {Seconds(math.NaN()), 0.02, 0, ErrNotFinite}, {20, 0.02, 0.001, nil},
		},
		"out of range": {
			{0, 0, 0, ErrNoNews}, {10, 0.01, 0, ErrNoNews}, {12, -0.1, 0, ErrOutOfRange}, {14, 1.1, 0, ErrOutOfRange},
			{20, 0.02, 0.001, nil},
		},
		"duplicate and late readings": {
			{0, 0, 0, ErrNoNews}, {10, 0.01, 0, ErrNoNews}, {10, 0.01, 0, ErrClock}, {10, 0.02, 0, ErrClock},
			{5, 0.005, 0, ErrClock}, {20, 0.02, 0.001, nil},
		},
		"restart from a checkpoint": {
			{0, 0, 0, ErrNoNews}, {10, 0.01, 0, ErrNoNews}, {20, 0.02, 0.001, nil}, {30, 0.01, 0, ErrWentBack},
			{40, 0.02, 0, ErrNoNews}, {50, 0.03, 0.001, nil},
		},
		"a jump to the end": {
			{0, 0, 0, ErrNoNews}, {10, 0.01, 0, ErrNoNews}, {20, 0.02, 0.001, nil}, {30, 0.03, 0.001, nil},
			{40, 1, 0, ErrJumped},
		},
		"a jump to the end at once": {{0, 0, 0, ErrNoNews}, {10, 0.01, 0, ErrNoNews}, {20, 1, 0, ErrJumped}},
		"a stall, and on": {
			{0, 0, 0, ErrNoNews}, {10, 0.01, 0, ErrNoNews}, {20, 0.02, 0.001, nil}, {60, 0.02, 0, ErrNoNews},
			{110, 0.02, 0, ErrStalled}, {120, 0.03, 0.0001, nil}, {130, 0.04, 0.001, nil},
		},
		"never begins: how often it advances is not known": {{0, 0, 0, ErrNoNews}, {500, 0, 0, ErrNoNews},
			{70000, 0, 0, ErrNoNews}},
		"a silence is a part of the speed, stalled or not": {
			{0, 0, 0, ErrNoNews}, {100, 0.01, 0, ErrNoNews}, {200, 0.02, 0.0001, nil}, {300, 0.03, 0.0001, nil},
			{1100, 0.03, 0, ErrNoNews},
			{1101, 0.03, 0, ErrStalled}, {1200, 0.04, 0.01 / 900, nil}, {2900, 0.04, 0, ErrNoNews},
			{3300, 0.05, 0.01 / 2100, nil},
		},
		"reports once an hour": {
			{0, 0, 0, ErrNoNews}, {1800, 0, 0, ErrNoNews}, {3600, 0.1, 0, ErrNoNews}, {5400, 0.1, 0, ErrNoNews},
			{7200, 0.2, 0.1 / 3600, nil},
			{9000, 0.2, 0, ErrNoNews}, {10800, 0.3, 0.1 / 3600, nil},
		},
		"three readings within 40 ms": {
			{0, 0, 0, ErrNoNews}, {0.02, 0, 0, ErrNoNews}, {0.04, 0, 0, ErrNoNews}, {5, 0.01, 0, ErrNoNews},
			{5.02, 0.01, 0, ErrNoNews},
			{5.04, 0.01, 0, ErrNoNews}, {10, 0.02, 0.002, nil}, {10.02, 0.02, 0, ErrNoNews}, {10.04, 0.02, 0, ErrNoNews},
			{15, 0.03, 0.002, nil},
			{50, 0.04, 0.01 / 35, nil}, {50.02, 0.04, 0, ErrNoNews}, {55, 0.05, 0.002, nil},
		},
		"two advances within 20 ms are one": {
			{0, 0, 0, ErrNoNews}, {10, 0.01, 0, ErrNoNews}, {20, 0.02, 0.001, nil}, {20.02, 0.021, 0, ErrNoNews},
			{30, 0.03, 0.001, nil},
			{30.02, 0.031, 0, ErrNoNews}, {40, 0.04, 0.001, nil},
		},
		"the end stands still": {
			{0, 0.9, 0, ErrNoNews}, {100, 0.95, 0, ErrNoNews}, {200, 1, 0.0005, nil}, {3000, 1, 0, ErrNoNews},
			{9000, 1, 0, ErrGap},
		},
		"the clock steps ahead": {
			{0, 0, 0, ErrNoNews}, {10, 0.01, 0, ErrNoNews}, {20, 0.02, 0.001, nil}, {30, 0.03, 0.001, nil},
			{3600, 0.04, 0, ErrGap}, {3610, 0.05, 0, ErrNoNews}, {3620, 0.06, 0.001, nil},
		},
		"a jump while nobody read, farther than it can have come": {
			{0, 0, 0, ErrNoNews}, {10, 1e-5, 0, ErrNoNews}, {20, 2e-5, 1e-6, nil}, {30, 3e-5, 1e-6, nil},
			{240, 0.9, 0, ErrJumped}, {250, 0.9, 0, ErrNoNews}, {260, 0.90001, 0, ErrNoNews}, {270, 0.90002, 1e-6, nil},
		},
		"a jump after a gap": {
			{0, 0, 0, ErrNoNews}, {10, 0.001, 0, ErrNoNews}, {20, 0.002, 0.0001, nil}, {30, 0.003, 0.0001, nil},
			{240, 0.02, 0, ErrGap}, {250, 0.9, 0, ErrJumped}, {260, 0.901, 0, ErrNoNews}, {270, 0.902, 0.0001, nil},
		},
		"a jump after a stall": {
			{0, 0, 0, ErrNoNews}, {10, 0.001, 0, ErrNoNews}, {20, 0.002, 0.0001, nil}, {30, 0.003, 0.0001, nil},
			{60, 0.003, 0, ErrNoNews}, {120, 0.003, 0, ErrStalled}, {130, 0.9, 0, ErrJumped},
			{140, 0.901, 0, ErrNoNews}, {150, 0.902, 0.0001, nil},
		},
		"a jump after a restart": {
			{0, 0, 0, ErrNoNews}, {10, 0.001, 0, ErrNoNews}, {20, 0.002, 0.0001, nil}, {30, 0.003, 0.0001, nil},
			{40, 0, 0, ErrWentBack}, {50, 0.9, 0, ErrJumped}, {60, 0.9, 0, ErrNoNews}, {70, 0.901, 0, ErrNoNews},
			{80, 0.902, 0.0001, nil},
		},
		"a jump, and back, and the same jump": {
			{0, 0, 0, ErrNoNews}, {10, 0.001, 0, ErrNoNews}, {20, 0.002, 0.0001, nil}, {30, 0.003, 0.0001, nil},
			{40, 0.9, 0, ErrJumped}, {50, 0.004, 0, ErrWentBack}, {60, 0.9, 0, ErrJumped}, {70, 0.005, 0, ErrWentBack},
			{80, 0.006, 0, ErrNoNews},
		},
		"a jump that is read twice, and back, and the same jump": {
			{0, 0, 0, ErrNoNews}, {10, 0.001, 0, ErrNoNews}, {20, 0.002, 0.0001, nil}, {30, 0.003, 0.0001, nil},
			{40, 0.9, 0, ErrJumped}, {50, 0.9, 0, ErrNoNews}, {60, 0.004, 0, ErrWentBack}, {70, 0.9, 0, ErrJumped},
		},
		"a jump long after a restart": {
			{0, 0.3, 0, ErrNoNews}, {100, 0.31, 0, ErrNoNews}, {200, 0.32, 0.0001, nil}, {300, 0.33, 0.0001, nil},
			{400, 0, 0, ErrWentBack}, {500, 0.01, 0, ErrNoNews}, {600, 0.02, 0.0001, nil}, {700, 0.03, 0.0001, nil},
			{800, 0.03, 0, ErrNoNews}, {900, 0.04, 0.00005, nil}, {1000, 0, 0, ErrWentBack}, {1010, 0.99, 0, ErrJumped},
		},
		"a checkpoint that is loaded after a restart": {
			{0, 0.8, 0, ErrNoNews}, {10, 0.801, 0, ErrNoNews}, {20, 0.802, 0.0001, nil}, {30, 0.803, 0.0001, nil},
			{40, 0, 0, ErrWentBack}, {50, 0.803, 0, ErrNoNews}, {60, 0.804, 0.0001, nil},
		},
		"a checkpoint from a gap, that is loaded after a restart": {
			{0, 0, 0, ErrNoNews}, {10, 0.001, 0, ErrNoNews}, {20, 0.002, 0.0001, nil}, {30, 0.003, 0.0001, nil},
			{5030, 0, 0, ErrGap}, {5040, 0.45, 0, ErrNoNews}, {5050, 0.451, 0.0001, nil},
		},
		"faster than it ever was, for good": {
			{0, 0, 0, ErrNoNews}, {10, 1e-5, 0, ErrNoNews}, {20, 2e-5, 1e-6, nil}, {30, 3e-5, 1e-6, nil},
			{40, 0.001, 0, ErrJumped}, {50, 0.002, 0, ErrNoNews}, {60, 0.003, 1e-4, nil}, {70, 0.004, 1e-4, nil},
		},
		"a step of a coarse counter after a gap": {
			{0, 0, 0, ErrNoNews}, {100, 0.1, 0, ErrNoNews}, {200, 0.2, 0.001, nil}, {300, 0.3, 0.001, nil},
			{2400, 0.3, 0, ErrGap}, {2401, 0.4, 0, ErrNoNews}, {2501, 0.5, 0.001, nil},
		},
		"a checkpoint that is loaded after a gap": {
			{0, 0, 0, ErrNoNews}, {10, 0.1, 0, ErrNoNews}, {20, 0.101, 0.0001, nil}, {30, 0.102, 0.0001, nil},
			{240, 0, 0, ErrGap}, {250, 0.101, 0, ErrNoNews}, {260, 0.102, 0.0001, nil},
		},
		"the clock is set back": {
			{3600, 0, 0, ErrNoNews}, {3610, 0.01, 0, ErrNoNews}, {3620, 0.02, 0.001, nil}, {3630, 0.03, 0.001, nil},
			{30, 0.04, 0, ErrClock}, {40, 0.05, 0, ErrNoNews}, {50, 0.06, 0.001, nil},
		},
	}
	for name, story := range stories {
		t.Run(name, func(t *testing.T) {
			var p Progress
			for i, step := range story {
				got, err := p.Read(step.at, step.done, shapeOf(4))
				if !errors.Is(err, step.err) || math.Abs(float64(got.Rate-step.rate)) > 1e-9 {
					t.Errorf("reading %d, %g at %g s: rate %g, %v; want %g, %v", i, step.done, step.at, got.Rate, err, step.rate,
						step.err)
				}
			}
		})
	}
}

func TestProgressOfAnotherSizeStartsAnew(t *testing.T) {
	var p Progress
	for _, step := range []struct {
		at      Seconds
		done    Fraction
		workers int
		rate    Rate
	}{
		{0, 0, 2, 0}, {10, 0.01, 2, 0}, {20, 0.02, 2, 0.001}, {50, 0.02, 4, 0}, {60, 0.04, 4, 0}, {70, 0.06, 4, 0.002},
		{80, 0.08, 4, 0.002},
	} {
		got, err := p.Read(step.at, step.done, shapeOf(step.workers))
		if math.Abs(float64(got.Rate-step.rate)) > 1e-9 || err == nil && got.Shape != shapeOf(step.workers) {
			t.Errorf("at %g s: got %+v, %v; want rate %g", step.at, got, err, step.rate)
		}
	}
}

func TestHowFarItWentBack(t *testing.T) {
	var p Progress
	for i, done := range []Fraction{0.5, 0.6, 0.7} {
		_, _ = p.Read(Seconds(10*i), done, shapeOf(4))
	}
	_, err := p.Read(30, 0.55, shapeOf(4))
	if lost, ok := errors.AsType[*ProgressError](err); !ok || math.Abs(float64(lost.Lost)-0.15) > 1e-9 ||
		p.Done() != 0.55 {
		t.Errorf("got %+v at %g, want a loss of 0.15 at 0.55", lost, p.Done())
	}
}

// Whatever a counter and a clock show, a rate makes sense and is one that the readings bear out.
func FuzzProgress(f *testing.F) {
	f.Add([]byte{1, 1, 1, 1, 1, 1, 1, 1})
	f.Add([]byte{10, 0, 250, 3, 128, 128, 1, 255})
	f.Fuzz(func(t *testing.T, steps []byte) {
		var p Progress
		at, done := Seconds(0), Fraction(0)
		for i := 0; i+1 < len(steps); i += 2 {
			switch steps[i] {
			case 255:
				at = Seconds(math.NaN())
			case 254:
				at = Seconds(math.Inf(-1))
			case 253:
				at = 1e300
			default:
				at = max(min(at, 1e9), -1e9)
				if math.IsNaN(float64(at)) {
					at = 0
				}
				at += Seconds(int8(steps[i]))
			}
			switch steps[i+1] {
			case 255:
				done = Fraction(math.NaN())
			case 254:
				done = Fraction(math.Inf(1))
			case 253:
				done = 1
			default:
				if !(done >= 0 && done <= 1) {
					done = 0.5
				}
				done += Fraction(int8(steps[i+1])) / 1000
			}
			got, err := p.Read(at, done, shapeOf(1+int(steps[i]%3)))
			if err != nil {
				if _, known := errors.AsType[*ProgressError](err); !known {
					t.Fatalf("the error has no name: %v", err)
				}
				continue
			}
			if !(got.Rate > 0) || math.IsInf(float64(got.Rate), 0) || !(got.Over > 0) ||
				float64(got.Rate)*float64(got.Over) > 1+1e-9 ||
				!(got.Spread >= 0 && got.Spread <= 1) {
				t.Fatalf("at %g s, %g: a reading that cannot be: %+v", at, done, got)
			}
		}
	})
}

// A source that was asked and had nothing newer makes a silence of the job what else would be a gap.
func TestASilenceIsNoGapIfTheSourceWasAsked(t *testing.T) {
	for _, asked := range []bool{false, true} {
		var p Progress
		for i := range 5 {
			_, _ = p.Read(Seconds(5*i), Fraction(i)/1000, shapeOf(4))
		}
		if asked {
			p.Asked()
		}
		got, err := p.Read(320, 0.005, shapeOf(4))
		if !asked && !errors.Is(err, ErrGap) || asked && (err != nil || math.Abs(float64(got.Over)-300) > 1e-9) {
			t.Errorf("asked: %t: got %+v, %v", asked, got, err)
		}
	}
}

func TestPatience(t *testing.T) {
	var p Progress
	read := func(from, every Seconds, n int, done, gain Fraction) {
		for i := range n {
			_, _ = p.Read(from+Seconds(i)*every, done+Fraction(i)*gain, shapeOf(4))
		}
	}
	patience := func(when string, want Seconds, wantKnown bool) {
		t.Helper()
		if got, known := p.Patience(); got != want || known != wantKnown {
			t.Errorf("%s: %g s, known %t; want %g s", when, got, known, want)
		}
	}
	patience("nothing was read", 0, false)
	read(0, 10, 50, 0, 0)
	patience("it has not advanced", 0, false)
	read(500, 10, 3, 0.01, 0.001)
	patience("it has just begun", 80, true)
	read(530, 10, 38, 0.013, 0.001)
	patience("it has trained for 400 s", 400, true)
	read(1250, 10, 1, 0.1, 0)
	patience("it has paused for 350 s", 750, true)
	p.Changed(1260)
	patience("it starts anew, which took 500 s at first", 1000, true)
}

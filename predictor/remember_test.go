package predictor

import (
	"math"
	"math/rand/v2"
	"testing"
)

// noisy has a model see some sizes, each so many times, with readings that scatter by a tenth around so many times the
// truth. After each round it may be asked.
func noisy(t *testing.T, m *Model, random *rand.Rand, rounds int, slower float64, ask func(round int)) {
	t.Helper()
	const noise = 0.1
	for round := range rounds {
		for _, workers := range []int{1, 2, 4, 8} {
			step := slower * truth(workers) * math.Exp(noise*random.NormFloat64())
			if err := m.Observe(Observation{Shape: shapeOf(workers), Step: Seconds(step), Spread: noise}); err != nil {
				t.Fatal(err)
			}
		}
		ask(round)
	}
}

// A job is promised its deadline at the first moment at which its speed is good enough. So that must not come up by
// chance: the pessimistic end of what is seen for long stays below the truth, however often somebody asks.
func TestAskedAgainAndAgain(t *testing.T) {
	for seed := range uint64(3) {
		m := NewModel()
		noisy(t, m, rand.New(rand.NewPCG(seed, 3)), 200, 1, func(round int) {
			if round < window {
				return
			}
			for _, workers := range []int{4, 8} {
				if got := stepTime(t, m, shapeOf(workers)); got.High < 0.995*truth(workers) {
					t.Errorf("seed %d: after %d readings %d workers are sure to need no more than %g, and need %g", seed, round+1,
						workers, got.High, truth(workers))
				}
			}
		})
		for _, workers := range []int{4, 8} {
			if got := stepTime(t, m, shapeOf(workers)); math.Abs(math.Log(got.Median/truth(workers))) > 0.02 {
				t.Errorf("seed %d: 200 readings of %d workers tell %g, want %g", seed, workers, got.Median, truth(workers))
			}
		}
	}
}

// What was seen for long does not hold up what is seen now: a clear change counts as soon as the window is full of it,
// and a small one after some windows.
func TestAChangeAfterLongIsFollowed(t *testing.T) {
	for name, test := range map[string]struct {
		slower float64
		rounds int
		within float64
	}{
		"clear":  {1.5, window, 0.08},
		"small":  {1.05, 2 * remembered, 0.03},
		"faster": {0.7, window, 0.08},
	} {
		t.Run(name, func(t *testing.T) {
			m, random := NewModel(), rand.New(rand.NewPCG(1, 3))
			noisy(t, m, random, 100, 1, func(int) {})
			noisy(t, m, random, test.rounds, test.slower, func(int) {})
			want := test.slower * truth(8)
			if got := stepTime(t, m, shapeOf(8)); math.Abs(math.Log(got.Median/want)) > test.within {
				t.Errorf("%d readings after the change %+v, want %g", test.rounds, got, want)
			}
		})
	}
}

// Outliers that leave the window are still outliers.
func TestOutliersAreNotRemembered(t *testing.T) {
	m := NewModel()
	for i := range 6 * window {
		step := truth(8)
		if i%10 == 9 {
			step *= 20
		}
		if err := m.Observe(Observation{Shape: shapeOf(8), Step: Seconds(step)}); err != nil {
			t.Fatal(err)
		}
	}
	if got := stepTime(t, m, shapeOf(8)); math.Abs(math.Log(got.Median/truth(8))) > 0.02 {
		t.Errorf("one step in ten is slow: %+v, want %g", got, truth(8))
	}
}

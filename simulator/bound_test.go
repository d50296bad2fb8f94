package simulator

import (
	"math/rand/v2"
	"testing"
)

func TestHullCost(t *testing.T) {
	// 4 GPUs are no better than a mix of 2 and 8; 16 are slower than 8.
	h := newHull(Speeds{1: 10, 2: 18, 4: 20, 8: 36, 16: 30})
	for speed, want := range map[float64]GPUs{0: 0, 5: 0.5, 10: 1, 14: 1.5, 18: 2, 27: 5, 36: 8} {
		if got, ok := h.cost(speed); !ok || got != want {
			t.Errorf("cost(%v) is %v %v, want %v", speed, got, ok, want)
		}
	}
	if got, ok := h.cost(36.1); ok {
		t.Errorf("cost(36.1) is %v, but no size is so fast", got)
	}
	if _, ok := newHull(nil).cost(1); ok {
		t.Error("a job of unknown speed reaches a speed")
	}
}

func TestBound(t *testing.T) {
	job := func(submit, deadline Seconds, work Iterations) Job {
		return Job{Submit: submit, Deadline: deadline, Work: work}
	}
	linear := func(Job) Speeds { return Speeds{1: 1, 2: 2, 4: 4} }
	cases := map[string]struct {
		jobs       []Job
		gpus       int
		resizeCost Seconds
		want       Bound
	}{
		"no job":                    {nil, 4, 0, Bound{}},
		"one that fits":             {[]Job{job(0, 10, 40)}, 4, 0, Bound{Jobs: 1}},
		"one too slow":              {[]Job{job(0, 10, 41)}, 4, 0, Bound{Jobs: 1, Infeasible: 1}},
		"one that is late already":  {[]Job{job(10, 10, 0)}, 4, 0, Bound{Jobs: 1, Infeasible: 1}},
		"one that the start delays": {[]Job{job(0, 10, 40)}, 4, 1, Bound{Jobs: 1, Infeasible: 1}},
		"two that share":            {[]Job{job(0, 10, 20), job(0, 10, 20)}, 4, 0, Bound{Jobs: 2}},
		"two too many":              {[]Job{job(0, 10, 40), job(0, 10, 1), job(0, 10, 40)}, 4, 0, Bound{Jobs: 3, Forced: 2}},
		"the great one gives way":   {[]Job{job(0, 10, 40), job(0, 10, 20), job(0, 10, 20)}, 4, 0, Bound{Jobs: 3, Forced: 1}},
		"spans that add up": {
			[]Job{job(0, 10, 40), job(0, 10, 40), job(10, 20, 40), job(10, 20, 40)}, 4, 0, Bound{Jobs: 4, Forced: 2},
		},
		"a job across both": {
			[]Job{job(0, 10, 40), job(10, 20, 40), job(0, 20, 1)}, 4, 0, Bound{Jobs: 3, Forced: 1},
		},
	}
	for name, test := range cases {
		t.Run(name, func(t *testing.T) {
			if got := NewBound(test.jobs, linear, test.gpus, test.resizeCost); got != test.want {
				t.Errorf("%+v, want %+v", got, test.want)
			}
		})
	}
}

// Whatever set of jobs respects the capacity of every span, the bound must allow it. The dumb
// alternative tries all sets; it is never above the bound.
func TestBoundIsNeverBelowWhatFits(t *testing.T) {
	source := rand.New(rand.NewPCG(1, 2))
	const gpus = 2
	equal := 0
	const rounds = 2000
	for range rounds {
		var windows []window
		for range 1 + source.IntN(7) {
			release := Seconds(source.IntN(8))
			span := Seconds(1 + source.IntN(6))
			windows = append(windows, window{release, release + span, source.Float64() * gpus * float64(span)})
		}
		best := 0
		for set := range 1 << len(windows) {
			if kept := chosen(windows, set); len(kept) > best && fitsEverySpan(kept, gpus) {
				best = len(kept)
			}
		}
		bound := len(windows) - forcedMisses(windows, gpus)
		if bound < best {
			t.Fatalf("the bound is %d, but %d of these fit: %+v", bound, best, windows)
		}
		if bound == best {
			equal++
		}
	}
	if equal < rounds*8/10 {
		t.Errorf("the bound is loose: it is what fits in %d of %d cases only", equal, rounds)
	}
}

func chosen(windows []window, set int) []window {
	var kept []window
	for i, w := range windows {
		if set&(1<<i) != 0 {
			kept = append(kept, w)
		}
	}
	return kept
}

func fitsEverySpan(windows []window, gpus float64) bool {
	for _, from := range windows {
		for _, to := range windows {
			demand := 0.0
			for _, w := range windows {
				if w.release >= from.release && w.deadline <= to.deadline {
					demand += w.demand
				}
			}
			if to.deadline > from.release && demand > gpus*float64(to.deadline-from.release) {
				return false
			}
		}
	}
	return true
}

package page

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/takt-dev/takt/simulator"
)

func TestUsageAddsUpToWhatJobsHeld(t *testing.T) {
	for seed := range uint64(20) {
		run := madeUp(t, 60, 24, 45, seed)
		whole := wholeOf([]Run{run})
		u := newUsage(whole, 77, spells(run.History.Changes, whole.to), 45, run.Result.GPUHoursLost)
		held, idle := 0.0, 0.0
		for _, job := range run.History.Jobs {
			held += job.Held
			idle += job.Idle
		}
		if got := sum(u.held); math.Abs(got-held) > 1e-6*held {
			t.Errorf("%v GPU seconds are drawn, and %v were held", got, held)
		}
		if got := sum(u.paused); math.Abs(got-idle) > 1e-6*idle {
			t.Errorf("%v GPU seconds are drawn as paused, and %v were", got, idle)
		}
		if !u.known {
			t.Error("the pauses are not known")
		}
		for i := range u.held.sums {
			if mean := u.held.sums[i] / float64(u.held.width()); mean > 24*(1+1e-9) ||
				u.paused.sums[i] > u.held.sums[i]*(1+1e-9) {
				t.Fatalf("bucket %d: %v GPUs are held on average, %v GPU seconds paused", i, mean, u.paused.sums[i])
			}
		}
	}
}

func sum(b buckets) float64 {
	total := 0.0
	for _, s := range b.sums {
		total += s
	}
	return total
}

// The dumb alternative looks at each second.
func TestBucketsAgainstSeconds(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for range 200 {
		b := newBuckets(span{0, 10, 70}, 1+random.IntN(12))
		want := make([]float64, len(b.sums))
		for range 5 {
			from := random.IntN(80)
			to := from + random.IntN(30)
			b.add(simulator.Seconds(from), simulator.Seconds(to), 2)
			const fine = 1000
			for i := max(from, 10) * fine; i < min(to, 70)*fine; i++ {
				middle := (float64(i) + 0.5) / fine
				want[int((middle-10)/60*float64(len(want)))] += 2. / fine
			}
		}
		for i := range want {
			if math.Abs(b.sums[i]-want[i]) > 0.01 {
				t.Fatalf("bucket %d of %d is %v, want %v", i, len(want), b.sums[i], want[i])
			}
		}
	}
}

func TestPausesOfAPolicyWithItsOwnPriceAreNotKnown(t *testing.T) {
	run := madeUp(t, 20, 8, 45, 1)
	whole := wholeOf([]Run{run})
	if newUsage(whole, 10, spells(run.History.Changes, whole.to), 30, run.Result.GPUHoursLost).known {
		t.Error("pauses of 30 s are taken for known, and they were 45 s")
	}
}

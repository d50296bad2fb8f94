package learn

import (
	"math"
	"slices"
	"testing"
	"time"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic/resize"
)

// All begin anew with nothing as their number changes, long after that was told: no crash is learned of it, whose cost
// would count as a pause of the size that they have.
func TestWhatIsLostAsWorkersChangeIsNoCrash(t *testing.T) {
	// Two workers do two steps a second, and then one of them goes.
	two := slices.Concat(one, []tell{
		team("ab", 0, 61), reads(2, line(70, 1, 60, 54, 2)...), over(10 * time.Second),
		team("a", 0, 131), reads(1, line(136, 1, 60, 172, 1)...), over(7 * time.Second),
	})
	tests := map[string]struct {
		told    []tell
		workers int
		speed   float64
	}{
		"one that trains on for long while another loads": {[]tell{
			team("ab", 0, 196), reads(2, line(197, 1, 25, 233, 1)...), over(2 * time.Second),
			reads(2, line(232, 1, 60, 0, 2)...),
		}, 2, 2},
		"two that train on for a moment after one of them was told to go, and are read late": {[]tell{
			team("ab", 0, 196), reads(2, line(206, 1, 60, 233, 2)...), over(11 * time.Second),
			team("a", 0, 266), reads(1, line(269, 1, 3, 359, 2)...), over(4 * time.Second),
			reads(1, line(286, 1, 60, 0, 1)...),
		}, 1, 1},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			r := NewRun("resnet-1")
			for _, tell := range slices.Concat(two, test.told) {
				tell(r)
			}
			if got := speedOf(r, test.workers); math.Abs(got-test.speed) > 0.1*test.speed {
				t.Errorf("%d workers do %.2f steps a second, want %.2f", test.workers, got, test.speed)
			}
		})
	}
}

// The workers of a change trained for so short a time that their rates were held back: what the next change loses is
// counted at their speed all the same, and not at that of those before them.
func TestWhatWorkersLoseIsCountedAtTheirSpeedHoweverShortTheyTrained(t *testing.T) {
	r := NewRun("resnet-1")
	for _, tell := range slices.Concat(one, []tell{
		team("abcd", 0, 61), reads(4, line(81, 1, 12, 54, 4)...), over(21 * time.Second),
		team("ab", 0, 93), reads(2, line(105, 1, 3, 54, 2)...),
	}) {
		tell(r)
	}
	if got := r.Progress().Redoes; (got - 11*time.Second).Abs() > time.Second {
		t.Errorf("the work of %v is done once more, want that of 11 s of four workers", got)
	}
}

// Workers who are told to go train on for a moment, and are read late. What the change is taken to have cost is put
// right once all begin anew.
func TestWhatAChangeHasCostIsPutRightOnceTheTrainingNoticesIt(t *testing.T) {
	for _, follows := range []bool{false, true} {
		r := NewRun("resnet-1")
		told := resize.Cost{Measured: true, Pause: 4 * time.Second}
		for _, tell := range slices.Concat(one, []tell{
			team("ab", 0, 61), reads(2, line(70, 1, 60, 54, 2)...), over(10 * time.Second),
			team("a", 0, 130), reads(1, line(133, 1, 3, 180, 2)...), over(told.Pause), reads(1, line(150, 1, 60, 0, 1)...),
		}) {
			tell(r)
			if follows {
				r = recalledFrom(t, r)
			}
		}
		costs := r.restarts[v1alpha1.RestartLive].costs
		if last := costs[len(costs)-1]; len(costs) != 2 || last.Pause != 16 || math.Abs(float64(last.Lost)-92) > 1 {
			t.Errorf("operators follow each other: %t, the changes have cost %+v, want 16 s and 92 for the last", follows, costs)
		}
		if cost, pending := r.Turned(told); pending || cost.Pause != 16*time.Second {
			t.Errorf("operators follow each other: %t, the resize is to tell %+v, pending: %t", follows, cost, pending)
		}
	}
}

package learn

import (
	"fmt"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/elastic/resize"
	"github.com/takt-dev/takt/predictor"
)

// team is who trains from a moment on, of whom the first began at another.
func team(workers string, began, seconds int) tell {
	return func(r *Run) { r.Team(workers, at(began), at(seconds)) }
}

func over(pause time.Duration) tell {
	return func(r *Run) { r.Restarted(v1alpha1.RestartLive, resize.Cost{Measured: true, Pause: pause}) }
}

// one worker begins to train, takes eight seconds to load, and then does one step a second.
var one = []tell{
	team("a", 0, 0), reads(1, steps(2, 0)), reads(1, line(8, 1, 3, 1, 1)...),
	func(r *Run) { r.Restarted(v1alpha1.RestartStart, resize.Cost{}) },
	reads(1, line(11, 1, 50, 4, 1)...),
}

// New workers of a live growth load while the one before trains on at its speed. What it does meanwhile is no measure
// of the new size, and the pause for which they then meet is that of the resize, which was over before.
func TestNewWorkersTakePartOnlyOnceTheyHaveJoined(t *testing.T) {
	meanwhile := []tell{
		team("ab", 0, 61), reads(2, line(61, 1, 2, 54, 1)...), over(time.Second), reads(2, line(63, 1, 12, 56, 1)...),
	}
	tests := map[string]struct {
		told        []tell
		speed       float64       // of two workers, who really do two steps a second
		pause, lost time.Duration // none is no cost
	}{
		"they have not joined yet": {told: meanwhile},
		"they join and go on":      {append(meanwhile, reads(2, line(84, 1, 40, 68, 2)...)), 2, 10 * time.Second, 0},
		"they join and go back": {append(meanwhile, reads(2, line(84, 1, 40, 61, 2)...)), 2, 11 * time.Second,
			6 * time.Second},
		"they join and go back to a checkpoint that came meanwhile": {append(meanwhile,
			reads(2, savedAt(steps(75, 68), 72)), reads(2, line(85, 1, 40, 69, 2)...)), 2, 10 * time.Second, 3 * time.Second},
		"one comes after the other": {[]tell{
			team("ab", 0, 61), reads(2, line(61, 1, 2, 54, 1)...), team("abc", 0, 63), reads(3, line(63, 1, 2, 56, 1)...),
			over(time.Second),
			reads(3, line(65, 1, 10, 58, 1)...), team("ab", 0, 75), reads(2, line(75, 1, 2, 68, 1)...), over(time.Second),
			reads(2, line(87, 1, 40, 70, 2)...),
		}, 2, 11 * time.Second, 0},
		"a reading comes late while they load": {append(meanwhile, reads(2, line(80, 1, 5, 73, 1)...),
			reads(2, line(94, 1, 40, 78, 2)...)), 2, 10 * time.Second, 0},
		"a reading comes late while they load, and all begin anew": {append(meanwhile, reads(2, line(80, 1, 5, 73, 1)...),
			reads(2, line(94, 1, 40, 0, 2)...)), 2, 11 * time.Second, 77 * time.Second},
		"they train at once": {[]tell{team("ab", 0, 61), reads(2, line(70, 1, 3, 54, 2)...), over(10 * time.Second),
			reads(2, line(73, 1, 40, 60, 2)...)}, 2, 10 * time.Second, 0},
		"nobody sees them join, and it is faster at once": {append(meanwhile, reads(2, line(75, 1, 8, 68, 2)...)), 2,
			time.Second, 0},
		"nobody sees them join": {append(meanwhile, reads(2, line(75, 1, 120, 68, 2)...)), 2, time.Second, 0},
		"they begin anew, all": {[]tell{team("cd", 62, 63), reads(2, line(75, 1, 3, 54, 2)...), over(14 * time.Second),
			reads(2, line(78, 1, 40, 60, 2)...)}, 2, 14 * time.Second, 0},
	}
	for name, test := range tests {
		for _, follows := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, operators follow each other: %t", name, follows), func(t *testing.T) {
				r := NewRun("resnet-1")
				for _, tell := range slices.Concat(one, test.told) {
					tell(r)
					if follows {
						r = recalledFrom(t, r)
					}
				}
				if got := speedOf(r, 1); math.Abs(got-1) > 0.1 {
					t.Errorf("one worker does %.2f steps a second, want 1", got)
				}
				if got := speedOf(r, 2); math.Abs(got-test.speed) > 0.1 {
					t.Errorf("two workers do %.2f steps a second, want %.2f", got, test.speed)
				}
				if speedOf(r, 3) != 0 {
					t.Error("three workers have never trained, and are measured")
				}
				var costs []predictor.Cost
				if own := r.restarts[v1alpha1.RestartLive]; own != nil {
					costs = own.costs
				}
				if test.pause == 0 && len(costs) == 0 {
					return
				}
				if len(costs) != 1 || math.Abs(float64(costs[0].Pause)-test.pause.Seconds()) > 0.01 ||
					math.Abs(float64(costs[0].Lost)-test.lost.Seconds()) > 0.01 {
					t.Errorf("the growth has cost %+v, want a pause of %v and a loss of %v", costs, test.pause, test.lost)
				}
				told := time.Second
				if test.pause > 2*told { // else nobody has seen it
					cost, pending := r.Turned(resize.Cost{Measured: true, Pause: told})
					if late := name != "they train at once" && name != "they begin anew, all"; pending ||
						late == (cost.Pause == told) {
						t.Errorf("the resize is to tell %+v, pending: %t", cost, pending)
					}
				}
			})
		}
	}
}

// A training of one worker began within two seconds, and grows: the new worker is slow to load. What the one before
// does meanwhile is still no measure of two.
func TestNewWorkersMayLoadForLongerThanTheFirst(t *testing.T) {
	r := NewRun("resnet-1")
	for _, tell := range []tell{
		team("a", 0, 0), reads(1, steps(1, 0)), reads(1, line(2, 1, 3, 1, 1)...),
		func(r *Run) { r.Restarted(v1alpha1.RestartStart, resize.Cost{}) }, reads(1, line(5, 1, 56, 4, 1)...),
		team("ab", 0, 61), reads(2, line(61, 1, 3, 60, 1)...), over(time.Second), reads(2, line(64, 1, 50, 63, 1)...),
	} {
		tell(r)
	}
	if got := speedOf(r, 2); got != 0 {
		t.Errorf("two workers do %.2f steps a second, though the second was not seen to take part", got)
	}
}

// recalledFrom is what another process goes on with.
func recalledFrom(t *testing.T, r *Run) *Run {
	t.Helper()
	next, err := Recalled(r.id, r.Keep())
	if err != nil {
		t.Fatal(err)
	}
	return next
}

// speedOf is what was measured of a size.
func speedOf(r *Run, workers int) float64 {
	if own := r.speeds[size(workers)]; own != nil {
		return float64(own.seen.Rate)
	}
	return 0
}

// Workers that have come to others make nothing slower, whenever a reading comes late, and however late all of them
// begin anew: nothing that those before them tell meanwhile makes fewer workers seem to be surely faster.
func TestNoReadingThatComesLateMakesMoreWorkersSeemSlow(t *testing.T) {
	apart := predictor.Shape{Workers: 2, Nodes: 2, GPU: size(1).GPU}
	for late := range 10 {
		for after := range 10 {
			r := NewRun("resnet-1")
			for _, tell := range slices.Concat(one, []tell{team("ab", 0, 61), over(time.Second)}) {
				tell(r)
			}
			again := 65 + late
			for _, s := range slices.Concat(line(61, 1, 4, 54, 1), line(again, 1, after, 57+0.7*float64(late+1), 0.7),
				line(again+after+4, 1, 8, 0, 2)) {
				r.Sample(s, apart)
				job := elastic.Job{Workers: 2}
				r.Fill(&job, []predictor.Shape{size(1), apart}, FillOptions{Now: r.at, AssumedPause: 10 * time.Second})
				one, two := job.Sizes[0], job.Sizes[1]
				if one.Speed > max(two.Expected, two.Untried) && one.Expected > two.Best {
					t.Fatalf("a reading %d s late, and %d before they begin anew: after %.0f it seems to be faster with one "+
						"worker (%s) than with two (%s)", late, after, s.Done, speeds(one), speeds(two))
				}
			}
		}
	}
}

// The one before evaluates while a new worker loads: that is no pause for which they meet. What it does until then is
// no measure of two, and what they lose then is lost by the change, and not by a crash.
func TestAnEvaluationWhileNewWorkersLoadIsNotWhereTheyJoin(t *testing.T) {
	for _, follows := range []bool{false, true} {
		r := NewRun("resnet-1")
		for _, tell := range slices.Concat(one, []tell{
			team("ab", 0, 61), reads(2, line(61, 1, 2, 54, 1)...), reads(2, line(71, 1, 20, 56, 1)...), over(9 * time.Second),
			reads(2, line(101, 1, 40, 10, 2)...),
		}) {
			tell(r)
			if follows {
				r = recalledFrom(t, r)
			}
		}
		if got := speedOf(r, 2); math.Abs(got-2) > 0.1 {
			t.Errorf("operators follow each other: %t, two workers do %.2f steps a second, want 2", follows, got)
		}
		if costs := r.restarts[v1alpha1.RestartLive].costs; len(costs) != 1 || costs[0].Pause != 12 ||
			math.Abs(float64(costs[0].Lost)-65) > 1 {
			t.Errorf("operators follow each other: %t, the growth has cost %+v, want a pause of 12 s and a loss of 65", follows,
				costs)
		}
		if r.state.health == WentBack {
			t.Error("it is told to have gone back")
		}
	}
}

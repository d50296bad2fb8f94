package learn

import (
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic/resize"
	"github.com/takt-dev/takt/operator/progress"
)

// counter is a training that counts the steps of each epoch anew.
type counter struct {
	r      *Run
	now    int
	beside progress.Plan
}

// epoch counts up to a length, ten steps in a reading of ten seconds.
func (c *counter) epoch(length float64) {
	const by = 10.0
	for done := by; done < length+by; done += by {
		c.tell(math.Min(done, length), length)
	}
}

func (c *counter) tell(done, total float64) {
	c.now += 10
	c.r.Sample(progress.Sample{
		Source: v1alpha1.ProgressPrometheus, At: at(c.now), Unit: "steps", Done: done, Total: total, Beside: c.beside,
	}, size(4))
}

// An epoch is as long as the one before, or about so where samples are put together by their lengths. Nobody knows how
// many follow, so that the end of one is not taken for that of all.
func TestPartsOfAboutEqualLengthTellNoTotal(t *testing.T) {
	for name, lengths := range map[string][]float64{
		"buckets of unequal length":      {100, 98, 101, 100},
		"all of the same length":         {100, 100, 100},
		"those of before come again":     {100, 60, 110, 55},
		"epochs that are read twice":     {20, 19, 20, 19},
		"the last step is never counted": {100.5, 100.5, 100.5},
	} {
		t.Run(name, func(t *testing.T) {
			c := &counter{r: NewRun("a-1")}
			c.r.Team("z", at(0), at(0))
			for i, length := range lengths {
				c.epoch(math.Floor(length))
				if i == 0 || name == "those of before come again" && i < 2 {
					continue
				}
				for _, r := range []*Run{c.r, recalled(t, c.r)} {
					v := r.View(at(c.now), time.Minute)
					if v.Known || !v.Refuted || v.Health != NoTotal || !strings.Contains(v.Sentence, "nobody knows how many") {
						t.Errorf("after %d parts: known %t, %.2f, %s: %s", i+1, v.Known, v.Done, v.Health, v.Sentence)
					}
					if job := filledFor(r, c.now, at(0)); !job.UnknownWork {
						t.Errorf("after %d parts %v are left", i+1, job.Left)
					}
					if job := filled(r, c.now, sixHours); job.UnknownWork || job.Believed == "" {
						t.Errorf("after %d parts nothing is believed of what its owner expects", i+1)
					}
				}
				c.r = recalled(t, c.r)
			}
		})
	}
}

// What says how many parts there are, or how many steps in all, gives the total of one that counts in parts.
func TestWhatIsToldBesideGivesTheTotalOfParts(t *testing.T) {
	for name, beside := range map[string]progress.Plan{
		"epochs": {Epochs: 10}, "steps": {Steps: 1000}, "more epochs are done than were said": {Epochs: 1},
	} {
		t.Run(name, func(t *testing.T) {
			c := &counter{r: NewRun("a-1"), beside: beside}
			c.r.Team("z", at(0), at(0))
			for i, length := range []float64{100, 98, 102, 100, 100} {
				if c.epoch(length); i == 0 {
					continue
				}
				want := float64(i+1) / 10
				for _, r := range []*Run{c.r, recalled(t, c.r)} {
					v := r.View(at(c.now), time.Minute)
					if known := beside.Epochs != 1; v.Known != known || known && math.Abs(v.Done-want) > 0.01 {
						t.Errorf("after %d parts %.3f is done, known: %t, want %.1f", i+1, v.Done, v.Known, want)
					}
				}
				c.r = recalled(t, c.r)
			}
			if speed := filledFor(c.r, c.now, at(0)).Sizes[0].Expected; math.Abs(float64(speed)-1) > 0.1 {
				t.Errorf("it is taken to do %.2f steps a second, and does one", speed)
			}
		})
	}
}

// A counter of parts that begins to count the whole is believed.
func TestAWholeThatIsToldAfterPartsCounts(t *testing.T) {
	c := &counter{r: NewRun("a-1")}
	c.r.Team("z", at(0), at(0))
	c.epoch(100)
	c.epoch(98)
	c.tell(10, 101)
	c.tell(220, 1000)
	if v := c.r.View(at(c.now), time.Minute); !v.Known || v.Done != 0.22 || v.Health != Good {
		t.Errorf("known: %t, %.3f, %s: %s", v.Known, v.Done, v.Health, v.Sentence)
	}
}

// What had done all and was started anew has crashed at its end: it goes through the same once more.
func TestATrainingThatIsStartedAnewAtItsEndCountsNoPart(t *testing.T) {
	c := &counter{r: NewRun("a-1")}
	c.r.Team("z", at(0), at(0))
	c.epoch(100)
	c.r.StartedAnew(at(c.now + 5))
	c.epoch(100)
	if v := c.r.View(at(c.now), time.Minute); !v.Known || v.Done != 1 {
		t.Errorf("known: %t, %.2f, %s: %s", v.Known, v.Done, v.Health, v.Sentence)
	}
}

// Who corrects what he has written on the job begins nothing anew.
func TestATotalThatIsCorrectedByHandCountsNoPart(t *testing.T) {
	c := &counter{r: NewRun("a-1")}
	c.r.Team("z", at(0), at(0))
	for _, done := range []float64{100, 200, 300, 400, 500} {
		c.tell(done, 1000)
	}
	c.tell(450, 950)
	if v := c.r.View(at(c.now), time.Minute); !v.Known || math.Abs(v.Done-0.48) > 0.03 {
		t.Errorf("known: %t, %.2f, %s: %s", v.Known, v.Done, v.Health, v.Sentence)
	}
}

// No reading catches the end of an epoch that is read as often as it makes ten steps. Where nothing was started anew,
// the next one begins, and nothing is lost.
func TestAPartWhoseEndIsNotReadIsFollowedByTheNext(t *testing.T) {
	for name, beside := range map[string]progress.Plan{"nothing is told beside": {}, "epochs": {Epochs: 10}} {
		t.Run(name, func(t *testing.T) {
			c := &counter{r: NewRun("a-1"), beside: beside}
			c.r.Team("z", at(0), at(0))
			for epoch := range 3 {
				for done := 7.0; done < 100; done += 10 {
					c.tell(done, 100)
					c.r = recalled(t, c.r)
					v := c.r.View(at(c.now), time.Minute)
					if v.Health == WentBack {
						t.Fatalf("at %g of epoch %d: %s", done, epoch, v.Sentence)
					}
					if want := (float64(epoch) + done/100) / 10; epoch > 0 &&
						(v.Known != (beside.Epochs > 0) || v.Known && math.Abs(v.Done-want) > 0.001) {
						t.Fatalf("at %g of epoch %d %.3f are done, known: %t", done, epoch, v.Done, v.Known)
					}
				}
			}
			if speed := speedOf(c.r, 4); math.Abs(speed-1) > 0.05 {
				t.Errorf("it is taken to do %.2f steps a second, and does one", speed)
			}
		})
	}
}

// What goes back to its beginning from where it could not have come to its end has lost what it had done, and so has
// one whose workers were started anew.
func TestATrainingThatFallsToItsBeginningCountsNoPart(t *testing.T) {
	for name, test := range map[string]struct {
		from float64
		then func(*counter)
	}{
		"in the middle": {57, func(*counter) {}},
		"near its end, and a container was started anew": {97, func(c *counter) { c.r.StartedAnew(at(c.now + 5)) }},
		"near its end, and others train":                 {97, func(c *counter) { c.r.Team("y", at(c.now+4), at(c.now+5)) }},
	} {
		t.Run(name, func(t *testing.T) {
			c := &counter{r: NewRun("a-1")}
			c.r.Team("z", at(0), at(0))
			for done := 7.0; done <= test.from; done += 10 {
				c.tell(done, 100)
			}
			test.then(c)
			c.tell(7, 100)
			c.tell(17, 100)
			if v := c.r.View(at(c.now), time.Minute); !v.Known || math.Abs(v.Done-0.17) > 0.001 {
				t.Errorf("known: %t, %.2f, %s: %s", v.Known, v.Done, v.Health, v.Sentence)
			}
		})
	}
}

// Two workers are read at the end of an epoch and at the beginning of the next, while their rates are held back as they
// have just come: they could have done that, and have lost nothing.
func TestAnEpochMayEndSoonAfterWorkersHaveChanged(t *testing.T) {
	r := NewRun("resnet-1")
	epoch := func(seconds int, done float64) progress.Sample {
		s := steps(seconds, done)
		s.Total = 200
		return s
	}
	for _, tell := range slices.Concat([]tell{
		team("a", 0, 0), reads(1, epoch(2, 0)), reads(1, epoch(8, 1)), reads(1, epoch(9, 2)), reads(1, epoch(10, 3)),
		func(r *Run) { r.Restarted(v1alpha1.RestartStart, resize.Cost{}) },
	}) {
		tell(r)
	}
	for s := 11; s <= 60; s++ {
		r.Sample(epoch(s, float64(s-7)), size(1))
	}
	r.Team("cd", at(61), at(61)) // all begin anew
	for s := 70; s <= 84; s++ {
		r.Sample(epoch(s, float64(53+2*(s-70)+100)), size(2))
	}
	if len(r.stretch.held) == 0 || r.speeds[size(2)] != nil {
		t.Fatal("no rate of two is held back")
	}
	if r.Sample(epoch(97, 6), size(2)); r.done < 200 {
		t.Errorf("it has done %.0f, want the epoch that is over and 6 of the next", r.done)
	}
}

package learn

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/operator/progress"
)

// A script may train twice, as to prepare and to refine: the epochs of the second come behind those of the first.
// Nothing is lost when they begin, so that the training is as fast as it was, and what is done of all stays done.
func TestATrainingInTwoPartsHasLostNothingInBetween(t *testing.T) {
	for name, c := range map[string]struct {
		last   float64 // what is read last of the five epochs of the first part
		reborn bool    // the operator is started anew in the middle of the second
	}{
		"all of the first was read":                   {last: 5},
		"its last epoch was only named":               {last: 4},
		"the operator is started anew":                {last: 5, reborn: true},
		"its last epoch was named, and it is as well": {last: 4, reborn: true},
	} {
		t.Run(name, func(t *testing.T) {
			r, now := NewRun("a-1"), 0
			r.Team("z", at(0), at(0))
			tell := func(done, total float64) {
				now += 10
				r.Sample(progress.Sample{
					Source: v1alpha1.ProgressLogs, At: at(now), Unit: "epochs", Done: done, Total: total,
				}, size(4))
			}
			for done := 0.02; done < 5.01; done += 0.02 {
				if c.last == 5 || done <= 4 || done > 4.99 {
					tell(math.Min(done, c.last), 5)
				} else {
					tell(4, 5)
				}
			}
			tell(0, 20)
			for done := 0.02; done < 20.01; done += 0.02 {
				tell(math.Min(done, 20), 20)
				if c.reborn && math.Abs(done-10) < 0.001 {
					r = recalled(t, r)
				}
				if math.Abs(done-1) > 0.001 && math.Abs(done-15) > 0.001 {
					continue
				}
				v, s := r.View(at(now), time.Minute), filledFor(r, now, at(0))
				if want := (5 + done) / 25; math.Abs(v.Done-want) > 0.001 || v.Health != Good ||
					!strings.Contains(v.Sentence, "all of 5 epochs, and goes on with 20 others") {
					t.Errorf("at %.2f of the second part %.3f is done, want %.3f; %s: %s", done, v.Done, want, v.Health, v.Sentence)
				}
				if left, speed := float64(s.Left), float64(s.Sizes[0].Expected); math.Abs(left-20+done) > 0.001 ||
					c.last == 5 && math.Abs(speed/0.002-1) > 0.05 {
					t.Errorf("at %.2f of the second part %.2f are left, at %.5f a second, want 0.002", done, left, speed)
				}
			}
		})
	}
}

// Another total is none of another part where the training is in the middle, or its size has changed.
func TestAnotherTotalIsNoOtherPart(t *testing.T) {
	for name, c := range map[string]struct {
		done    float64
		total   float64
		workers int
	}{
		"in the middle":    {500, 400, 4},
		"with new workers": {990, 400, 2},
		"it goes on":       {1000, 3000, 4},
	} {
		t.Run(name, func(t *testing.T) {
			r := NewRun("a-1")
			r.Team("z", at(0), at(0))
			for i := range 11 {
				told(r, 10+10*i, c.done*float64(i)/10, 1000)
			}
			next := steps(130, 10)
			if c.total > 1000 {
				next.Done = 1010
			}
			next.Total = c.total
			r.Sample(next, size(c.workers))
			if v := r.View(at(130), time.Minute); v.Sentence != "" && strings.Contains(v.Sentence, "goes on with") {
				t.Errorf("%s: %s", v.Health, v.Sentence)
			}
		})
	}
}

// A share that is complete and begins anew tells no crash: the training is as fast as it was.
func TestAShareThatBeginsAnewWhereAllIsDoneTellsNoCrash(t *testing.T) {
	for name, c := range map[string]struct {
		upTo     float64
		from, to float64 // how fast it is taken to be afterwards, beside how fast it is
	}{
		"all was done":          {1, 0.95, 1.05},
		"it was about to be so": {0.9, 0, 0.8},
	} {
		t.Run(name, func(t *testing.T) {
			r, now := NewRun("a-1"), 0
			r.Team("z", at(0), at(0))
			for _, upTo := range []float64{c.upTo, 0.5} {
				for done := 0.; done < upTo+0.005; done += 0.01 {
					now += 10
					r.Sample(progress.Sample{
						Source: v1alpha1.ProgressAgent, At: at(now), Unit: progress.Share, Done: math.Min(done, 1), Total: 1,
					}, size(4))
				}
			}
			got := float64(filledFor(r, now, at(0)).Sizes[0].Expected) / 0.001
			if got < c.from || got > c.to {
				t.Errorf("it is taken to be %.2f times as fast as it is", got)
			}
		})
	}
}

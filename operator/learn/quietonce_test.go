package learn

import (
	"fmt"
	"testing"
	"time"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic/resize"
)

// opensAt has other workers begin, who train from some seconds after that on.
func opensAt(r *Run, team, quiet int, workers int) {
	from := 10000 * team
	r.Team(fmt.Sprint(team), at(from), at(from))
	for _, s := range line(from+quiet, 5, 20, float64(1000*team), 2) {
		r.Sample(s, size(workers))
	}
}

// One start that took an hour, such as to load data, does not have all later ones be taken to be as long for ever: with
// each of them that was shorter, half as much is feared of the next.
func TestOneLongStartIsNotFearedForEver(t *testing.T) {
	r := NewRun("resnet-1")
	for i, start := range []struct {
		quiet int
		want  time.Duration
	}{{3600, time.Hour}, {60, 30 * time.Minute}, {60, 15 * time.Minute}, {60, 450 * time.Second}, {3600, time.Hour}} {
		opensAt(r, i+1, start.quiet, 4)
		for _, each := range []*Run{r, recalled(t, r)} {
			if got := each.Progress().Quiet; got != start.want {
				t.Errorf("after start %d it is taken to tell nothing for %s at most, want %s", i+1, got, start.want)
			}
		}
	}
}

// Workers who leave start nothing: how soon the others go on says nothing of the next start. Workers who come do start.
func TestWhoLeavesSaysNothingOfStarts(t *testing.T) {
	for name, c := range map[string]struct {
		workers int
		want    time.Duration
	}{"two leave": {2, time.Hour}, "four come": {8, 30 * time.Minute}} {
		t.Run(name, func(t *testing.T) {
			r := NewRun("resnet-1")
			opensAt(r, 1, 3600, 4)
			r.Team("others", at(10000), at(13700))
			for _, s := range line(13720, 5, 100, 1200, float64(c.workers)/2) {
				r.Sample(s, size(c.workers))
			}
			r.Restarted(v1alpha1.RestartLive, resize.Cost{Measured: true, Pause: 20 * time.Second})
			if got := r.Progress().Quiet; got != c.want {
				t.Errorf("it is taken to tell nothing for %s after a start, want %s", got, c.want)
			}
		})
	}
}

// What was told while nobody looked may have been long: it makes no start seem shorter.
func TestAStartThatNobodySawSaysNothing(t *testing.T) {
	r := NewRun("resnet-1")
	opensAt(r, 1, 3600, 4)
	r.Attend(size(4), at(10000), at(19990))
	r.Team("2", at(20000), at(20000))
	r.Attend(size(4), at(20000), at(20010))
	r.Attend(size(4), at(20000), at(29000))
	for _, s := range line(29000, 5, 20, 2000, 2) {
		r.Sample(s, size(4))
	}
	if got := r.Progress().Quiet; got != time.Hour {
		t.Errorf("it is taken to tell nothing for %s after a start, want an hour", got)
	}
}

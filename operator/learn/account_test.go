package learn

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/takt-dev/takt/predictor"
)

// A run of two workers is read for a while and attended to all the time; another process goes on from what it has kept.
func TestAnAccountOfARun(t *testing.T) {
	r := NewRun("run")
	r.Team("two", at(0), at(0))
	r.Attend(size(2), at(0), at(0))
	reads(2, line(0, 10, 20, 0, 1)...)(r)
	r.Attend(size(2), at(0), at(190))
	shapes := []predictor.Shape{size(1), size(2), size(4), size(64)}
	check := func(what string, a Account, total time.Duration) {
		t.Helper()
		var workers []int
		for _, s := range a.Speeds {
			workers = append(workers, int(s.Shape.Workers))
			if s.Measured != (s.Shape.Workers == 2) || s.PerSecond <= 0 {
				t.Errorf("%s: the speed of %d workers is %+v", what, s.Shape.Workers, s)
			}
		}
		if diff := cmp.Diff([]int{1, 2, 4}, workers); diff != "" { // what 64 workers would do nobody can tell
			t.Errorf("%s: -want +got:\n%s", what, diff)
		}
		want := []predictor.Spent{{Shape: size(2), Time: predictor.Seconds(total.Seconds())}}
		if diff := cmp.Diff(want, a.Spent); diff != "" || a.Unit != "steps" || a.Done != 190 || a.Total != 10000 {
			t.Errorf("%s: %v of %v %s, -want +got:\n%s", what, a.Done, a.Total, a.Unit, diff)
		}
	}
	check("as last seen", r.Account(shapes, time.Time{}), 190*time.Second)
	check("a moment later", r.Account(shapes, at(200)), 200*time.Second)
	check("told once more", r.Account(shapes, at(200)), 200*time.Second)
	heir, err := Recalled("run", r.Keep())
	if err != nil {
		t.Fatal(err)
	}
	check("by another process", heir.Account(shapes, at(200)), 200*time.Second)
	heir.Finished(at(200))
	check("once it has finished", heir.Account(shapes, at(300)), 200*time.Second)
	if got := NewRun("run").Account(shapes, at(10)); !cmp.Equal(got, Account{}) {
		t.Errorf("of one that nobody has seen: %+v", got)
	}
}

package faults

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/takt-dev/takt/e2e/lib/extent"
	"github.com/takt-dev/takt/e2e/lib/world"
)

// restsFor is how long nothing changes in a run that has come to rest: what is still to come of itself,
// such as a verdict once the speed is known, comes sooner.
const restsFor = 5 * time.Second

// tally counts what a test has done, for its last line.
type tally struct{ faults, runs, equal atomic.Int64 }

// print prints the counts once the test and all that belong to it are over.
func (c *tally) print(t *testing.T, what string) {
	t.Cleanup(func() {
		t.Logf("%s: %d faults injected, %d runs with faults, %d with the same end state", what, c.faults.Load(),
			c.runs.Load(), c.equal.Load())
	})
}

// add counts a run that was checked.
func (c *tally) add(t *testing.T, i *Injector) {
	t.Helper()
	n := i.Injected()
	if n == 0 {
		t.Error("no fault has happened")
	}
	c.faults.Add(int64(n))
	c.runs.Add(1)
	if !t.Failed() {
		c.equal.Add(1)
	}
}

// reference is a run without faults.
type reference struct {
	ending ending
	away   map[string]int
	writes int
}

// without plays a scenario without faults.
func (s scenario) without(t *testing.T) reference {
	t.Helper()
	injector := New(0)
	w := newWorld(t, s, injector)
	s.play(w)
	var r reference
	var since time.Time
	w.Eventually("it comes to rest", patience, func() error {
		if now := endingOf(w, t); since.IsZero() || !cmp.Equal(r.ending, now) {
			r.ending, since = now, time.Now()
		}
		for name, ej := range r.ending.ElasticJobs {
			if ej.UnderWay > 0 || strings.HasPrefix(ej.Resizing, "True") || ej.Running != ej.Desired {
				return fmt.Errorf("%s is %+v", name, ej)
			}
		}
		if rest := time.Since(since); rest < restsFor {
			return fmt.Errorf("it has changed %v ago", rest)
		}
		return nil
	})
	r.away, r.writes = sentAway(w, r.ending), len(injector.Writes())
	w.StopOperator()
	t.Logf("%d writes without faults: %v", r.writes, injector.Writes())
	t.Logf("it has come to %+v, and sent away %v", r.ending, r.away)
	return r
}

// check waits until a run has come to the same as one without faults, and looks at how.
func (r reference) check(t *testing.T, w *world.World, injector *Injector) {
	t.Helper()
	w.Eventually("it comes to the same as without faults", world.Later, func() error { return same(w, t, r.ending) })
	w.Steadily("it rests", time.Second, func() error { return same(w, t, r.ending) })
	if diff := cmp.Diff(r.away, sentAway(w, r.ending)); diff != "" {
		t.Errorf("it has sent away other workers (-without faults +here):\n%s", diff)
	}
	if lost := promisesLost(w); len(lost) > 0 {
		t.Errorf("promises were lost: %v", lost)
	}
	deleted := map[string]bool{}
	for _, write := range injector.Writes() {
		if write.Verb == "delete" && write.Kind == "Pod" && write.Committed {
			if deleted[write.UID] {
				t.Errorf("pod %s was deleted twice", write.Name)
			}
			deleted[write.UID] = true
		}
	}
}

// stride is how many writes a process lives for in one run, in which it so dies several times: all runs
// of a scenario together have it die at each write. With TAKT_FAULTS=each it dies once in a run, and
// there are as many runs as writes; that takes the better part of an hour.
func stride(writes int) int {
	if os.Getenv("TAKT_FAULTS") == "each" {
		return writes
	}
	return min(writes, 5)
}

// death is when a process dies: right before or right after a write, and as many writes later again.
type death struct {
	first int
	after bool
}

func (d death) String() string {
	return fmt.Sprintf("%s write %d", map[bool]string{true: "after", false: "before"}[d.after], d.first)
}

func deaths(every int) (all []death) {
	for first := 1; first <= every; first++ {
		all = append(all, death{first, false}, death{first, true})
	}
	return all
}

// crash ends the process right before and right after each write of a scenario, or some of them.
func crash(t *testing.T, s scenario, want reference, count *tally) {
	every := stride(want.writes)
	for _, d := range extent.Some(t, deaths(every), 2) {
		t.Run("dies "+d.String(), func(t *testing.T) {
			t.Parallel()
			injector := New(uint64(d.first))
			injector.Refuse = func(w Write, _ *rand.Rand) Answer {
				if w.Number > want.writes || w.Number%every != d.first%every {
					return Answer{}
				}
				return Answer{DieBefore: !d.after, DieAfter: d.after}
			}
			w := newWorld(t, s, injector)
			s.play(w)
			want.check(t, w, injector)
			count.add(t, injector)
		})
	}
}

package reading

import (
	"slices"
	"testing"
	"time"
)

// workers are as many as there are by default.
const workers = 8

// longest is how long one waits at most that finds no turn.
const longest = 5 * time.Minute

// begun are the turns of those that get theirs, of as many readings as there are workers, one after another.
func begun(t *Turns, namespace string, slow, read bool, now time.Time) (got []Turn) {
	for range workers {
		if turn, wait := t.Take(namespace, slow, read, now); wait == 0 {
			got = append(got, turn)
		}
	}
	return got
}

// The pods of one namespace that do not answer must not keep the workers from those of others.
func TestANamespaceHoldsNoMoreThanAShareOfTheWorkers(t *testing.T) {
	turns := NewTurns(workers, 5*time.Second, longest)
	now := present
	first := begun(turns, "greedy", false, false, now)
	if len(first) != workers {
		t.Fatalf("%d of %d readings begin while all seem quick", len(first), workers)
	}
	now = now.Add(5 * time.Second)
	for _, turn := range first {
		if !turns.Give(turn, now) {
			t.Error("a reading of five seconds is not slow")
		}
	}
	for _, readings := range []struct {
		name, namespace string
		slow, read      bool
		want            int
	}{
		{"that were slow before", "greedy", true, true, workers / 4},
		{"of jobs that nobody has read yet", "greedy", false, false, 0}, // those before hold all turns
		{"of jobs that answer", "greedy", false, true, workers},
		{"of others", "humble", false, false, workers},
		{"of others that were slow before", "patient", true, true, workers / 4},
	} {
		if got := begun(turns, readings.namespace, readings.slow, readings.read, now); len(got) != readings.want {
			t.Errorf("%d readings %s begin, want %d", len(got), readings.name, readings.want)
		}
	}
}

func TestATurnThatIsGivenBackIsForTheNext(t *testing.T) {
	turns := NewTurns(8, 5*time.Second, longest)
	for i := range 100 {
		now := present.Add(time.Duration(i) * 5 * time.Second)
		got := begun(turns, "greedy", true, true, now)
		if len(got) != 2 {
			t.Fatalf("round %d: %d readings begin, want 2", i, len(got))
		}
		for _, turn := range got {
			turns.Give(turn, now.Add(5*time.Second))
		}
	}
	if later := present.Add(time.Hour); len(begun(turns, "greedy", false, false, later)) != 8 {
		t.Error("that readings were slow is not forgotten")
	}
}

// Jobs that answer now and hang then are no way around it.
func TestJobsThatSeemQuickAndAreNotNeedATurn(t *testing.T) {
	turns := NewTurns(8, 5*time.Second, longest)
	for range 9 {
		turn, wait := turns.Take("greedy", false, true, present)
		if wait > 0 {
			t.Fatal("a reading that seems quick does not begin")
		}
		turns.Give(turn, present.Add(5*time.Second))
	}
	if got := begun(turns, "greedy", false, true, present.Add(6*time.Second)); len(got) != 2 {
		t.Errorf("%d readings begin, want 2", len(got))
	}
	if got := begun(turns, "humble", false, true, present.Add(6*time.Second)); len(got) != 8 {
		t.Errorf("%d readings of others begin, want 8", len(got))
	}
}

func TestNamespacesWithoutSlowReadingsAreForgotten(t *testing.T) {
	turns := NewTurns(1, 5*time.Second, longest)
	for _, name := range []string{"a", "b", "c"} {
		turn, _ := turns.Take(name, false, false, present)
		turns.Give(turn, present)
	}
	if len(turns.of) != 1 {
		t.Errorf("%d namespaces are remembered", len(turns.of))
	}
}

// However many wait for a turn, they ask for it little more often than turns are given back, and no turn is left
// unused.
func TestThoseThatWaitForATurnDoNotAskForItAllTheTime(t *testing.T) {
	const takes, hour = 5 * time.Second, time.Hour
	for _, jobs := range []int{20, 50, 5000} {
		turns, asked, had := NewTurns(workers, takes, longest), 0, make([]int, jobs)
		var next func(job int, now time.Time)
		at := map[time.Time][]func(time.Time){} // what happens when
		next = func(job int, now time.Time) {
			asked++
			turn, wait := turns.Take("greedy", true, true, now)
			if wait > 0 {
				at[now.Add(wait)] = append(at[now.Add(wait)], func(now time.Time) { next(job, now) })
				return
			}
			had[job]++
			at[now.Add(takes)] = slices.Insert(at[now.Add(takes)], 0, func(now time.Time) {
				turns.Give(turn, now)
				at[now.Add(takes)] = append(at[now.Add(takes)], func(now time.Time) { next(job, now) })
			})
		}
		for job := range jobs {
			next(job, present)
		}
		asked = 0
		for now := present; now.Before(present.Add(hour)); now = now.Add(takes / 10) {
			for _, do := range at[now] {
				do(now)
			}
			delete(at, now)
		}
		readings := 0
		for _, n := range had {
			readings += n
		}
		if most := int(hour/takes) * workers / shareOfWorkers; readings < most*9/10 {
			t.Errorf("%d jobs have had %d turns, of %d", jobs, readings, most)
		}
		if most := 2*readings + 2*jobs*int(hour/longest); asked > most {
			t.Errorf("%d jobs have asked for a turn %d times, want %d at most, for %d readings", jobs, asked, most, readings)
		}
	}
}

// present is the moment that all tests begin at.
var present = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

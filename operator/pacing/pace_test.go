package pacing

import (
	"fmt"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/types"
)

// present is the moment that all tests begin at.
var present = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

// After a rest some may be done in a row, and then one at a time; one object's haste is not another's.
func TestAPaceAllowsSomeInARow(t *testing.T) {
	p := Pace{3, time.Second}
	var a Allowances
	hasty, calm := types.NamespacedName{Name: "hasty"}, types.NamespacedName{Name: "calm"}
	done := 0
	for ms := range 10_000 {
		if a.Spend(hasty, p, present.Add(time.Duration(ms)*time.Millisecond)) == 0 {
			done++
		}
	}
	if want := 3 + 9; done != want {
		t.Errorf("%d were allowed in ten seconds, want %d", done, want)
	}
	now := present.Add(10 * time.Second)
	if wait := a.Spend(hasty, p, now); wait != 0 {
		t.Errorf("it waits for %s though one is due", wait)
	}
	if wait := a.Spend(hasty, p, now.Add(100*time.Millisecond)); wait != 900*time.Millisecond {
		t.Errorf("it waits for %s, want what is left of the second", wait)
	}
	if wait := a.Spend(calm, p, now); wait != 0 {
		t.Errorf("another waits for %s", wait)
	}
	for i := range 1000 {
		a.Spend(types.NamespacedName{Name: fmt.Sprint(i)}, p, now.Add(time.Duration(i)*time.Minute))
	}
	if n := len(a.spent); n > 2*leastSwept {
		t.Errorf("%d objects are remembered that have rested", n)
	}
}

// What is called for too often is done once when its time has come, and none is lost.
func TestCallsThatComeTooOftenAreMadeOnceLater(t *testing.T) {
	now, kicks := present, 0
	var later []func()
	c := NewCalls()
	c.After = func(_ time.Duration, do func()) { later = append(later, do) }
	call := func() {
		c.Call(types.NamespacedName{Name: "job"}, Pace{2, time.Second}, func() time.Time { return now }, func() { kicks++ })
	}
	for range 100 {
		call()
	}
	if kicks != 2 || len(later) != 1 {
		t.Fatalf("%d were made at once, and %d are to come; want 2 and 1", kicks, len(later))
	}
	now = now.Add(time.Second)
	do := later
	later = nil
	do[0]()
	if kicks != 3 || len(later) != 0 || len(c.owed) != 0 {
		t.Errorf("%d were made, and %d are to come; want 3 and none", kicks, len(later))
	}
}

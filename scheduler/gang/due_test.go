package gang

import (
	"fmt"
	"testing"
	"time"
)

// Tick is called twenty times a second, with the lock held that each other pod needs. Thousands of gangs may wait, and
// whoever likes may make as many: it looks at those alone for which something is due.
func TestATickLooksOnlyAtWhatIsDue(t *testing.T) {
	d := open(t)
	for i := range 1000 { // of a Resize, of none, and pods that are alone
		p := pod(0, 0, 1)
		p.UID, p.Change.Job = UID(fmt.Sprint("p", i)), fmt.Sprint("job", i)
		switch i % 3 {
		case 0:
			d.Recorded(p.Change, Record{Until: d.now.Add(time.Hour)}, d.now)
		case 1:
			p.Declared = Declared{}
		}
		d.saw(p)
	}
	d.after(d.limits.Orphan)
	d.after(time.Second)
	if d.Waiting() != 1000 {
		t.Fatalf("%d gangs wait, want all", d.Waiting())
	}
	there := d.gangs
	d.gangs = nil // whoever looks at one finds that it is not there
	defer func() {
		if found := recover(); found != nil {
			t.Errorf("when nothing is due, gangs are looked at: %v", found)
		}
	}()
	d.after(time.Second)
	d.gangs = there
	d.Take()
	d.after(time.Hour - d.limits.Orphan - 2*time.Second)
	d.after(d.limits.Orphan)
	if e := d.Take(); len(e.Wake) != 334 {
		t.Errorf("%d speakers of abandoned Resizes are woken, want 334", len(e.Wake))
	}
}

// What was to be looked at later, and is gone by then, is not kept until then.
func TestNothingIsKeptOfGangsThatAreGone(t *testing.T) {
	d := open(t)
	for i := range 10_000 {
		p := pod(0, 0, 1)
		p.UID, p.Change.Job = UID(fmt.Sprint("p", i)), fmt.Sprint("job", i)
		d.saw(p)
		d.Gone(p.UID, d.now)
	}
	if n := len(d.calendar); n > 2*mostStale {
		t.Errorf("%d gangs that are gone are to be looked at", n)
	}
}

package gang

import (
	"fmt"
	"math/rand/v2"
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

// Whatever happens to gangs, each is in the calendar no later than something is due for it.
func TestWhateverIsDueIsInTheCalendar(t *testing.T) {
	due := 0
	for seed := range uint64(100) {
		random := rand.New(rand.NewPCG(seed, 11))
		d := open(t)
		for range 400 {
			p := pod(random.IntN(6), 0, 1+random.IntN(6))
			p.Change.Job = fmt.Sprint("job", random.IntN(3))
			p.UID = UID(p.Change.Job + p.Name)
			p.Late, p.Gated = random.IntN(5) == 0, random.IntN(9) == 0
			switch random.IntN(12) {
			case 0:
				d.Gone(p.UID, d.now)
			case 1, 2:
				d.Recorded(p.Change, Record{Pods: random.IntN(6), Fewer: random.IntN(3), Over: random.IntN(5) == 0,
					TurnedRound: random.IntN(5) == 0, Until: d.now.Add(time.Duration(random.IntN(300)) * time.Second)}, d.now)
			case 3:
				d.Erased(p.Change, d.now)
			case 4, 5, 6:
				if turn, _ := d.Turn(p.UID, d.now); turn.Try != nil && random.IntN(2) == 0 {
					nodes := map[UID]string{}
					for _, each := range turn.Try {
						nodes[each.UID] = "a"
					}
					d.plan = d.Planned(p.UID, nodes, nil, d.now)
				} else if turn.Try != nil {
					d.InVain(p.UID, time.Second, d.now)
					if random.IntN(2) == 0 {
						d.Later(p.UID, d.now)
					}
					d.Short(p.UID, d.now)
				}
			case 7:
				d.Reserved(p.UID, d.plan, d.now)
			case 8:
				d.Failed(p.UID, d.plan, "why", d.now)
			case 9:
				d.after(time.Duration(random.IntN(20_000)) * time.Millisecond)
			case 10:
				p.Node = "a"
				d.saw(p)
			default:
				d.saw(p)
			}
			d.Take()
			for _, g := range d.gangs {
				at := d.due(g)
				if at.IsZero() {
					continue
				}
				if due++; g.entered.IsZero() || g.entered.After(at) {
					t.Fatalf("seed %d: %+v is due at %v, and in the calendar for %v", seed, g.id, at, g.entered)
				}
			}
		}
	}
	if due == 0 {
		t.Error("nothing was due")
	}
}

package elastic

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/takt-dev/takt/e2e/lib/extent"
)

// TestHistoriesOfTheUnknown has jobs come of which nothing is known for long, among others whose speeds are known.
// One that runs gives nothing back before it was measured, unless another that is promised its deadline takes more. A
// mere plan takes nothing either by way of a promise that steps back for it.
func TestHistoriesOfTheUnknown(t *testing.T) {
	t.Parallel()
	held, gave := 0, 0
	seeds := []uint64{199, 247, 312, 320} // in these a promise that could wait took all the same
	seeds = append(seeds, extent.Seeds(t, 400)...)
	for _, seed := range seeds {
		r := rand.New(rand.NewPCG(seed, 8))
		w := newWorld(t, r, Snapshot{Nodes: []Node{{Name: "node", GPUs: GPUs(8 + r.IntN(16))}}, Queues: []Queue{{Name: "a"}}})
		for n := range 30 {
			j := cold(r, n, w)
			j.GPUsPerWorker, j.Uninterruptible = 0, false
			silent := r.IntN(3) == 0
			if silent {
				for i := range j.Sizes {
					j.Sizes[i] = Size{Workers: j.Sizes[i].Workers}
				}
			}
			w.Jobs = append(w.Jobs, j)
			before := w.Snapshot
			d := w.plan()
			taken := false
			for i, o := range d.Jobs {
				taken = taken || o.Promised && (o.Workers > before.Jobs[i].Workers || growsSoon(o, before.Now))
			}
			for i, o := range d.Jobs {
				was := before.Jobs[i]
				if was.Workers == 0 || was.Sizes[0].Speed > 0 {
					continue
				}
				held++
				if o.Workers >= was.Workers {
					continue
				}
				if gave++; !taken {
					t.Errorf("history %d, at %v: %s gives %d→%d before it was measured, and nobody takes more who is "+
						"promised anything",
						seed, w.Now, o.Name, was.Workers, o.Workers)
				}
			}
			w.advance(w.Now + Seconds(r.ExpFloat64()*300))
		}
	}
	t.Logf("nothing was known of %d jobs that ran, %d of which gave back something for a promise", held, gave)
	if held < 3*len(seeds) || gave == 0 && !testing.Short() {
		t.Errorf("that proves little: %d ran, and %d gave", held, gave)
	}
}

// TestWhatAPromiseGivesUpIsHeldAgain has a newcomer that could only be promised its deadline with the GPUs of a job of
// which nothing is known, and for which there is no node even so. What is merely planned for another does not get them
// either.
func TestWhatAPromiseGivesUpIsHeldAgain(t *testing.T) {
	t.Parallel()
	unknown := Job{Name: "unknown", Queue: "a", Left: 1000, Workers: 4, Trained: 10, On: []string{"a", "a", "b", "b"}}
	for w := range Workers(4) {
		unknown.Sizes = append(unknown.Sizes, Size{Workers: w + 1})
	}
	fixed := func(node string) Job {
		return Job{Name: "fixed-" + node, Queue: "a", Left: 1e6, Workers: 1, On: []string{node}, Uninterruptible: true,
			Sizes: []Size{{Workers: 1, Speed: 1}}}
	}
	s := Snapshot{
		Nodes: []Node{{Name: "a", GPUs: 4}, {Name: "b", GPUs: 4}}, Queues: []Queue{{Name: "a"}},
		Jobs: []Job{unknown, fixed("a"), fixed("b"),
			{Name: "insists", Queue: "a", Left: 100, Deadline: new(Seconds(110)), OnlyPromised: true, GPUsPerWorker: 4,
				Sizes: []Size{{Workers: 1, Speed: 1}}},
			{Name: "plans", Queue: "a", Left: 50, Deadline: new(Seconds(60)), Doubted: true, GPUsPerWorker: 2,
				Sizes: []Size{{Workers: 1, Speed: 1}}},
		},
	}
	if err := s.Check(); err != nil {
		t.Fatal(err)
	}
	d := Plan(s)
	if o := d.Jobs[3]; o.Promised {
		t.Errorf("it is promised what no node has: %s", o.Message)
	}
	if o := d.Jobs[0]; o.Workers != unknown.Workers {
		t.Errorf("it gives %d→%d before it was measured: %s %s", unknown.Workers, o.Workers, o.Reason, o.Why)
	}
}

// growsSoon says that a job is planned to grow before anybody could be measured.
func growsSoon(o Outcome, now Seconds) bool {
	return slices.ContainsFunc(o.Reserved, func(s Span) bool { return s.Workers > o.Workers && s.From < now+3*coldPause })
}

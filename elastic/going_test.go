package elastic

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestOnlyPromisesTakeFromTheUnknown has jobs come of which nothing is known for long, among others whose speeds are known.
// One that runs gives nothing back before it was measured, unless another that is promised its deadline takes more.
func TestOnlyPromisesTakeFromTheUnknown(t *testing.T) {
	t.Parallel()
	held, gave := 0, 0
	for seed := range uint64(some(60)) {
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
					t.Errorf("history %d, at %v: %s gives %d→%d before it was measured, and nobody takes more who is promised anything",
						seed, w.Now, o.Name, was.Workers, o.Workers)
				}
			}
			w.advance(w.Now + Seconds(r.ExpFloat64()*300))
		}
	}
	t.Logf("nothing was known of %d jobs that ran, %d of which gave back something for a promise", held, gave)
	if held < 1000 || gave == 0 {
		t.Errorf("that proves little: %d ran, and %d gave", held, gave)
	}
}

// growsSoon says that a job is planned to grow before anybody could be measured.
func growsSoon(o Outcome, now Seconds) bool {
	return slices.ContainsFunc(o.Reserved, func(s Span) bool { return s.Workers > o.Workers && s.From < now+3*coldPause })
}

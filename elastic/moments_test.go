package elastic

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/takt-dev/takt/e2e/lib/extent"
)

// TestStoryDecisionsOfAMomentAreOne has what is given back take its time: those that it is given back for wait for it,
// and plans that are made meanwhile, without any news, decide the same.
func TestStoryDecisionsOfAMomentAreOne(t *testing.T) {
	t.Parallel()
	waited := 0
	seeds := extent.Seeds(t, 300)
	for _, seed := range seeds {
		r := rand.New(rand.NewPCG(seed, 1))
		w := newWorld(t, r, someCluster(r))
		for n := range 30 {
			j := roams(r, someJob(r, n, w.Now, w.Queues), w.Queues)
			j.Pause = max(j.Pause, 10)
			w.Jobs = append(w.Jobs, j)
			if other := &w.Jobs[r.IntN(len(w.Jobs))]; r.IntN(3) == 0 && other.Deadline != nil {
				other.Deadline = new(max(*other.Deadline+Seconds(r.NormFloat64()*60), w.Now+1))
				other.Promised, other.Reserved = false, nil
			}
			d := Plan(w.Snapshot)
			if waits := w.halfWay(d); waits.Jobs != nil && quiet(d, w.Now, w.Now+1) {
				waited++
				waits.agree(d, seed)
			}
			w.run(w.Now + Seconds(r.ExpFloat64()*100))
		}
	}
	if t.Logf("%d decisions waited for GPUs", waited); waited < len(seeds)/3 {
		t.Error("too few: this proves little")
	}
}

// agree plans three times within a second, and checks that everybody is to have what was decided.
func (w *world) agree(d Decision, seed uint64) {
	w.t.Helper()
	for range 3 {
		if w.advance(w.Now + 0.3); len(w.Jobs) < len(d.Jobs) { // one has finished: that is news
			return
		}
		again := Plan(w.Snapshot)
		for i, o := range again.Jobs {
			if was := d.Jobs[i]; o.Workers != was.Workers || o.Pool != was.Pool {
				w.t.Errorf("history %d, at %v: %s was to have %d workers in pool %q, and a moment later %d in %q", seed, w.Now,
					o.Name, was.Workers, was.Pool, o.Workers, o.Pool)
			}
			w.Jobs[i].Promised, w.Jobs[i].Reserved = o.Promised, o.Reserved
		}
		if w.t.Failed() {
			return
		}
	}
}

// quiet says that nothing is planned to change in a span of time.
func quiet(d Decision, from, to Seconds) bool {
	return !slices.ContainsFunc(d.Jobs, func(o Outcome) bool {
		return slices.ContainsFunc(o.Reserved, func(s Span) bool {
			return from < s.From && s.From <= to || from < s.To && s.To <= to
		})
	})
}

// halfWay is the world in which all is given back that a decision wants, and nobody has got it yet. It has no jobs if
// nobody waits for that.
func (w *world) halfWay(d Decision) *world {
	half := newWorld(w.t, w.random, w.Snapshot)
	half.Jobs = slices.Clone(w.Jobs)
	free := map[string]GPUs{}
	for _, n := range w.Nodes {
		free[n.Pool] += n.GPUs
	}
	for _, j := range w.Jobs {
		free[j.Pool] -= GPUs(j.Workers)
	}
	waits := false
	for i, o := range d.Jobs {
		j := &half.Jobs[i]
		*j = j.In(o.Pool)
		j.Promised, j.Reserved = o.Promised, o.Reserved
		more := GPUs(o.Workers) - GPUs(j.Workers)
		if more > 0 && more > free[j.Pool] {
			j.Awaits, waits = &Awaited{Workers: o.Workers, Since: w.Now}, true
			continue
		}
		free[j.Pool] -= max(more, 0)
		if more != 0 {
			*j = j.afterChange(o.Workers, w.Now)
		}
	}
	if !waits {
		half.Jobs = nil
	}
	return half
}

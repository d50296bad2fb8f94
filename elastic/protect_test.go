package elastic

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/takt-dev/takt/e2e/lib/extent"
)

// TestStoryNewcomersStopNoJobThatWasPromisedWhatItAskedFor has jobs come to clusters where others run with the promise
// that they asked for. A newcomer that gets none makes none of them stop that would go on without it.
func TestStoryNewcomersStopNoJobThatWasPromisedWhatItAskedFor(t *testing.T) {
	t.Parallel()
	proofs := 0
	seeds := extent.Seeds(t, 120)
	for _, seed := range seeds {
		r := rand.New(rand.NewPCG(seed, 4))
		w := newWorld(t, r, someCluster(r))
		for n := range 30 {
			j := roams(r, someJob(r, n, w.Now, w.Queues), w.Queues)
			j.Pause = max(j.Pause, 10)
			without := Plan(w.Snapshot)
			w.Jobs = append(slices.Clone(w.Jobs), j)
			with := Plan(w.Snapshot)
			for i, o := range without.Jobs {
				was := w.Jobs[i]
				if !was.Promised || !was.OnlyPromised || was.Workers == 0 || o.Workers == 0 || with.Jobs[len(w.Jobs)-1].Promised {
					continue
				}
				if proofs++; with.Jobs[i].Workers == 0 {
					t.Errorf("history %d, at %v: %s, which was promised what it asked for, stops for %s, which has no promise", seed,
						w.Now, was.Name, j.Name)
				}
			}
			w.run(w.Now + Seconds(r.ExpFloat64()*100))
		}
	}
	if t.Logf("%d jobs might have been stopped", proofs); proofs < 2*len(seeds) {
		t.Error("too few: this proves little")
	}
}

package stories

import (
	"math/rand/v2"
	"testing"

	"github.com/takt-dev/takt/operator/zoo/habit"
)

// TestStoryZooMixtures looks after animals that have several habits at a time. What must hold for every animal holds
// for them.
func TestStoryZooMixtures(t *testing.T) {
	mixtures := habit.Mixtures()
	which := rand.New(rand.NewPCG(0, 6)).Perm(len(mixtures))
	if testing.Short() {
		which = sample(t).Perm(len(mixtures))[:2]
	}
	for _, i := range which {
		for _, v := range []visit{
			{animal: mixtures[i], seed: uint64(i)}, {animal: mixtures[i], dies: true, seed: uint64(i)},
			{animal: mixtures[i], tight: true, seed: uint64(i)},
		} {
			t.Run(v.String(), func(t *testing.T) {
				t.Parallel()
				j := v.watch(t)
				j.blame(t)
				t.Logf("in time %t, %d resizes, lost %s, truth %s", j.met(), j.resizes, j.Lost, j.truth())
			})
		}
	}
}

package stories

import (
	"math/rand/v2"
	"testing"

	"github.com/takt-dev/takt/e2e/lib/extent"
	"github.com/takt-dev/takt/operator/zoo/habit"
)

// sample draws for a test.
func sample(t *testing.T) *rand.Rand {
	t.Helper()
	t.Logf("a sample is played; TAKT_SEED=%d draws the same again", extent.Seed())
	return rand.New(rand.NewPCG(extent.Seed(), 4))
}

// companies divides all animals into fours, so that each is in one. The last is filled up.
func companies(animals []habit.Animal) [][]habit.Animal {
	shuffled := rand.New(rand.NewPCG(0, 3)).Perm(len(animals))
	var all [][]habit.Animal
	for i := 0; i < len(shuffled); i += 4 {
		var four []habit.Animal
		for k := range 4 {
			four = append(four, animals[shuffled[(i+k)%len(shuffled)]])
		}
		all = append(all, four)
	}
	return all
}

package stories

import (
	"fmt"
	"testing"

	"github.com/takt-dev/takt/operator/zoo/habit"
)

// Whatever their deadlines and the sizes that they were written for, no training is to suffer: those of the zoo are
// drawn a few times more, others each time.
func TestStoryZooOfOtherSeeds(t *testing.T) {
	if testing.Short() {
		t.Skip("make test-long plays it, and TestStoryZoo a sample of what has been drawn before")
	}
	const times = 4
	random := sample(t)
	for _, animal := range habit.Animals() {
		for range times {
			seed := random.Uint64()
			for _, v := range []visit{
				{animal: animal, seed: seed}, {animal: animal, seed: seed, dies: true}, {animal: animal, seed: seed, tight: true},
			} {
				t.Run(fmt.Sprintf("%s, %d", v, seed), func(t *testing.T) {
					t.Parallel()
					v.watch(t).blame(t)
				})
			}
		}
	}
}

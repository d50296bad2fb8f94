package stories

import (
	"fmt"
	"testing"

	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/operator/zoo/habit"
)

// What must hold for every animal holds for those whose habits are thrown together, alone and nine at a time, which
// have half of the GPUs that they were written for. Others are drawn each time.
func TestStoryZooDrawn(t *testing.T) {
	alone, crowds := 60, 6
	if testing.Short() {
		alone, crowds = 2, 1
	}
	random := sample(t)
	for range alone {
		animal, seed := habit.Drawn(random), random.Uint64()
		for _, v := range []visit{
			{animal: animal, seed: seed}, {animal: animal, seed: seed, dies: true}, {animal: animal, seed: seed, tight: true},
		} {
			t.Run(fmt.Sprintf("%s, %d", v, seed), func(t *testing.T) {
				t.Parallel()
				v.watch(t).blame(t)
			})
		}
	}
	for range crowds {
		var nine []habit.Animal
		for range 9 {
			nine = append(nine, habit.Drawn(random))
		}
		seed := random.Uint64()
		t.Run(fmt.Sprintf("nine at a time, %d", seed), func(t *testing.T) {
			t.Parallel()
			for _, j := range company(t, nine, seed, seed%2 == 1, elastic.Variant{}) {
				j.blame(t)
			}
		})
	}
}

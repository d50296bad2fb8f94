package stories

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/takt-dev/takt/e2e/lib/extent"
	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/operator/zoo/habit"
)

// What must hold for every animal holds for those whose habits are thrown together, alone and nine at a time, which
// have half of the GPUs that they were written for. They are the same ones each time, unless TAKT_SEED draws others: of
// those a few are still found fault with, such as one whose change of size takes longer than it should.
func TestStoryZooDrawn(t *testing.T) {
	alone, crowds := 10, 3
	if testing.Short() {
		alone, crowds = 2, 1
	}
	random := rand.New(rand.NewPCG(0, 7))
	if _, given := extent.Given(); given {
		random = sample(t)
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
}

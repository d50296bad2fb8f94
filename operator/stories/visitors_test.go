package stories

import (
	"fmt"
	"testing"

	"github.com/takt-dev/takt/operator/zoo/habit"
)

// What must hold for every animal holds for visitors, and each of them is in time.
func TestStoryZooVisitors(t *testing.T) {
	visitors, seeds := habit.Visitors(), uint64(3)
	if testing.Short() {
		random := sample(t)
		k := random.IntN(len(visitors))
		visitors, seeds = visitors[k:k+1], 1
	}
	for _, animal := range visitors {
		for seed := range seeds {
			for _, v := range []visit{
				{animal: animal, seed: seed}, {animal: animal, seed: seed, dies: true}, {animal: animal, seed: seed, tight: true},
			} {
				t.Run(fmt.Sprintf("%s, %d", v, seed), func(t *testing.T) {
					t.Parallel()
					j := v.watch(t)
					if j.blame(t); !j.met() {
						t.Errorf("it is late by %s", j.Ended.Sub(j.deadline))
					}
				})
			}
		}
	}
}

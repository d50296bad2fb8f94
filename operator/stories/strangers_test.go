package stories

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/takt-dev/takt/operator/zoo/habit"
)

// TestStoryZooStrangers looks after animals whose habits were written down by somebody who had not seen the others.
// What must hold for every animal holds for them. What is said of their end is told as it is: many are never twice the
// same.
func TestStoryZooStrangers(t *testing.T) {
	strangers := habit.Strangers()
	which := rand.New(rand.NewPCG(0, 5)).Perm(len(strangers))
	if testing.Short() {
		which = sample(t).Perm(len(strangers))[:4]
	}
	all := make([][2]*judged, len(strangers))
	t.Run("animals", func(t *testing.T) { // which ends when all of them have
		for _, i := range which {
			for k := range all[i] {
				v := visit{animal: strangers[i], seed: uint64(i), tight: k == 1}
				t.Run(v.String(), func(t *testing.T) {
					t.Parallel()
					all[i][k] = v.watch(t)
					all[i][k].blame(t)
				})
			}
		}
	})
	if t.Failed() || testing.Short() {
		return
	}
	var flat []*judged
	for _, both := range all {
		flat = append(flat, both[:]...)
	}
	whole := sum(flat)
	if whole.met < strangersMet || whole.truth < strangersTruth {
		t.Errorf("%.1f %% were in time, and %.1f %% of what was said of the end was true: want at least %.0f and %.0f %%",
			100*whole.met, 100*whole.truth, 100*strangersMet, 100*strangersTruth)
	}
	if *zooOut == "" {
		return
	}
	if err := publish(*zooOut, "Strangers in the zoo", strangersTable(all)); err != nil {
		t.Error(err)
	}
}

// strangersMet and strangersTruth are a little less than what strangers have reached, for a step back to be seen; of
// truth it is what is wanted of all animals.
const (
	strangersMet   = 0.96
	strangersTruth = 0.85
)

func strangersTable(all [][2]*judged) string {
	var flat []*judged
	rows := ""
	for _, both := range all {
		calm, tight := both[0], both[1]
		flat = append(flat, calm, tight)
		rows += fmt.Sprintf("| %s | %s | %s | %d | %s | %s | %s | %d | %s |\n", calm.name, yes(calm.met()), short(calm.first),
			calm.resizes, short(calm.Lost), calm.truth(), yes(tight.met()), tight.resizes, tight.truth())
	}
	whole := sum(flat)
	return fmt.Sprintf(`
Written by `+"`make zoo`"+`: trainings with habits that somebody wrote down who had not seen the others, alone as there. In time:
%.1f %% of them. Truth: %.1f %%%s. Many of them have habits which their past does not tell, such as a
curriculum, or which come too rarely to be seen. The test fails below %.0f and %.0f %%, a little less than they have
reached. None was rolled back, restarted or made smaller for its silence, nor
because nothing was known of it; the test fails if one is.

| training | in time | first verdict | resizes | lost | truth | in a hurry: in time | resizes | truth |
|---|---|---|---|---|---|---|---|---|
%s`, 100*whole.met, 100*whole.truth, fallsShort(whole.truth < 0.85), 100*strangersMet,
		100*strangersTruth, rows)
}

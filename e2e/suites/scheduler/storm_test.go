package scheduler

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"k8s.io/apimachinery/pkg/util/sets"

	"github.com/takt-dev/takt/e2e/lib/extent"
	"github.com/takt-dev/takt/e2e/lib/world"
)

// Twenty gangs and as many plain pods want the same sixteen GPUs, and their pods come in an order that suits
// nobody. Whoever is placed ends a moment later. All get their turn, and never is a gang bound in part.
func TestSchedulerPlacesTwentyGangsThatWantTheSameGPUs(t *testing.T) {
	t.Parallel()
	for _, c := range extent.Some(t, []struct {
		name   string
		last   bool // the last pods of all gangs come at the end, so all are complete at once
		larger bool // the largest gangs come first, and all others would fit before them
		killed int  // after so many have been placed, the scheduler is killed, again and again
	}{
		{name: "in any order"},
		{name: "all but the last of each at first", last: true},
		{name: "the largest first", larger: true},
		{name: "while the scheduler is killed", killed: 6},
	}, 1) {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			w := world.New(t, world.Options{})
			w.Nodes(4, 4)
			s := scheduled(t, w)
			random := rand.New(rand.NewPCG(20, 26))
			type arrival struct {
				rank int
				make func()
			}
			var gangs []change
			var arrivals []arrival
			for i := range 20 {
				g := change{job: fmt.Sprintf("gang%d", i), to: 2 + random.IntN(9)}
				propose(t, w, &g)
				gangs = append(gangs, g)
				for pod := range g.to {
					rank := 0
					if c.last && pod == g.to-1 {
						rank = 1
					} else if c.larger {
						rank = -g.to
					}
					arrivals = append(arrivals, arrival{rank, func() { g.makePod(w, pod) }})
				}
				arrivals = append(arrivals, arrival{0, func() { plain(w, fmt.Sprintf("plain-%d", i), 1) }})
			}
			random.Shuffle(len(arrivals), func(i, j int) { arrivals[i], arrivals[j] = arrivals[j], arrivals[i] })
			slices.SortStableFunc(arrivals, func(a, b arrival) int { return a.rank - b.rank })
			for _, a := range arrivals {
				a.make()
			}
			left, kills := sets.New[int](), 0
			for i := range gangs {
				left.Insert(i, i+len(gangs))
			}
			all := left.Len()
			place := func() {
				for i := range left {
					if i < len(gangs) && bound(w, gangs[i]) == gangs[i].to {
						end(t, w, gangs[i])
						left.Delete(i)
					} else if name := fmt.Sprintf("plain-%d", i-len(gangs)); i >= len(gangs) && onNode(w, name) == nil {
						remove(t, w, name)
						left.Delete(i)
					}
				}
				if c.killed > 0 && (all-left.Len())/c.killed > kills {
					kills++
					s.Kill()
					s.Start()
				}
			}
			for left.Len() > 0 { // how long all of them take depends on the machine
				before := left.Len()
				w.Eventually("another one has been placed", world.Later, func() error {
					if place(); left.Len() == before {
						return fmt.Errorf("%d of %d are left", before, all)
					}
					return nil
				})
			}
			neverInPart(t, w, gangs...)
		})
	}
}

// Small pods keep coming, and each takes a GPU as soon as one is free. A gang that needs all of them gets
// them nevertheless.
func TestSchedulerLetsNoGangStarve(t *testing.T) {
	t.Parallel()
	w := world.New(t, world.Options{})
	w.Nodes(1, 4)
	scheduled(t, w, func(_, args object) { args["gangs"].(object)["starving"] = "30s" })
	made, running := 0, []string{}
	more := func() {
		name := fmt.Sprintf("small-%d", made)
		made++
		plain(w, name, 1)
		running = append(running, name)
	}
	for range 4 {
		more()
	}
	for _, name := range running {
		w.Eventually(name+" runs", world.Soon, func() error { return onNode(w, name) })
	}
	big := gang(t, w, change{job: "big", to: 4})
	// There is always one that waits, so every GPU that becomes free is wanted at once.
	w.Eventually("the gang is placed", world.Later, func() error {
		if bound(w, big) == 4 {
			return nil
		}
		more()
		remove(t, w, running[0])
		running = running[1:]
		return fmt.Errorf("after %d small ones it is not", made)
	})
	if made < 8 {
		t.Errorf("it was placed after %d small pods, so nobody has competed", made)
	}
	neverInPart(t, w, big)
}

package elastic

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// TestHistories follows random jobs through random clusters: whatever is promised is kept, and the
// other rules that checkSizes and plan know of hold all the time.
func TestHistories(t *testing.T) {
	promised, met, declined := 0, 0, 0
	for seed := range uint64(300) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			r := rand.New(rand.NewPCG(seed, 0))
			w := newWorld(t, someCluster(r))
			for n := range 40 {
				w.Jobs = append(w.Jobs, someJob(r, n, w.Now, w.Queues))
				w.run(w.Now + Seconds(r.ExpFloat64()*100))
			}
			w.run(forever)
			for name, deadline := range w.promised {
				promised++
				if at, ok := w.finished[name]; !ok || at > deadline+rounding {
					t.Errorf("%s was promised %v and finished at %v", name, deadline, at)
					continue
				}
				met++
			}
			declined += 40 - len(w.promised)
		})
	}
	t.Logf("%d promises, %d kept; %d jobs without a promise", promised, met, declined)
	if promised < 3000 {
		t.Errorf("only %d promises were made: this proves little", promised)
	}
}

func someCluster(r *rand.Rand) Snapshot {
	s := Snapshot{Queues: []Queue{{Name: "a"}}}
	for i := range 1 + r.IntN(4) {
		s.Nodes = append(s.Nodes, Node{Name: fmt.Sprintf("node-%d", i), GPUs: GPUs(2 + r.IntN(7))})
	}
	if r.IntN(2) == 0 {
		limit := GPUs(1 + r.IntN(8))
		s.Queues = append(s.Queues,
			Queue{Name: "b", Guaranteed: GPUs(r.IntN(5)), Weight: 2, Priority: r.IntN(2)},
			Queue{Name: "c", Guaranteed: GPUs(r.IntN(5)), NoBorrowing: r.IntN(2) == 0},
			Queue{Name: "d", Limit: &limit})
	}
	return s
}

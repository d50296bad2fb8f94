package elastic

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/takt-dev/takt/e2e/lib/extent"
)

// TestTheLastOfManyMoversMoves has more jobs wait that would rather be elsewhere than may move at a time: the one that
// cannot be in time where it is comes first.
func TestTheLastOfManyMoversMoves(t *testing.T) {
	s := Snapshot{Nodes: []Node{{Name: "s", Pool: "slow", GPUs: 1}, {Name: "f", Pool: "fast", GPUs: 1}}}
	for i := range 70 {
		s.Jobs = append(s.Jobs, Job{
			Name: fmt.Sprintf("job-%02d", i), Submitted: Seconds(i), Pool: "slow", Left: 1e5,
			Sizes:     []Size{{Workers: 1, Speed: 1}},
			Elsewhere: []Place{{"fast", []Size{{Workers: 1, Speed: 2}}}},
		})
	}
	last := &s.Jobs[69]
	last.Left, last.Deadline = 200, new(Seconds(150))
	if o := Plan(s).Jobs[69]; o.Pool != "fast" || o.Workers != 1 || o.Verdict != OnTrack {
		t.Errorf("it waits in %s with %d workers: %s", o.Pool, o.Workers, o.Verdict)
	}
}

// TestNobodyIsInfeasibleForTheWrongPool has random jobs that may run in several pools: a job that waits, and would be
// in time in one of them if it were alone, is not told that it could not be.
func TestNobodyIsInfeasibleForTheWrongPool(t *testing.T) {
	t.Parallel()
	proofs := 0
	seeds := extent.Seeds(t, 200)
	for _, seed := range seeds {
		r := rand.New(rand.NewPCG(seed, 6))
		s := Snapshot{
			Nodes:  []Node{{Name: "s", GPUs: GPUs(1 + r.IntN(6))}, {Name: "f", Pool: "fast", GPUs: GPUs(1 + r.IntN(6))}},
			Queues: []Queue{{Name: "a"}, {Name: "a", Pool: "fast"}},
		}
		for n := range 100 {
			j := roams(r, someJob(r, n, 0, s.Queues), s.Queues)
			if j.Uninterruptible = false; j.Deadline != nil {
				*j.Deadline *= 0.5
			}
			s.Jobs = append(s.Jobs, j)
		}
		for i, o := range Plan(s).Jobs {
			if j := s.Jobs[i]; o.Workers == 0 && o.Verdict != OnTrack && j.Deadline != nil {
				for _, place := range j.Elsewhere {
					alone := s
					alone.Jobs = []Job{j.In(place.Pool)}
					alone.Jobs[0].Elsewhere = nil
					if Plan(alone).Jobs[0].Verdict != OnTrack {
						continue
					}
					if proofs++; o.Verdict == Infeasible {
						t.Errorf("seed %d: %s is infeasible in %q, and would be in time in %q: %s", seed, j.Name, o.Pool, place.Pool,
							o.Message)
					}
				}
			}
		}
	}
	if t.Logf("%d jobs waited that would be in time elsewhere", proofs); proofs < 2*len(seeds) {
		t.Error("too few: this proves little")
	}
}

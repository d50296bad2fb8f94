package elastic

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/takt-dev/takt/e2e/lib/extent"
)

// Whatever the priorities in one queue, none of its jobs goes before one of another queue that it was behind; and
// within the queue those of higher priority go first.
func TestPrioritiesAreForOneQueueAlone(t *testing.T) {
	for seed := range uint64(2000) {
		r := rand.New(rand.NewPCG(seed, 0))
		jobs := make([]*trainee, 1+r.IntN(12))
		for i := range jobs {
			jobs[i] = &trainee{Job: Job{Name: fmt.Sprint(i)}, queue: r.IntN(3)}
			jobs[i].rank = rank(r.IntN(2))
			if jobs[i].queue == 0 {
				jobs[i].Priority = r.IntN(4) - 1
			}
		}
		slices.SortStableFunc(jobs, higherRank)
		before := slices.Clone(jobs)
		postponeLowerPriority(jobs, func(j *trainee) int { return int(j.rank) })
		was := func(j *trainee) int { return slices.Index(before, j) }
		for i, j := range jobs {
			if !slices.Contains(before, j) {
				t.Fatalf("seed %d: a job is lost", seed)
			}
			for _, behind := range jobs[i+1:] {
				switch {
				case behind.rank < j.rank:
					t.Errorf("seed %d: a better rank goes behind", seed)
				case behind.queue == j.queue && behind.rank == j.rank && behind.Priority > j.Priority:
					t.Errorf("seed %d: priority %d goes before %d", seed, j.Priority, behind.Priority)
				case j.queue == 0 && behind.queue != 0 && was(behind) < was(j):
					t.Errorf("seed %d: a job goes before one of another queue for its priority", seed)
				case j.queue == behind.queue && j.Priority == behind.Priority && was(behind) < was(j):
					t.Errorf("seed %d: two of the same priority change places", seed)
				}
			}
		}
	}
}

// Jobs of one priority are decided on as if there were none.
func TestEqualPrioritiesDecideNothing(t *testing.T) {
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 1))
		s := someCluster(r)
		for n := range 1 + r.IntN(12) {
			s.Jobs = append(s.Jobs, vague(r, someJob(r, n, s.Now, s.Queues)))
		}
		if seed%2 == 0 {
			s, _ = s.after(Plan(s))
			s.Now++
		}
		of := map[string]int{}
		for _, q := range s.Queues {
			of[q.Name] = r.IntN(5) - 2 // each queue may count in its own way
		}
		same := s
		same.Jobs = slices.Clone(s.Jobs)
		for i := range same.Jobs {
			same.Jobs[i].Priority = of[same.Jobs[i].Queue]
		}
		if !reflect.DeepEqual(Plan(s), Plan(same)) {
			t.Errorf("seed %d: another decision", seed)
		}
	}
}

// TestStoryHistoriesOfPriorities is TestStoryHistories of jobs with priorities: what is promised is kept all the same.
func TestStoryHistoriesOfPriorities(t *testing.T) {
	t.Parallel()
	promised, seeds := 0, extent.Seeds(t, 90)
	for _, seed := range seeds {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			r := rand.New(rand.NewPCG(seed, 7))
			w := newWorld(t, r, someCluster(r))
			for n := range 30 {
				j := someJob(r, n, w.Now, w.Queues)
				if j.Priority = r.IntN(3); r.IntN(4) == 0 {
					j = w.hide(j)
				}
				w.Jobs = append(w.Jobs, j)
				w.run(w.Now + Seconds(r.ExpFloat64()*100))
			}
			w.run(forever)
			promised += w.keepsPromises(t)
		})
	}
	if promised < 5*len(seeds) {
		t.Errorf("only %d promises were made: this proves little", promised)
	}
}

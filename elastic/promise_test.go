package elastic

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/takt-dev/takt/e2e/lib/extent"
)

// TestStoryHistories follows random jobs through random clusters: whatever is promised is kept, and the
// other rules that broken and plan know of hold all the time.
func TestStoryHistories(t *testing.T) {
	t.Parallel()
	promised, declined, seeds := 0, 0, extent.Seeds(t, 150)
	for _, seed := range seeds {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			r := rand.New(rand.NewPCG(seed, 0))
			w := newWorld(t, r, someCluster(r))
			for n := range 40 {
				j := someJob(r, n, w.Now, w.Queues)
				switch r.IntN(8) {
				case 0, 1:
					j = w.hide(j)
				case 2:
					j = w.hope(j)
				default:
					j = roams(r, j, w.Queues)
				}
				w.Jobs = append(w.Jobs, j)
				w.lend(n)
				w.run(w.Now + Seconds(r.ExpFloat64()*100))
			}
			w.run(forever)
			promised += w.keepsPromises(t)
			declined += 40 - len(w.promised)
		})
	}
	t.Logf("%d promises kept; %d jobs without a promise", promised, declined)
	if promised < 10*len(seeds) {
		t.Errorf("only %d promises were made: this proves little", promised)
	}
}

// lend has the owner of a job that runs say now and then that it is not to be interrupted any more. That may cost it a
// promise for which it was still to grow.
func (w *world) lend(n int) {
	w.Jobs = slices.Clone(w.Jobs)
	for i := range w.Jobs {
		if j := &w.Jobs[i]; (n+i)%11 == 0 && j.Workers > 0 && !j.Uninterruptible && !j.Lent {
			j.Lent = true
			if j.Promised && slices.ContainsFunc(j.Reserved, func(s Span) bool { return s.Workers > j.Workers }) {
				w.forgone[j.Name] = true
			}
		}
	}
}

// keepsPromises counts the promises that were made: each was kept, and none was ever at risk.
func (w *world) keepsPromises(t *testing.T) int {
	t.Helper()
	for name, deadline := range w.promised {
		if w.forgone[name] {
			continue
		}
		if at, ok := w.finished[name]; !ok || at > deadline+rounding {
			t.Errorf("%s was promised %v and finished at %v", name, deadline, at)
		}
		if w.warned[name] {
			t.Errorf("the promise to %s was at risk", name)
		}
	}
	return len(w.promised)
}

// TestStoryTroubledHistories has nodes that fail, pods of others that come and go, workers of several GPUs,
// and estimates that change. Then a promise may be broken, but not without a word.
func TestStoryTroubledHistories(t *testing.T) {
	t.Parallel()
	promised, late, plans, restless, seeds := 0, 0, 0, 0, extent.Seeds(t, 120)
	for _, seed := range seeds {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			r := rand.New(rand.NewPCG(seed, 2))
			w := newWorld(t, r, someCluster(r))
			w.places = r.IntN(2) == 0
			for n := range 40 {
				j := vague(r, someJob(r, n, w.Now, w.Queues))
				j.Uninterruptible = false // whose node is lost has to be
				if r.IntN(3) == 0 {
					j.GPUsPerWorker = 2
				}
				switch {
				case r.IntN(4) == 0:
					j = w.hide(j)
				case n%10 == 0:
					j = w.hope(j)
				default:
					j = roams(r, j, w.Queues)
				}
				w.Jobs = append(w.Jobs, j)
				w.trouble()
				w.run(w.Now + Seconds(r.ExpFloat64()*100))
			}
			for name, deadline := range w.promised {
				if at, ok := w.finished[name]; ok {
					promised++
					if at > deadline+rounding {
						late++
						if !w.warned[name] {
							t.Errorf("%s was promised %v and finished at %v, and nobody was told", name, deadline, at)
						}
					}
				}
			}
			plans, restless = plans+w.plans, restless+w.restless
		})
	}
	t.Logf("%d promises, %d of them late; %d of %d plans did not settle soon", promised, late, restless, plans)
	if promised < 3*len(seeds) || late == 0 && !testing.Short() {
		t.Error("this proves little")
	}
	if restless*1000 > plans && !testing.Short() {
		t.Errorf("%d of %d plans did not settle soon", restless, plans)
	}
}

// trouble is what may happen any time.
func (w *world) trouble() {
	r := w.random
	switch r.IntN(6) {
	case 0: // pods of others wait for GPUs, or no longer do
		w.Demands = []Demand{{GPUs: GPUs(r.IntN(6))}, {Pool: "fast", GPUs: GPUs(r.IntN(4))}}
		if gpus := w.Demands[0].GPUs; gpus > 1 && w.places {
			w.Demands[0].Pods = []Pod{{GPUs: gpus}}
		}
	case 1:
		w.Demands = nil
	case 2: // a node fails, with the workers that are on it
		if len(w.Nodes) > 2 {
			w.lose(r.IntN(len(w.Nodes)))
		}
	case 3: // a node is added
		w.Nodes = append(slices.Clone(w.Nodes), Node{Name: fmt.Sprintf("later-%g", w.Now), GPUs: GPUs(1 + r.IntN(8))})
	case 4: // a job is not as fast as it seemed
		if len(w.Jobs) > 0 {
			j := &w.Jobs[r.IntN(len(w.Jobs))]
			j.Sizes = slices.Clone(j.Sizes)
			slower := Speed(0.6 + 0.5*r.Float64())
			for i := range j.Sizes {
				j.Sizes[i].Speed *= slower
				j.Sizes[i].Expected *= slower
				j.Sizes[i].Best *= slower
			}
		}
	}
}

func (w *world) lose(node int) {
	name := w.Nodes[node].Name
	w.Nodes = slices.Delete(slices.Clone(w.Nodes), node, node+1)
	for i := range w.Jobs {
		j := &w.Jobs[i]
		if slices.Contains(j.On, name) {
			j.On = slices.DeleteFunc(slices.Clone(j.On), func(on string) bool { return on == name })
			j.Workers, j.BusyUntil = Workers(len(j.On)), w.Now+j.Pause
		}
	}
}

// TestStoryHundreds has so many deadlines that timelines are coarse.
func TestStoryHundreds(t *testing.T) {
	t.Parallel()
	nodes, jobs := 40, 800
	if testing.Short() {
		nodes, jobs = 16, 320
	}
	r := rand.New(rand.NewPCG(3, 0))
	w := newWorld(t, r, Snapshot{Queues: []Queue{{Name: "a"}, {Name: "b", Guaranteed: 50}}})
	for i := range nodes {
		w.Nodes = append(w.Nodes, Node{Name: fmt.Sprintf("node-%d", i), GPUs: 8})
	}
	for n := range jobs {
		w.Jobs = append(w.Jobs, someJob(r, n, 0, w.Queues))
	}
	w.run(25)
	for name, deadline := range w.promised {
		at, ok := w.finished[name]
		if w.warned[name] || ok && at > deadline+rounding || !ok && w.Now > deadline {
			t.Errorf("%s was promised %v and finished at %v", name, deadline, at)
		}
	}
	if len(w.promised) < jobs/16 || len(w.finished) < jobs/80 {
		t.Errorf("%d promises, %d jobs finished: this proves little", len(w.promised), len(w.finished))
	}
}

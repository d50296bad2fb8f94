package policies

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/takt-dev/takt/simulator"
)

// TestEveryPolicy plays made-up jobs on a cluster whose nodes fail, and of which nothing is
// known at first. The engine refuses a policy that
// gives out more GPUs than there are, or sizes that were not measured.
func TestEveryPolicy(t *testing.T) {
	models := []string{"linear", "single", "pair", "whole", "poor", "bent"}
	random := rand.New(rand.NewPCG(7, 7))
	var jobs []simulator.Job
	now := simulator.Seconds(0)
	for i := range 300 {
		now += simulator.Seconds(random.IntN(80))
		deadline := now + simulator.Seconds(random.IntN(3000)-200)
		if random.IntN(4) == 0 {
			deadline = 0
		}
		model := models[random.IntN(len(models))]
		work := simulator.Iterations(1 + random.IntN(800))
		jobs = append(jobs, job(fmt.Sprint(i), model, now, deadline, work, 1+random.IntN(5)))
	}
	for _, name := range Names() {
		t.Run(name, func(t *testing.T) {
			once, again := hardship(t, name, jobs), hardship(t, name, jobs)
			if diff := cmp.Diff(once, again); diff != "" {
				t.Errorf("two runs differ: %s", diff)
			}
		})
	}
}

// slow is a predictor that knows nothing of a job in its first seconds.
type slow struct{ simulator.Predictor }

func (p slow) Watch(now simulator.Seconds, jobs []*simulator.Training) simulator.Seconds {
	const silent = 20
	var old []*simulator.Training
	wake := simulator.Never
	for _, t := range jobs {
		if t.Submit+silent <= now {
			old = append(old, t)
		} else {
			wake = min(wake, t.Submit+silent)
		}
	}
	return min(wake, p.Predictor.Watch(now, old))
}

// hardship tells all changes of size of a run.
func hardship(t *testing.T, policy string, jobs []simulator.Job) []string {
	t.Helper()
	p, err := New(policy)
	if err != nil {
		t.Fatal(err)
	}
	cluster := simulator.Cluster{
		GPUs: 14, GPUsPerNode: 4, ResizeCost: 10,
		Failures: simulator.Failures{MTBF: 4000, Repair: 900, Checkpoint: 100, Seed: 3},
	}
	var predictor simulator.Predictor = simulator.NewOracle(speedsOf, 0.2, 5)
	if policy != "takt" { // it is the planner's own tests that show what it makes of unknown jobs
		predictor = slow{predictor}
	}
	history, err := cluster.Run(jobs, speedsOf, predictor, p)
	if err != nil {
		t.Fatal(err)
	}
	for _, t2 := range history.Jobs {
		if t2.BestEffort() && t2.Left > 0 {
			t.Errorf("the best-effort job %s is never finished", t2.ID)
		}
	}
	var changes []string
	for _, c := range history.Changes {
		changes = append(changes, fmt.Sprintf("%.6f %s %d", c.At, c.Job.ID, c.Size))
	}
	return changes
}

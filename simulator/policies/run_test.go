package policies

import (
	"math"
	"testing"

	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/simulator"
)

// believed is a predictor that takes every job to be faster than it is by a factor.
type believed struct {
	speeds func(simulator.Job) simulator.Speeds
	factor float64
}

func (b believed) Watch(_ simulator.Seconds, jobs []*simulator.Training) simulator.Seconds {
	for _, t := range jobs {
		t.Curve = nil
		for size := range 64 {
			if speed := b.speeds(t.Job)[size] * b.factor; speed > 0 {
				t.Curve = append(t.Curve, elastic.Size{Workers: elastic.Workers(size), Speed: elastic.Speed(speed),
					Expected: elastic.Speed(speed)})
			}
		}
	}
	return simulator.Seconds(math.Inf(1))
}

// The speeds of the jobs that the tests make up, by model.
var speeds = map[string]simulator.Speeds{
	"linear": {1: 1, 2: 2, 4: 4},
	"single": {1: 1},
	"pair":   {2: 1},
	"whole":  {4: 1},
	"poor":   {1: 1, 2: 1.1, 4: 1},
	"bent":   {1: 10, 2: 8, 4: 30},
}

func speedsOf(job simulator.Job) simulator.Speeds { return speeds[job.Model] }

// job makes a job; a deadline of zero is none.
func job(id, model string, submit, deadline simulator.Seconds, work simulator.Iterations, gpus int) simulator.Job {
	if deadline == 0 {
		deadline = simulator.Never
	}
	return simulator.Job{ID: id, Model: model, Submit: submit, Deadline: deadline, Work: work, GPUs: gpus}
}

// play runs jobs on four GPUs under a policy.
func play(t *testing.T, policy string, cost simulator.Seconds, factor float64, jobs ...simulator.Job) (
	simulator.History, map[string]*simulator.Training,
) {
	t.Helper()
	p, err := New(policy)
	if err != nil {
		t.Fatal(err)
	}
	cluster := simulator.Cluster{GPUs: 4, GPUsPerNode: 4, ResizeCost: cost}
	history, err := cluster.Run(jobs, speedsOf, believed{speedsOf, factor}, p)
	if err != nil {
		t.Fatal(err)
	}
	byID := map[string]*simulator.Training{}
	for _, t := range history.Jobs {
		byID[t.ID] = t
	}
	return history, byID
}

// size is how many GPUs a job has just after a moment.
func size(h simulator.History, id string, at simulator.Seconds) int {
	gpus := 0
	for _, c := range h.Changes {
		if c.Job.ID == id && c.At <= at {
			gpus = c.Size
		}
	}
	return gpus
}

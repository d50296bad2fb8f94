package page

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/takt-dev/takt/simulator"
)

// never is the deadline of jobs that have none, and when jobs end that do not.
var never = simulator.Never

// restless is a policy that gives out sizes at random, and promises what it pleases.
type restless struct {
	random *rand.Rand
	gpus   int
}

func (p restless) Decide(s simulator.State) simulator.Seconds {
	free := s.GPUs
	for _, t := range s.Jobs {
		t.Want = min(p.random.IntN(p.gpus/2), free)
		free -= t.Want
		t.Promised = t.Promised || p.random.IntN(4) == 0
		t.Declined = !t.Promised
	}
	return s.Now + 600
}

type nothing struct{}

func (nothing) Watch(simulator.Seconds, []*simulator.Training) simulator.Seconds { return never }

// madeUp runs jobs at random under the restless policy.
func madeUp(t testing.TB, jobs, gpus int, cost simulator.Seconds, seed uint64) Run {
	t.Helper()
	random := rand.New(rand.NewPCG(seed, 1))
	speeds := simulator.Speeds{}
	for size := range gpus {
		speeds[size+1] = float64(size + 1)
	}
	var list []simulator.Job
	at := simulator.Seconds(1e6)
	for i := range jobs {
		at += simulator.Seconds(random.ExpFloat64() * 1800)
		job := simulator.Job{
			ID: fmt.Sprintf("job-%04d", i), Model: "bert", Submit: at, Deadline: at + simulator.Seconds(600+random.IntN(7200)),
			Work: simulator.Iterations(1 + random.Float64()*600*float64(gpus)),
		}
		if i%5 == 0 {
			job.Deadline = never
		}
		list = append(list, job)
	}
	history, err := simulator.Cluster{GPUs: gpus, GPUsPerNode: 8, ResizeCost: cost}.Run(list,
		func(simulator.Job) simulator.Speeds { return speeds }, nothing{}, restless{random, gpus})
	if err != nil {
		t.Fatal(err)
	}
	return Run{history.Result("restless", simulator.Bound{Jobs: jobs}, 0, nil), history}
}

func training(id string, submit, deadline, end simulator.Seconds) *simulator.Training {
	return &simulator.Training{Job: simulator.Job{ID: id, Submit: submit, Deadline: deadline}, Finished: end}
}

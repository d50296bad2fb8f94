package crowd

import (
	"fmt"
	"math"
	"math/rand/v2"
	"time"

	"github.com/takt-dev/takt/e2e/extent"
	"github.com/takt-dev/takt/e2e/training"
	"github.com/takt-dev/takt/e2e/world"
)

const mostWorkers = 8

// startsWithin is what a user allows for pods to start, besides the restart that every start is. The jobs of
// the sample are so short that they must be allowed more for what a busy machine takes.
var startsWithin = extent.Of(30*time.Second, 10*time.Second)

// code is a piece of training code, of which there are many runs.
type code struct {
	name  string
	speed training.Speed
}

var codes = []code{
	{"resnet", training.Speed{Base: 100, Scaling: 0.95}},
	{"bert", training.Speed{Base: 20, Scaling: 0.85}},
	{"gpt", training.Speed{Base: 5, Scaling: 0.9}},
	{"dlrm", training.Speed{Base: 50, Scaling: 0.7}},
}

// order is a job that somebody wants done.
type order struct {
	name     string
	at       time.Duration // after the beginning
	code     code
	training training.Spec
	within   time.Duration // from then on: the deadline
}

// load is so many orders, one after the other as chance has it, always the same.
func load(count int, every time.Duration) []order {
	rng := rand.New(rand.NewPCG(128, 200))
	var orders []order
	at := time.Duration(0)
	for i := range count {
		at += time.Duration(rng.ExpFloat64() * float64(every))
		o := order{name: fmt.Sprintf("job-%03d", i), at: at, code: codes[rng.IntN(len(codes))]}
		alone := least.Seconds() * math.Exp(rng.Float64()*math.Log(8))
		o.training = world.Steps(math.Round(alone*o.code.speed.Of(1)), o.code.speed)
		tightness := 1.5 + 3.5*rng.Float64()
		o.within = (startsWithin + time.Duration(tightness*float64(o.takes(mostWorkers)))).Round(time.Second)
		orders = append(orders, o)
	}
	return orders
}

// together is a load of jobs that come together, whose code gains little by a second worker, and that have time: whoever
// gives each the workers that it asks for keeps the others waiting.
func together(count int) []order {
	const shortest = 20 * time.Second
	slow := code{"graph", training.Speed{Base: 50, Scaling: 0.5}}
	orders := load(count, time.Second)
	for i := range orders {
		alone := orders[i].training.Total / orders[i].code.speed.Of(1) * shortest.Seconds() / least.Seconds()
		orders[i].code, orders[i].training = slow, world.Steps(math.Round(alone*slow.speed.Of(1)), slow.speed)
		orders[i].within = 10 * time.Minute
	}
	return orders
}

// takes is how long the training takes with so many workers, from when they are there.
func (o order) takes(workers int) time.Duration {
	return o.training.Restart.Duration + time.Duration(o.training.Total/o.training.StepsPerSecond.Of(workers)*float64(time.Second))
}

// fixed is the size that a user would ask for who knows the speeds exactly: the smallest that meets
// the deadline if the job starts at once.
func (o order) fixed() int {
	for workers := 1; workers < mostWorkers; workers++ {
		if startsWithin+o.takes(workers) <= o.within {
			return workers
		}
	}
	return mostWorkers
}

// toDo says how much there is to do, before the training says so itself.
func (o order) toDo() map[string]string {
	return map[string]string{training.ProgressAnnotation: fmt.Sprintf("0/%.0f steps at %s", o.training.Total, time.Now().UTC().Format(time.RFC3339))}
}

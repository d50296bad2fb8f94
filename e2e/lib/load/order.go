package load

import (
	"fmt"
	"math"
	"math/rand/v2"
	"time"

	"github.com/takt-dev/takt/e2e/lib/training"
	"github.com/takt-dev/takt/e2e/lib/world"
)

// mostWorkers is how many workers a job may have.
const mostWorkers = 8

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

// Stream is how jobs come.
type Stream struct {
	Jobs int
	// Every is how long it takes from one to the next, in the mean.
	Every time.Duration
	// Shortest is how long the shortest job takes with one worker. The longest takes eight times as long.
	Shortest time.Duration
	// StartsWithin is what a user allows for pods to start, besides the restart that every start is.
	StartsWithin time.Duration
}

// Order is a job that somebody wants done.
type Order struct {
	Name     string
	At       time.Duration // after the beginning
	Code     string        // of which there are other runs
	Training training.Spec
	Within   time.Duration // from then on: the deadline

	startsWithin time.Duration
}

// Orders are those of the stream, one after the other as chance has it, always the same.
func (s Stream) Orders() []Order {
	rng := rand.New(rand.NewPCG(128, 200))
	var orders []Order
	at := time.Duration(0)
	for i := range s.Jobs {
		at += time.Duration(rng.ExpFloat64() * float64(s.Every))
		from := codes[rng.IntN(len(codes))]
		o := Order{Name: fmt.Sprintf("job-%03d", i), At: at, Code: from.name, startsWithin: s.StartsWithin}
		alone := s.Shortest.Seconds() * math.Exp(rng.Float64()*math.Log(8))
		o.Training = world.Steps(math.Round(alone*from.speed.Of(1)), from.speed)
		tightness := 1.5 + 3.5*rng.Float64()
		o.Within = (s.StartsWithin + time.Duration(tightness*float64(o.takes(mostWorkers)))).Round(time.Second)
		orders = append(orders, o)
	}
	return orders
}

// takes is how long the training takes with so many workers, from when they are there.
func (o Order) takes(workers int) time.Duration {
	return o.Training.Restart.Duration + time.Duration(
		o.Training.Total/o.Training.StepsPerSecond.Of(workers)*float64(time.Second))
}

// Fixed is the size that a user would ask for who knows the speeds exactly: the smallest that meets
// the deadline if the job starts at once.
func (o Order) Fixed() int {
	for workers := 1; workers < mostWorkers; workers++ {
		if o.startsWithin+o.takes(workers) <= o.Within {
			return workers
		}
	}
	return mostWorkers
}

// Elastic is the job as somebody submits it who lets Takt choose its size.
func (o Order) Elastic() world.Job {
	return world.Job{
		Workers: 1, Max: mostWorkers, Suspended: true, Training: o.Training,
		Deadline: o.Within.String(), Profile: o.Code, Annotations: o.toDo(),
	}
}

// toDo says how much there is to do, before the training says so itself.
func (o Order) toDo() map[string]string {
	return map[string]string{training.ProgressAnnotation: fmt.Sprintf("0/%.0f steps at %s", o.Training.Total,
		time.Now().UTC().Format(time.RFC3339))}
}

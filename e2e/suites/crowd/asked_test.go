package crowd

import (
	"math"
	"testing"
	"time"

	"github.com/takt-dev/takt/e2e/lib/extent"
	"github.com/takt-dev/takt/e2e/lib/load"
	"github.com/takt-dev/takt/e2e/lib/training"
	"github.com/takt-dev/takt/e2e/lib/world"
)

// asked is how many workers people ask for. With more of them, kube-scheduler would come to a halt here: workers of
// jobs hold all GPUs whose first worker waits for one.
const asked = 2

// People ask for workers without knowing what these bring. The same jobs come to kube-scheduler with the size that was
// asked for, and to Takt with a range: of all jobs, none is to wait for longer or to end later, in the mean and of 95
// of 100.
//
// Of fixed sizes a training begins with those of its workers for which there is room, and takes the others in later:
// one that waited for all of them would wait for longer.
func TestJobsThatComeTogetherWaitLessAndEndSooner(t *testing.T) {
	if !extent.Long() {
		t.Skip("make test-long plays it: it takes six minutes")
	}
	const nodes = 16
	orders := together(36)
	fixed, takt := beside(t, orders, nodes, func(o load.Order) world.Job {
		o.Training.Silent = true // nobody listens
		return world.Job{Workers: asked, Training: o.Training}
	})
	if t.Failed() {
		return
	}
	t.Logf("%d jobs that ask for %d workers, on %d nodes with a GPU each:\n  kube-scheduler: %s\n  Takt:           %s",
		len(orders), asked, nodes, fixed, takt)
	for what, of := range map[string]struct{ takt, fixed time.Duration }{
		"wait, in the mean":           {takt.waited.Mean(), fixed.waited.Mean()},
		"wait, 95 of 100":             {takt.waited.P95(), fixed.waited.P95()},
		"take to end, in the mean":    {takt.ended.Mean(), fixed.ended.Mean()},
		"take to end, 95 of 100 jobs": {takt.ended.P95(), fixed.ended.P95()},
	} {
		if of.takt >= of.fixed {
			t.Errorf("with Takt jobs %s, %v, and without it %v", what, of.takt, of.fixed)
		}
	}
	if takt.met < fixed.met {
		t.Errorf("with Takt %d deadlines are met, without it %d", takt.met, fixed.met)
	}
}

// together is a load of jobs that come together, whose code gains little by a second worker, and that have time:
// whoever gives each the workers that it asks for keeps the others waiting. They are more than twice as many as there
// are GPUs: of fewer, the last to end are the longest, which take as long with whoever starts them at once.
func together(count int) []load.Order {
	slow := training.Speed{Base: 50, Scaling: 0.5}
	orders := load.Stream{Jobs: count, Every: time.Second, Shortest: 20 * time.Second}.Orders()
	for i, o := range orders {
		alone := o.Training.Total / o.Training.StepsPerSecond.Of(1)
		orders[i].Code, orders[i].Training = "graph", world.Steps(math.Round(alone*slow.Of(1)), slow)
		orders[i].Within = 10 * time.Minute
	}
	return orders
}

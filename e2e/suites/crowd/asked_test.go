package crowd

import (
	"testing"
	"time"

	"github.com/takt-dev/takt/e2e/extent"
	"github.com/takt-dev/takt/e2e/world"
)

// asked is how many workers people ask for. With more of them, kube-scheduler would come to a halt here: workers of jobs
// hold all GPUs whose first worker waits for one.
const asked = 2

// People ask for workers without knowing what these bring. The same jobs come to kube-scheduler with the size that was
// asked for, and to Takt with a range: of all jobs, none is to wait for longer or to end later, in the mean and of 95 of
// 100.
//
// Of fixed sizes a training begins with those of its workers for which there is room, and takes the others in later: one
// that waited for all of them would wait for longer.
func TestJobsThatComeTogetherWaitLessAndEndSooner(t *testing.T) {
	if !extent.Long() {
		t.Skip("make test-long plays it: it takes four minutes")
	}
	const nodes = 16
	orders := together(24)
	fixed, takt := beside(t, orders, nodes, func(o order) world.Job {
		o.training.Silent = true // nobody listens
		return world.Job{Workers: asked, Training: o.training}
	})
	if t.Failed() {
		return
	}
	t.Logf("%d jobs that ask for %d workers, on %d nodes with a GPU each:\n  kube-scheduler: %s\n  Takt:           %s", len(orders), asked, nodes, fixed, takt)
	for what, of := range map[string]struct{ takt, fixed time.Duration }{
		"wait, in the mean":           {takt.waited.mean(), fixed.waited.mean()},
		"wait, 95 of 100":             {takt.waited.p95(), fixed.waited.p95()},
		"take to end, in the mean":    {takt.ended.mean(), fixed.ended.mean()},
		"take to end, 95 of 100 jobs": {takt.ended.p95(), fixed.ended.p95()},
	} {
		if of.takt >= of.fixed {
			t.Errorf("with Takt jobs %s, %v, and without it %v", what, of.takt, of.fixed)
		}
	}
	if takt.met < fixed.met {
		t.Errorf("with Takt %d deadlines are met, without it %d", takt.met, fixed.met)
	}
}

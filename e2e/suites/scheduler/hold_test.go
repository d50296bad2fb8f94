package scheduler

import (
	"strings"
	"testing"

	"github.com/takt-dev/takt/e2e/lib/world"
)

// Some pods of a gang hold their nodes, and the last does not come to its own in time. All let go, and nothing is
// bound; the last, which comes too late, is not bound either. Then they are placed together.
func TestSchedulerHoldsNodesForALimitedTime(t *testing.T) {
	t.Parallel()
	w := world.New(t, world.Options{})
	w.Nodes(2, 4)
	gate := keepGate(t, 1, "big-worker-5")
	s := scheduled(t, w, gate.configured, func(_, args object) { args["gangs"].(object)["hold"] = "2s" })
	big := gang(t, w, change{job: "big", to: 8})
	gate.await(w)
	w.Eventually("the time is over", world.Soon, func() error {
		if !strings.Contains(s.Said(), "not all pods of the gang came to their nodes in time") {
			return errNotThere
		}
		return nil
	})
	if n := bound(w, big); n > 0 {
		t.Errorf("%d pods are bound", n)
	}
	gate.open()
	placed(w, big)
	neverInPart(t, w, big)
}

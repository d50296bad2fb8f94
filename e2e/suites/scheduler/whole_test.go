package scheduler

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/takt-dev/takt/e2e/lib/world"
)

func TestSchedulerHoldsNothingForAGangOf8On7GPUs(t *testing.T) {
	t.Parallel()
	w := world.New(t, world.Options{})
	w.Nodes(2, 4)
	scheduled(t, w)
	plain(w, "other", 1)
	w.Eventually("another pod has a GPU", world.Soon, func() error { return onNode(w, "other") })

	big := gang(t, w, change{job: "big", to: 8})
	said := told(w, big, 7)
	for _, part := range []string{"7 of 8 new pods fit", "2 Insufficient nvidia.com/gpu", w.Namespace + "/other has 1"} {
		if !strings.Contains(said.Message, part) {
			t.Errorf("the Resize says %q, which does not say %q", said.Message, part)
		}
	}
	small := gang(t, w, change{job: "small", to: 7})
	placed(w, small) // so nothing is held, and what comes behind is not blocked
	if n := bound(w, big); n > 0 {
		t.Errorf("%d of its pods are bound", n)
	}
	end(t, w, small)
	told(w, big, 7)
	if err := w.Client.Delete(t.Context(), w.Pod("other")); err != nil {
		t.Fatal(err)
	}
	placed(w, big)
	if said := told(w, big, 8); !strings.Contains(said.Message, "All 8 new pods fit: 4 on ") {
		t.Errorf("the Resize says %q", said.Message)
	}
	neverInPart(t, w, big, small)
}

func TestSchedulerPlacesOneOfTwoGangsOf5On8GPUs(t *testing.T) {
	t.Parallel()
	w := world.New(t, world.Options{})
	w.Nodes(2, 4)
	scheduled(t, w)
	// The pods of both come by turns.
	a, b := change{job: "a", to: 5}, change{job: "b", to: 5}
	propose(t, w, &a)
	propose(t, w, &b)
	for i := range 5 {
		a.makePod(w, i)
		b.makePod(w, i)
	}
	var first, second change
	w.Eventually("one of them is placed", world.Soon, func() error {
		if first, second = a, b; bound(w, b) == 5 {
			first, second = b, a
		}
		return world.Want("pods with a node", bound(w, first), 5)
	})
	told(w, second, 3)
	w.Steadily("the other has nothing", 2*time.Second, func() error {
		return world.Want("pods with a node", bound(w, second), 0)
	})
	end(t, w, first)
	placed(w, second)
	neverInPart(t, w, a, b)
}

var errNoNode = errors.New("it has no node")

func onNode(w *world.World, name string) error {
	if w.Pod(name).Spec.NodeName == "" {
		return errNoNode
	}
	return nil
}

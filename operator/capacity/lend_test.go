package capacity

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"

	"github.com/takt-dev/takt/elastic"
)

// What workers hold on a node of another pool counts once, and never more than there is.
func TestWhatIsLentCountsInTheOtherPool(t *testing.T) {
	s := read([]*corev1.Node{someNode("a"), someNode("b", tainted("upkeep", "", corev1.TaintEffectNoSchedule)),
		someNode("c", unlabelled)}, worker("w", "b"))
	s.Lend("b", "A100", 2)
	s.Lend("b", "A100", 3)
	s.Lend("b", "", 99)
	s.Lend("nowhere", "A100", 1)
	want := []elastic.Node{
		{Name: "a", Pool: "A100", GPUs: 8}, {Name: "b", Pool: "A100 (upkeep)"}, {Name: "b in ", GPUs: 3},
		{Name: "b in A100", Pool: "A100", GPUs: 5}, {Name: "c", GPUs: 8},
	}
	if diff := cmp.Diff(want, s.Nodes); diff != "" {
		t.Errorf("nodes (-want +got):\n%s", diff)
	}
	for pool, want := range map[string]string{"A100": "b in A100", "A100 (upkeep)": "b"} {
		if got := s.CountsAs("b", pool); got != want {
			t.Errorf("in pool %q it counts as %q, want %q", pool, got, want)
		}
	}
}

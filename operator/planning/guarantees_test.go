package planning

import (
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/operator/capacity"
	"github.com/takt-dev/takt/shares"
)

// What a queue is guaranteed is divided among the kinds of GPUs. There may be enough of all together, and too few of
// one.
func TestAQueueSaysWhichGPUsAreTooFewForItsGuarantee(t *testing.T) {
	sc := &Scene{
		Supply: &capacity.Supply{Nodes: []elastic.Node{{Name: "a", Pool: "A100", GPUs: 1}, {Name: "t", Pool: "T4", GPUs: 1}}},
	}
	for _, name := range []string{"research", "vision"} {
		sc.queues = append(sc.queues, &v1alpha1.TrainingQueue{
			ObjectMeta: metav1.ObjectMeta{Name: name}, Spec: v1alpha1.TrainingQueueSpec{Guaranteed: new(int32(1))},
		})
	}
	sc.Snapshot.Queues = shares.Of(sc.queues, sc.Supply.Nodes)
	for _, name := range []string{"research", "vision"} {
		if got := tooMuchGuaranteed(sc, name); !strings.HasPrefix(got,
			"Of A100 all queues together are guaranteed 2 GPUs, and the nodes have 1 ") {
			t.Errorf("%s says: %s", name, got)
		}
	}
	sc.Supply.Nodes[0].GPUs = 2
	if got := tooMuchGuaranteed(sc, "vision"); got != "" {
		t.Errorf("with one GPU more it says: %s", got)
	}
}

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

// What queues are guaranteed is divided among the kinds of GPUs, for all of them together: where there is enough for
// all, there is enough of each kind.
func TestAQueueSaysWhetherThereAreTooFewGPUsForItsGuarantee(t *testing.T) {
	sc := &Scene{
		Supply: &capacity.Supply{Nodes: []elastic.Node{{Name: "a", Pool: "A100", GPUs: 1}, {Name: "t", Pool: "T4", GPUs: 1}}},
	}
	for _, name := range []string{"research", "vision"} {
		sc.queues = append(sc.queues, &v1alpha1.TrainingQueue{ObjectMeta: metav1.ObjectMeta{Name: name}})
	}
	for guaranteed, want := range map[int32]string{
		1: "", 2: "All queues together are guaranteed 4 GPUs, and the nodes have 2 ",
	} {
		for _, queue := range sc.queues {
			queue.Spec.Guaranteed = &guaranteed
		}
		sc.Snapshot.Queues = shares.Of(sc.queues, sc.Supply.Nodes)
		for _, name := range []string{"research", "vision"} {
			if got := tooMuchGuaranteed(sc, name); !strings.HasPrefix(got, want) || want == "" && got != "" {
				t.Errorf("%s, which is guaranteed %d, says: %s", name, guaranteed, got)
			}
		}
	}
}

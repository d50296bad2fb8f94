package shares

import (
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic"
)

// What is guaranteed to all queues together is no more than a pool has, where it is no more than all pools have.
func TestGuaranteesAreRoundedTogether(t *testing.T) {
	var queues []*v1alpha1.TrainingQueue
	for _, name := range []string{"c", "a", "b"} {
		queues = append(queues, &v1alpha1.TrainingQueue{ObjectMeta: metav1.ObjectMeta{Name: name},
			Spec: v1alpha1.TrainingQueueSpec{Guaranteed: new(int32(5)), Limit: new(int32(7))}})
	}
	nodes := []elastic.Node{{Name: "n", Pool: "A100", GPUs: 8}, {Name: "m", Pool: "H100", GPUs: 8}}
	guaranteed, all := map[string]elastic.GPUs{}, map[string]elastic.GPUs{}
	for _, q := range Of(queues, nodes) {
		guaranteed[q.Pool] += q.Guaranteed
		all[q.Name] += q.Guaranteed
		if *q.Limit < 3 || *q.Limit > 4 {
			t.Errorf("queue %s may have %d of pool %s", q.Name, *q.Limit, q.Pool)
		}
	}
	if guaranteed["A100"] != 8 || guaranteed["H100"] != 7 {
		t.Errorf("15 GPUs are guaranteed of two pools with 8 each: %v", guaranteed)
	}
	for name, gpus := range all {
		if gpus != 5 {
			t.Errorf("queue %s is guaranteed %d", name, gpus)
		}
	}
}

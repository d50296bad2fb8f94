package planning_test

import (
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"github.com/takt-dev/takt/operator/fixture"
)

// A node that has joined has GPUs before it says which: a job that began there then would be bound to no product. Where
// no node says it, none is waited for.
func TestANodeIsNotUsedBeforeItIsKnownWhichGPUsItHas(t *testing.T) {
	const label = "nvidia.com/gpu.product"
	for name, test := range map[string]struct {
		other map[string]string // labels of a node that has been there for long
		age   time.Duration
		want  bool
	}{
		"it has just joined":              {map[string]string{label: "T4"}, time.Minute, false},
		"it has been there for a while":   {map[string]string{label: "T4"}, 11 * time.Minute, true},
		"nobody says what its GPUs are":   {map[string]string{}, time.Minute, true},
		"it joins as the clock goes back": {map[string]string{label: "T4"}, -time.Minute, false},
	} {
		t.Run(name, func(t *testing.T) {
			fresh, other := fixture.Node("fresh", "8"), fixture.Node("other", "0")
			fresh.Labels, fresh.CreationTimestamp = nil, metav1.NewTime(fixture.Start.Add(-test.age))
			other.Labels = test.other
			other.Status.Capacity = corev1.ResourceList{"nvidia.com/gpu": fresh.Status.Capacity["nvidia.com/gpu"]}
			o := fixture.Stopped(t, interceptor.Funcs{}, fresh, other, fixture.ElasticJob("resnet", fixture.BestEffort),
				fixture.PyTorchJob("resnet", 4, fixture.SuspendedAtFirst))
			o.Now = func() time.Time { return fixture.Start }
			o.Furnish()
			fixture.Plans(t, o)
			if starts := len(fixture.ResizesOf(t, o)) > 0; starts != test.want {
				t.Errorf("it starts: %t", starts)
			}
		})
	}
}

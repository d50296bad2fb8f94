package planning_test

import (
	"slices"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/operator/fixture"
	"github.com/takt-dev/takt/operator/shorthand"
)

// What jobs have whose size stays counts towards what their queue may have, and is guaranteed, whatever pool it is of.
func TestWhatIsHeldCountsTowardsTheLimitOfItsQueue(t *testing.T) {
	other := fixture.Node("other", "8")
	other.Labels["nvidia.com/gpu.product"] = "H100"
	type share struct{ guaranteed, limit elastic.GPUs }
	for name, c := range map[string]struct {
		held  string
		nodes []client.Object
		want  map[string]share
	}{
		"nothing is held":     {"", nil, map[string]share{"A100": {4, 8}}},
		"six are":             {"yes", nil, map[string]share{"A100": {0, 2}}},
		"of one of two pools": {"yes", []client.Object{other}, map[string]share{"A100": {0, 0}, "H100": {0, 2}}},
	} {
		t.Run(name, func(t *testing.T) {
			job := fixture.PyTorchJob("resnet", 6)
			if c.held != "" {
				metav1.SetMetaDataAnnotation(&job.ObjectMeta, shorthand.HoldAnnotation, c.held)
			}
			ej := fixture.ElasticJob("resnet", func(ej *v1alpha1.ElasticJob) { ej.Spec.Queue = "research" })
			queue := &v1alpha1.TrainingQueue{ObjectMeta: metav1.ObjectMeta{Name: "research", UID: "research"},
				Spec: v1alpha1.TrainingQueueSpec{Guaranteed: new(int32(4)), Limit: new(int32(8))}}
			objects := append(fixture.CrewOn(job, "node", "node", "node", "node", "node", "node"), job, ej, queue,
				fixture.Node("node", "8"))
			o := fixture.Stopped(t, interceptor.Funcs{}, append(objects, c.nodes...)...)
			sc, err := o.Planner.Observe(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			for _, q := range sc.Snapshot.Queues {
				if want := c.want[q.Pool]; q.Name == "research" && (q.Guaranteed != want.guaranteed || *q.Limit != want.limit) {
					t.Errorf("of %s it is guaranteed %d, and may have %d, want %+v", q.Pool, q.Guaranteed, *q.Limit, want)
				}
			}
			if err := sc.Snapshot.Check(); err != nil {
				t.Error(err)
			}
		})
	}
}

// What queues are guaranteed is said as it is written, and what jobs have whose size stays is no pod of others.
func TestAQueueSaysThatHeldJobsKeepWhatItIsGuaranteed(t *testing.T) {
	for held, want := range map[int]string{
		4: "",
		8: "all queues together are guaranteed 8 GPUs, and 4 are left beside what jobs keep, as they are not to be ",
	} {
		job := fixture.PyTorchJob("resnet", int32(held))
		metav1.SetMetaDataAnnotation(&job.ObjectMeta, shorthand.HoldAnnotation, "yes")
		ej := fixture.ElasticJob("resnet", func(ej *v1alpha1.ElasticJob) { ej.Spec.Queue = "vision" })
		objects := append(fixture.CrewOn(job, slices.Repeat([]string{"node"}, held)...), job, ej, fixture.Node("node", "8"))
		for _, name := range []string{"research", "vision"} {
			objects = append(objects, &v1alpha1.TrainingQueue{ObjectMeta: metav1.ObjectMeta{Name: name, UID: types.UID(name)},
				Spec: v1alpha1.TrainingQueueSpec{Guaranteed: new(int32(4))}})
		}
		o := fixture.Stopped(t, interceptor.Funcs{}, objects...)
		o.Settings.Status.Every.Duration = 0
		o.Furnish()
		fixture.Plans(t, o)
		for _, name := range []string{"research", "vision"} {
			q := &v1alpha1.TrainingQueue{}
			if err := o.Client.Get(t.Context(), client.ObjectKey{Name: name}, q); err != nil {
				t.Fatal(err)
			}
			got := ""
			if c := meta.FindStatusCondition(q.Status.Conditions, v1alpha1.ConditionGuaranteed); c != nil {
				got = c.Message
			}
			if !strings.Contains(got, want) || want == "" && got != "" {
				t.Errorf("with %d held, %s says: %s", held, name, got)
			}
		}
	}
}

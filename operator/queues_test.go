package operator

import (
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/operator/capacity"
)

// A queue that cannot have what it is guaranteed says so, until it can.
func TestAQueueThatCannotHaveItsGuaranteeSaysSo(t *testing.T) {
	queue := func(name string, guaranteed int32) *v1alpha1.TrainingQueue {
		return &v1alpha1.TrainingQueue{ObjectMeta: metav1.ObjectMeta{Name: name, UID: types.UID(name)}, Spec: v1alpha1.TrainingQueueSpec{Guaranteed: &guaranteed}}
	}
	o := stopped(t, interceptor.Funcs{}, queue("research", 6), queue("vision", 3), queue("other", 0), gpuNode("node", "8"))
	o.settings.Status.Every.Duration = 0
	o.furnish()
	stored := func(name string) *v1alpha1.TrainingQueue {
		t.Helper()
		q := &v1alpha1.TrainingQueue{}
		if err := o.client.Get(t.Context(), client.ObjectKey{Name: name}, q); err != nil {
			t.Fatal(err)
		}
		return q
	}
	says := func(name string) string {
		t.Helper()
		plans(t, o)
		c := meta.FindStatusCondition(stored(name).Status.Conditions, v1alpha1.ConditionGuaranteed)
		if c == nil {
			return ""
		}
		return string(c.Status) + " " + c.Reason + ": " + c.Message
	}
	for _, name := range []string{"research", "vision"} {
		if got := says(name); !strings.HasPrefix(got, "False TooFewGPUs: All queues together are guaranteed 9 GPUs, and the nodes have 8") {
			t.Errorf("%s says: %s", name, got)
		}
	}
	if got := says("other"); got != "" {
		t.Errorf("one that is guaranteed nothing says: %s", got)
	}
	vision := stored("vision")
	vision.Spec.Guaranteed = new(int32(2))
	if err := o.client.Update(t.Context(), vision); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"research", "vision"} {
		if got := says(name); got != "" {
			t.Errorf("%s still says: %s", name, got)
		}
	}
}

// What a queue is guaranteed is divided among the kinds of GPUs. There may be enough of all together, and too few of one.
func TestAQueueSaysWhichGPUsAreTooFewForItsGuarantee(t *testing.T) {
	sc := &scene{supply: &capacity.Supply{Nodes: []elastic.Node{{Name: "a", Pool: "A100", GPUs: 1}, {Name: "t", Pool: "T4", GPUs: 1}}}}
	for _, name := range []string{"research", "vision"} {
		sc.queues = append(sc.queues, &v1alpha1.TrainingQueue{
			ObjectMeta: metav1.ObjectMeta{Name: name}, Spec: v1alpha1.TrainingQueueSpec{Guaranteed: new(int32(1))},
		})
	}
	sc.snapshot.Queues = capacity.Queues(sc.queues, sc.supply.Nodes)
	for _, name := range []string{"research", "vision"} {
		if got := tooMuchGuaranteed(sc, name); !strings.HasPrefix(got, "Of A100 all queues together are guaranteed 2 GPUs, and the nodes have 1 ") {
			t.Errorf("%s says: %s", name, got)
		}
	}
	sc.supply.Nodes[0].GPUs = 2
	if got := tooMuchGuaranteed(sc, "vision"); got != "" {
		t.Errorf("with one GPU more it says: %s", got)
	}
}

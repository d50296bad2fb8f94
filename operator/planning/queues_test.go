package planning_test

import (
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/operator/fixture"
)

// A queue that cannot have what it is guaranteed says so, until it can.
func TestAQueueThatCannotHaveItsGuaranteeSaysSo(t *testing.T) {
	queue := func(name string, guaranteed int32) *v1alpha1.TrainingQueue {
		return &v1alpha1.TrainingQueue{ObjectMeta: metav1.ObjectMeta{Name: name, UID: types.UID(name)},
			Spec: v1alpha1.TrainingQueueSpec{Guaranteed: &guaranteed}}
	}
	o := fixture.Stopped(t, interceptor.Funcs{}, queue("research", 6), queue("vision", 3), queue("other", 0),
		fixture.Node("node", "8"))
	o.Settings.Status.Every.Duration = 0
	o.Furnish()
	stored := func(name string) *v1alpha1.TrainingQueue {
		t.Helper()
		q := &v1alpha1.TrainingQueue{}
		if err := o.Client.Get(t.Context(), client.ObjectKey{Name: name}, q); err != nil {
			t.Fatal(err)
		}
		return q
	}
	says := func(name string) string {
		t.Helper()
		fixture.Plans(t, o)
		c := meta.FindStatusCondition(stored(name).Status.Conditions, v1alpha1.ConditionGuaranteed)
		if c == nil {
			return ""
		}
		return string(c.Status) + " " + c.Reason + ": " + c.Message
	}
	for _, name := range []string{"research", "vision"} {
		if got := says(name); !strings.HasPrefix(got,
			"False TooFewGPUs: All queues together are guaranteed 9 GPUs, and the nodes have 8") {
			t.Errorf("%s says: %s", name, got)
		}
	}
	if got := says("other"); got != "" {
		t.Errorf("one that is guaranteed nothing says: %s", got)
	}
	vision := stored("vision")
	vision.Spec.Guaranteed = new(int32(2))
	if err := o.Client.Update(t.Context(), vision); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"research", "vision"} {
		if got := says(name); got != "" {
			t.Errorf("%s still says: %s", name, got)
		}
	}
}

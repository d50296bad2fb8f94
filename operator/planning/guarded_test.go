package planning_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic/resize"
	"github.com/takt-dev/takt/operator/fixture"
)

// A policy keeps the job from which GPUs are to come from being changed. Whoever waits for them is not to wait for
// that: another gives them.
func TestNobodyWaitsForAJobThatMayNotBeChanged(t *testing.T) {
	owed := &v1alpha1.TrainingQueue{ObjectMeta: metav1.ObjectMeta{Name: "owed"},
		Spec: v1alpha1.TrainingQueueSpec{Guaranteed: new(int32(4))}}
	inOwed := func(ej *v1alpha1.ElasticJob) { ej.Spec.Queue = owed.Name }
	gives := func(refused string) string {
		b, c := fixture.PyTorchJob("b", 4), fixture.PyTorchJob("c", 4)
		objects := slices.Concat(fixture.CrewOn(b, "n1", "n1", "n1", "n1"), fixture.CrewOn(c, "n2", "n2", "n2", "n2"),
			[]client.Object{fixture.Node("n1", "4"), fixture.Node("n2", "4"), b, c,
				fixture.PyTorchJob("a", 1, fixture.SuspendedAtFirst), fixture.ElasticJob("a", inOwed), owed.DeepCopy()})
		for _, name := range []string{"b", "c"} {
			ej := fixture.ElasticJob(name)
			objects = append(objects, ej)
			if name == refused {
				r := fixture.ResizeOf(ej, 1, 4, 3, v1alpha1.ConditionProposed, v1alpha1.ConditionFailed)
				end := &r.Status.Conditions[1]
				end.Reason, end.LastTransitionTime.Time = string(resize.Refused), fixture.Start.Add(-time.Second)
				objects = append(objects, r)
			}
		}
		o := fixture.Stopped(t, interceptor.Funcs{}, objects...)
		fixture.Plans(t, o)
		for _, r := range fixture.ResizesOf(t, o) {
			if of, to, _ := strings.Cut(r, " 4-"); to != "" && r != refused+" 4-3" {
				return of
			}
		}
		return ""
	}
	first := gives("")
	if first == "" {
		t.Fatal("nobody gives GPUs to one that waits")
	}
	if second := gives(first); second == first || second == "" {
		t.Errorf("%s may not be changed, and %q is to give GPUs", first, second)
	}
}

package keeping_test

import (
	"testing"

	kubeflow "github.com/kubeflow/training-operator/pkg/apis/kubeflow.org/v1"

	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"github.com/takt-dev/takt/operator/fixture"
	"github.com/takt-dev/takt/operator/kind/known"
	"github.com/takt-dev/takt/operator/shorthand"
)

// A training writes when it has saved again and again, and this one in a form that nobody can read, or at a moment that
// is yet to come. That is told once.
func TestADateThatCannotBeUsedIsToldOnce(t *testing.T) {
	for name, dates := range map[string][]string{
		"nobody can read it": {"2026-11-21T12:00:00", "2026-11-21T12:01:00", "2026-11-21T12:02:00"},
		"it is yet to come":  {"2026-11-21T14:00:00Z", "2026-11-21T14:01:00Z", "2026-11-21T14:02:00Z"},
	} {
		t.Run(name, func(t *testing.T) { tellsOnce(t, dates) })
	}
}

func tellsOnce(t *testing.T, dates []string) {
	t.Helper()
	o := fixture.Stopped(t, interceptor.Funcs{},
		fixture.AnnotatedJob(map[string]string{shorthand.DeadlineAnnotation: "6h"}))
	fixture.Keeps(t, o)
	told := fixture.Listens(o)
	of, _ := known.ByKind("PyTorchJob")
	for _, at := range dates {
		job := fixture.Get(t, o, "resnet", &kubeflow.PyTorchJob{})
		job.Annotations[shorthand.CheckpointAnnotation] = at
		if err := o.Client.Update(t.Context(), job); err != nil {
			t.Fatal(err)
		}
		for range 3 {
			if _, err := o.Keeper(of).Reconcile(t.Context(), fixture.Request("resnet")); err != nil {
				t.Fatal(err)
			}
		}
	}
	if len(told) != 1 {
		t.Errorf("it is told by %d events", len(told))
	}
}

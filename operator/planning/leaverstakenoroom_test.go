package planning_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/operator/fixture"
)

// A job that becomes smaller is as fast at other sizes while its last workers end as once they are gone: it could have
// their room again. It would else seem to need more than it has given back, since it has done so.
func TestWorkersThatLeaveTakeNoRoom(t *testing.T) {
	sizes := func(leave bool) []elastic.Size {
		t.Helper()
		job := fixture.PyTorchJob("resnet", 2)
		var objects []client.Object
		for i, pod := range fixture.CrewOn(job, "a", "a", "a", "a") {
			if i >= 2 {
				pod.SetDeletionTimestamp(new(metav1.NewTime(fixture.Start)))
				pod.SetFinalizers([]string{"test/ends"})
			}
			if i < 2 || leave {
				objects = append(objects, pod)
			}
		}
		ej := fixture.ElasticJob("resnet", fixture.BestEffort, func(ej *v1alpha1.ElasticJob) {
			ej.Spec.Profile, ej.Spec.Progress.Total = "resnet50", "1e6"
		})
		o := fixture.Stopped(t, interceptor.Funcs{}, append(objects, job, ej, profileOn("resnet50", 0.25, 1, 2),
			fixture.Node("a", "4"), fixture.Node("b", "4"))...)
		sc, err := o.Planner.Observe(t.Context())
		if err != nil || len(sc.Snapshot.Jobs) != 1 {
			t.Fatal(sc, err)
		}
		return sc.Snapshot.Jobs[0].Sizes
	}
	gone := sizes(false)
	if gone[3].Speed == 0 {
		t.Fatalf("nothing is known: %+v", gone)
	}
	if diff := cmp.Diff(gone, sizes(true)); diff != "" {
		t.Errorf("(-once they are gone +as they leave):\n%s", diff)
	}
}

package planning_test

import (
	"testing"

	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/operator/fixture"
)

func TestAJobIsPlannedByItsPriority(t *testing.T) {
	ej := fixture.ElasticJob("resnet", func(ej *v1alpha1.ElasticJob) { ej.Spec.Priority = new(int32(10)) })
	o := fixture.Stopped(t, interceptor.Funcs{}, ej, fixture.PyTorchJob("resnet", 4), fixture.Node("n", "8"))
	sc, err := o.Planner.Observe(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if len(sc.Snapshot.Jobs) != 1 || sc.Snapshot.Jobs[0].Priority != 10 {
		t.Errorf("it is planned for as %+v", sc.Snapshot.Jobs)
	}
}

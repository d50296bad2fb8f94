package operator

import (
	"testing"

	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/operator/fixture"
	"github.com/takt-dev/takt/operator/shorthand"
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

func TestThePriorityOnAJobIsThatOfItsElasticJobUnlessSomebodyHasSetIt(t *testing.T) {
	words := map[string]string{shorthand.DeadlineAnnotation: "6h", shorthand.PriorityAnnotation: "10"}
	o := fixture.Stopped(t, interceptor.Funcs{}, fixture.AnnotatedJob(words))
	if ej := fixture.Keeps(t, o); ej == nil || ej.Spec.Priority == nil || *ej.Spec.Priority != 10 {
		t.Fatalf("%+v", ej)
	}
	edit(t, o, func(spec *v1alpha1.ElasticJobSpec) { spec.Priority = new(int32(7)) })
	fixture.Annotate(t, o, "kubectl-edit", fixture.Start, map[string]string{shorthand.PriorityAnnotation: "1000"})
	if ej := fixture.Keeps(t, o); *ej.Spec.Priority != 7 {
		t.Errorf("what somebody has set is overruled by %d", *ej.Spec.Priority)
	}
}

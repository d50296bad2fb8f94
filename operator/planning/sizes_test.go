package planning_test

import (
	"fmt"
	"slices"
	"testing"

	kubeflow "github.com/kubeflow/training-operator/pkg/apis/kubeflow.org/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/operator/fixture"
	"github.com/takt-dev/takt/operator/rooms"
)

// ofSizes is a job that was written for six workers, and may have powers of two.
func ofSizes(t *testing.T, gpus string, change func(*kubeflow.PyTorchJob), others ...client.Object) *rooms.Rooms {
	t.Helper()
	ej := fixture.ElasticJob("resnet", func(ej *v1alpha1.ElasticJob) { ej.Spec.Workers.Sizes = []int32{1, 2, 4, 8} })
	return fixture.Stopped(t, interceptor.Funcs{}, slices.Concat(others,
		[]client.Object{ej, fixture.PyTorchJob("resnet", 6, change), fixture.Node("node", gpus)})...)
}

func resizes(t *testing.T, o *rooms.Rooms) []v1alpha1.Resize {
	t.Helper()
	fixture.Plans(t, o)
	var all v1alpha1.ResizeList
	if err := o.Client.List(t.Context(), &all); err != nil {
		t.Fatal(err)
	}
	return all.Items
}

// A job that may have some sizes only starts with one of them, whatever it was written for, and settles for no other.
func TestAJobOfSomeSizesStartsWithOneOfThem(t *testing.T) {
	begun := resizes(t, ofSizes(t, "7", fixture.SuspendedAtFirst))
	if len(begun) != 1 {
		t.Fatalf("%d resizes", len(begun))
	}
	spec := begun[0].Spec
	if spec.To != 4 || *spec.Acceptable != 1 || !slices.Equal(spec.Sizes, []int32{1, 2, 4}) {
		t.Errorf("to %d, or %d at least, of %v", spec.To, *spec.Acceptable, spec.Sizes)
	}
}

// One that runs with another size keeps it as long as nothing is known that would be worth a resize.
func TestAJobOfSomeSizesKeepsTheOneThatItRunsWith(t *testing.T) {
	written := fixture.PyTorchJob("resnet", 6)
	var pods []client.Object
	for i := range 6 {
		pod := fixture.Worker0(written, "node")
		pod.Name, pod.UID = fmt.Sprintf("resnet-worker-%d", i), types.UID(fmt.Sprintf("pod-%d", i))
		pod.Labels[kubeflow.ReplicaIndexLabel] = fmt.Sprint(i)
		pods = append(pods, pod)
	}
	o := ofSizes(t, "8", func(*kubeflow.PyTorchJob) {}, pods...)
	if begun := resizes(t, o); len(begun) > 0 {
		t.Errorf("it is resized: %+v", begun[0].Spec)
	}
}

package planning_test

import (
	"testing"

	kubeflow "github.com/kubeflow/training-operator/pkg/apis/kubeflow.org/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/operator/fixture"
	"github.com/takt-dev/takt/operator/kind"
)

// A job that Takt has stopped may start with any kind of GPUs, though Takt has kept its workers to one kind before: the
// nodes of that may be gone.
func TestAJobThatWasStoppedMayStartWithOtherGPUs(t *testing.T) {
	other := fixture.Node("node", "8")
	other.Labels["nvidia.com/gpu.product"] = "H100"
	job := fixture.PyTorchJob("resnet", 2, fixture.SuspendedAtFirst, func(j *kubeflow.PyTorchJob) {
		metav1.SetMetaDataAnnotation(&j.ObjectMeta, kind.PinnedAnnotation, `{"nvidia.com/gpu.product":"A100"}`)
		worker := j.Spec.PyTorchReplicaSpecs[kubeflow.PyTorchJobReplicaTypeWorker]
		worker.Template.Spec.NodeSelector = map[string]string{"nvidia.com/gpu.product": "A100"}
	})
	o := fixture.Stopped(t, interceptor.Funcs{}, other, fixture.ElasticJob("resnet"), job)
	if _, err := o.Planner.Plan(t.Context()); err != nil {
		t.Fatal(err)
	}
	if r := fixture.Get(t, o, "resnet-1", &v1alpha1.Resize{}); r.Spec.To < 1 {
		t.Errorf("it is not started: %+v", r.Spec)
	}
}

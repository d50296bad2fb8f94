package planning_test

import (
	"testing"

	kubeflow "github.com/kubeflow/training-operator/pkg/apis/kubeflow.org/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	corev1 "k8s.io/api/core/v1"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/operator/fixture"
)

// GPUs are free beside a worker of another job of Takt, which keeps the CPUs: nobody starts there who finds too few.
func TestNobodyCountsOnTheCPUsThatAnotherJobKeeps(t *testing.T) {
	taking := func(cpus string) func(*kubeflow.PyTorchJob) {
		return func(job *kubeflow.PyTorchJob) {
			worker := &job.Spec.PyTorchReplicaSpecs[kubeflow.PyTorchJobReplicaTypeWorker].Template.Spec.Containers[0]
			worker.Resources.Requests = corev1.ResourceList{"cpu": resource.MustParse(cpus)}
			job.Spec.ElasticPolicy.MaxReplicas = new(int32(1))
		}
	}
	for name, test := range map[string]struct {
		takes string // CPUs of 64, beside 40 that are held
		want  int
	}{
		"enough are left":  {"24", 1},
		"too few are left": {"30", 0},
	} {
		t.Run(name, func(t *testing.T) {
			runs := fixture.PyTorchJob("bert", 1, taking("40"))
			worker := fixture.Worker0(runs, "node")
			worker.Spec.Containers = runs.Spec.PyTorchReplicaSpecs["Worker"].Template.Spec.Containers
			waits := fixture.PyTorchJob("resnet", 1, fixture.SuspendedAtFirst, taking(test.takes))
			node := fixture.Node("node", "8")
			node.Status.Allocatable["cpu"] = resource.MustParse("64")
			o := fixture.Stopped(t, interceptor.Funcs{}, runs, worker, waits, node, fixture.ElasticJob("bert"),
				fixture.ElasticJob("resnet"))
			fixture.Plans(t, o)
			var resizes v1alpha1.ResizeList
			if err := o.Client.List(t.Context(), &resizes); err != nil {
				t.Fatal(err)
			}
			if len(resizes.Items) != test.want {
				t.Errorf("%d resizes are begun, want %d: %v", len(resizes.Items), test.want, resizes.Items)
			}
		})
	}
}

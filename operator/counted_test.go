package operator

import (
	"testing"

	kubeflow "github.com/kubeflow/training-operator/pkg/apis/kubeflow.org/v1"
	dto "github.com/prometheus/client_model/go"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"github.com/takt-dev/takt/api/v1alpha1"
)

// A job that is left alone is among those that are counted, whether it has a deadline or not.
func TestJobsThatAreLeftAloneAreCounted(t *testing.T) {
	idle := func(j *kubeflow.PyTorchJob) {
		j.Spec.PyTorchReplicaSpecs[kubeflow.PyTorchJobReplicaTypeWorker].Template.Spec.Containers[0].Resources.Limits = nil
	}
	o := stopped(t, interceptor.Funcs{}, gpuNode("node", "8"), elasticJob("good"), pytorchJob("good", 1),
		elasticJob("idle"), pytorchJob("idle", 1, idle), elasticJob("to-come"))
	if _, err := o.Planner.Plan(t.Context()); err != nil {
		t.Fatal(err)
	}
	for verdict, want := range map[v1alpha1.Verdict]float64{v1alpha1.VerdictLeftAlone: 1, v1alpha1.VerdictBestEffort: 1} {
		var got dto.Metric
		if err := o.Metrics.Jobs.WithLabelValues("default", string(verdict)).Write(&got); err != nil {
			t.Fatal(err)
		}
		if got.GetGauge().GetValue() != want {
			t.Errorf("%v jobs are %s, want %v", got.GetGauge().GetValue(), verdict, want)
		}
	}
}

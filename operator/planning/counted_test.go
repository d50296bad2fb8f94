package planning_test

import (
	"testing"

	kubeflow "github.com/kubeflow/training-operator/pkg/apis/kubeflow.org/v1"
	dto "github.com/prometheus/client_model/go"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/operator/fixture"
)

// A job that is left alone is among those that are counted, whether it has a deadline or not.
func TestJobsThatAreLeftAloneAreCounted(t *testing.T) {
	idle := func(j *kubeflow.PyTorchJob) {
		j.Spec.PyTorchReplicaSpecs[kubeflow.PyTorchJobReplicaTypeWorker].Template.Spec.Containers[0].Resources.Limits = nil
	}
	o := fixture.Stopped(t, interceptor.Funcs{}, fixture.Node("node", "8"), fixture.ElasticJob("good"),
		fixture.PyTorchJob("good", 1),
		fixture.ElasticJob("idle"), fixture.PyTorchJob("idle", 1, idle), fixture.ElasticJob("to-come"))
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

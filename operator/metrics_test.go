package operator

import (
	"fmt"
	"testing"

	kubeflow "github.com/kubeflow/training-operator/pkg/apis/kubeflow.org/v1"
	"github.com/prometheus/client_golang/prometheus"
	dto "github.com/prometheus/client_model/go"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"github.com/takt-dev/takt/api/v1alpha1"
)

// Whoever may write ElasticJobs may name any queue in them, and a deadline that has passed. Queues that there are keep
// their figures, whoever comes before them.
func TestNoUserCanMakeEndlessMetrics(t *testing.T) {
	m := newMetrics()
	missed := func(names string) {
		for i := range 10 * mostQueues {
			m.judged(fmt.Sprint(names, i), v1alpha1.VerdictMissed)
		}
	}
	count := func(what string, want int) {
		t.Helper()
		series := make(chan prometheus.Metric, 20*mostQueues)
		m.deadlines.Collect(series)
		if len(series) != want {
			t.Errorf("%s: there are %d series, want %d", what, len(series), want)
		}
	}
	missed("invented-")
	count("names that no queue has", 1)
	m.knows([]*v1alpha1.TrainingQueue{{ObjectMeta: metav1.ObjectMeta{Name: "real-0"}}})
	missed("real-")
	count("a queue", 2)
	for i := range 10 * mostQueues {
		m.knows([]*v1alpha1.TrainingQueue{{ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprint("real-", i)}}})
	}
	missed("real-")
	count("more queues than anybody has", mostQueues+1)
}

// A job that is left alone is among those that are counted, whether it has a deadline or not.
func TestJobsThatAreLeftAloneAreCounted(t *testing.T) {
	idle := func(j *kubeflow.PyTorchJob) {
		j.Spec.PyTorchReplicaSpecs[kubeflow.PyTorchJobReplicaTypeWorker].Template.Spec.Containers[0].Resources.Limits = nil
	}
	o := stopped(t, interceptor.Funcs{}, gpuNode("node", "8"), elasticJob("good"), pytorchJob("good", 1),
		elasticJob("idle"), pytorchJob("idle", 1, idle), elasticJob("to-come"))
	if _, err := o.planner.plan(t.Context()); err != nil {
		t.Fatal(err)
	}
	for verdict, want := range map[v1alpha1.Verdict]float64{v1alpha1.VerdictLeftAlone: 1, v1alpha1.VerdictBestEffort: 1} {
		var got dto.Metric
		if err := o.metrics.jobs.WithLabelValues("default", string(verdict)).Write(&got); err != nil {
			t.Fatal(err)
		}
		if got.GetGauge().GetValue() != want {
			t.Errorf("%v jobs are %s, want %v", got.GetGauge().GetValue(), verdict, want)
		}
	}
}

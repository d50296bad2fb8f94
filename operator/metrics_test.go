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

// A cluster lives long, and its queues come and go: one that is there has figures of its own, however many were there
// before it. One that is gone has its own for as long as no other needs the place.
func TestQueuesThatAreGoneTakeNoPlaceFromOthers(t *testing.T) {
	m := newMetrics()
	queues := func(name string, from, to int) (all []*v1alpha1.TrainingQueue) {
		for i := from; i < to; i++ {
			all = append(all, &v1alpha1.TrainingQueue{ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprint(name, i)}})
		}
		return all
	}
	own := func(what, name string, want bool) {
		t.Helper()
		if got := m.queue(name) == name; got != want {
			t.Errorf("%s: %s has figures of its own: %v, want %v", what, name, got, want)
		}
	}
	kept := queues("kept-", 0, 1)
	m.knows(append(queues("old-", 1, mostQueues), kept...))
	m.judged("old-1", v1alpha1.VerdictMissed)
	m.judged("kept-0", v1alpha1.VerdictMissed)
	m.knows(kept)
	own("nobody needs its place", "old-1", true)
	m.knows(append(queues("new-", 0, 50), kept...))
	own("others are gone", "new-49", true)
	own("it is there all the time", "kept-0", true)
	own("its place was needed", "old-1", false)
	series := make(chan prometheus.Metric, 10)
	if m.deadlines.Collect(series); len(series) != 1 {
		t.Errorf("there are %d series, want that of the queue that was kept", len(series))
	}
	m.knows(append(queues("more-", 0, 10*mostQueues), append(queues("new-", 0, 50), kept...)...))
	own("there are too many, and it was one of the first", "new-0", true)
	own("there are too many", fmt.Sprint("more-", mostQueues), false)
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

package operator

import (
	"strings"
	"testing"
	"time"

	kubeflow "github.com/kubeflow/training-operator/pkg/apis/kubeflow.org/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/operator/memory"
	"github.com/takt-dev/takt/operator/progress"
	"github.com/takt-dev/takt/operator/reporting"
	"github.com/takt-dev/takt/operator/view"
	"github.com/takt-dev/takt/predictor"
)

// The workers of a job that is resized by a restart end one after the other. Once the first has, the job keeps its
// size, and what was said of it and promised holds until it ends.
func TestAJobAtItsEndKeepsItsSizeAndItsPromise(t *testing.T) {
	due := start.Add(time.Hour)
	ej := elasticJob("resnet", func(ej *v1alpha1.ElasticJob) { ej.Spec.Deadline = v1alpha1.NewTime(due) })
	job := pytorchJob("resnet", 2, func(job *kubeflow.PyTorchJob) {
		resizedByRestart(job)
		job.Status.ReplicaStatuses = map[kubeflow.ReplicaType]*kubeflow.ReplicaStatus{"Worker": {Active: 1, Succeeded: 1}}
	})
	pods := workersOf(job, 2, "node")
	pods[1].Status.Phase = corev1.PodSucceeded
	now := start
	o := stopped(t, interceptor.Funcs{}, ej, job, pods[0], pods[1], gpuNode("node", "8"), &corev1.Namespace{
		ObjectMeta: metav1.ObjectMeta{Name: "team"},
	})
	o.now = func() time.Time { return now }
	o.furnish()
	ej.Status = statusAsWritten(t.Context(), t, o, ej, func(known *memory.Job, due time.Time) {
		for done := range 20 {
			now = now.Add(10 * time.Second)
			known.Run.Sample(progress.Sample{Source: v1alpha1.ProgressLogs, At: now, Done: float64(900 + done), Total: 1000,
				Unit: "steps"}, predictor.Shape{Workers: 2, Nodes: 1, GPU: "A100"})
		}
		known.Decide(elastic.Outcome{Workers: 2, Verdict: elastic.OnTrack, Reason: elastic.ForDeadline, Promised: true},
			due, now)
	})
	if err := o.client.Status().Update(t.Context(), ej); err != nil {
		t.Fatal(err)
	}
	plans(t, o)
	if _, err := o.reporter.Reconcile(t.Context(), request("resnet")); err != nil {
		t.Fatal(err)
	}
	status := get(t, o, "resnet", &v1alpha1.ElasticJob{}).Status
	if c := reporting.ConditionOf(&status); c.Reason != view.ReasonPromised || status.Verdict != v1alpha1.VerdictOnTrack {
		t.Errorf("it is %s, and %s: %s", status.Verdict, c.Reason, c.Message)
	}
	if !strings.Contains(status.Message, "One of its workers has finished, so its training is at its end") {
		t.Errorf("it says %q", status.Message)
	}
	keepsSize(t, o, 2, false)
}

func resizedByRestart(job *kubeflow.PyTorchJob) { job.Spec.ElasticPolicy = nil }

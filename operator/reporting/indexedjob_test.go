package reporting_test

import (
	"strings"
	"testing"
	"time"

	batchv1 "k8s.io/api/batch/v1"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/operator/fixture"
)

// Who is told of a Job of Kubernetes is told by its own words.
func TestAnIndexedJobIsSpokenOfByItsOwnWords(t *testing.T) {
	job := fixture.KubernetesJob(batchv1.IndexedCompletion)
	job.Spec.Suspend, job.Spec.ActiveDeadlineSeconds = new(true), new(int64(600))
	ej := fixture.ElasticJob("resnet", func(ej *v1alpha1.ElasticJob) {
		ej.Spec.JobRef = v1alpha1.JobReference{APIVersion: "batch/v1", Kind: "Job", Name: "resnet"}
		ej.Spec.Guarantee, ej.Spec.Deadline = v1alpha1.GuaranteeBestEffort, v1alpha1.NewTime(fixture.Start.Add(6*time.Hour))
	})
	o := fixture.Stopped(t, interceptor.Funcs{}, job, ej, fixture.Node("node", "8"))
	fixture.Plans(t, o)
	if _, err := o.Reporter.Reconcile(t.Context(), fixture.Request("resnet")); err != nil {
		t.Fatal(err)
	}
	says := fixture.Get(t, o, "resnet", &v1alpha1.ElasticJob{}).Status.Message
	if !strings.Contains(says, "raise spec.activeDeadlineSeconds, or remove it") {
		t.Errorf("it is told: %s", says)
	}
	s, err := o.View.Look(t.Context(), ej)
	if err != nil {
		t.Fatal(err)
	}
	if by := o.Resizer.Observed(t.Context(), s,
		fixture.ResizeOf(ej, 1, 1, 2)).Job.Controller; by != "kube-controller-manager" {
		t.Errorf("its pods are said to be made by %q", by)
	}
}

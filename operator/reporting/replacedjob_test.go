package reporting_test

import (
	"testing"

	kubeflow "github.com/kubeflow/training-operator/pkg/apis/kubeflow.org/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/operator/fixture"
	"github.com/takt-dev/takt/operator/kind/known"
	"github.com/takt-dev/takt/operator/reporting"
	"github.com/takt-dev/takt/operator/shorthand"
)

// A job of the same name is another job: what was promised, and how far it was, is over.
func TestAnElasticJobDoesNotOutliveItsJob(t *testing.T) {
	for name, explicit := range map[string]bool{"that was written": true, "that was made of annotations": false} {
		t.Run(name, func(t *testing.T) {
			ej := fixture.ElasticJob("resnet", func(ej *v1alpha1.ElasticJob) {
				if !explicit {
					ej.Labels = map[string]string{shorthand.MadeLabel: "true"}
				}
				ej.OwnerReferences = []metav1.OwnerReference{{Kind: "PyTorchJob", Name: "resnet", UID: "an earlier one"}}
				ej.Status.Progress.PartsPerMillion = 420_000
			})
			job := fixture.PyTorchJob("resnet", 1, fixture.SuspendedAtFirst, func(j *kubeflow.PyTorchJob) {
				j.Annotations = map[string]string{shorthand.DeadlineAnnotation: "6h"}
			})
			o := fixture.Stopped(t, interceptor.Funcs{}, ej, job, fixture.Node("node", "8"))
			if _, err := o.Planner.Plan(t.Context()); err != nil {
				t.Fatal(err)
			}
			if err := o.Client.Get(t.Context(), client.ObjectKey{Namespace: "team", Name: "resnet-1"},
				&v1alpha1.Resize{}); err == nil {
				t.Error("it goes on with the new job")
			}
			if _, err := o.Reporter.Reconcile(t.Context(), fixture.Request("resnet")); err != nil {
				t.Fatal(err)
			}
			if told := fixture.Get(t, o, "resnet", &v1alpha1.ElasticJob{}); len(told.OwnerReferences) != 1 ||
				reporting.ConditionOf(&told.Status).Reason != "JobReplaced" {
				t.Errorf("owned by %v, %v", told.OwnerReferences, reporting.ConditionOf(&told.Status))
			}
			of, _ := known.ByKind("PyTorchJob")
			for range 2 { // it is removed, and made anew
				if _, err := o.Keeper(of).Reconcile(t.Context(), fixture.Request("resnet")); err != nil {
					t.Fatal(err)
				}
			}
			after := fixture.Get(t, o, "resnet", &v1alpha1.ElasticJob{})
			if made := after.OwnerReferences[0].UID == job.UID && after.Status.Progress.PartsPerMillion == 0; made == explicit {
				t.Errorf("made anew: %t", made)
			}
		})
	}
}

package operator

import (
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/takt-dev/takt/e2e/lib/training"
	"github.com/takt-dev/takt/e2e/lib/world"
)

// tenASecond is the speed of a training that gains a little by every worker.
var tenASecond = training.Speed{Base: 10, Scaling: 0.9}

// leftAlone fails the test if the operator has ever written to the job resnet, but for the annotations in
// which it keeps what is written there for Takt: those are under a name of their own.
func leftAlone(t *testing.T, w *world.World) {
	t.Helper()
	for _, by := range w.Read(kindOf(w, "resnet"), "resnet").GetManagedFields() {
		if strings.HasPrefix(by.Manager, "takt-operator") {
			t.Errorf("Takt has written to the job: %s", by.FieldsV1.GetRawString())
		}
	}
}

func named(name string) metav1.ObjectMeta { return metav1.ObjectMeta{Name: name} }

func namespace(w *world.World) *corev1.Namespace {
	return &corev1.Namespace{ObjectMeta: named(w.Namespace)}
}

// mayRestart lets the workers of an elastic PyTorchJob restart so often. Takt sees to that itself when it
// starts a job, but not for one that runs already. Those of an Indexed Job may anyway, as its command says.
func mayRestart(n int64) func(*unstructured.Unstructured) {
	return func(job *unstructured.Unstructured) {
		if job.GetKind() == "PyTorchJob" {
			set(n, "spec", "elasticPolicy", "maxRestarts")(job)
		}
	}
}

// kindOf is the kind of the job that an ElasticJob looks after.
func kindOf(w *world.World, name string) string { return w.Job(name).Spec.JobRef.Kind }

// set changes a field of a job before it is made.
func set(value any, path ...string) func(*unstructured.Unstructured) {
	return func(job *unstructured.Unstructured) {
		if err := unstructured.SetNestedField(job.Object, value, path...); err != nil {
			panic(err)
		}
	}
}

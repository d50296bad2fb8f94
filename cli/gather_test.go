package cli

import (
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/cli/access"
	"github.com/takt-dev/takt/cli/doctor"
	"github.com/takt-dev/takt/operator/kind/written"
)

// Who asks the doctor about one namespace is told of its jobs alone.
func TestTheDoctorLooksAtTheNamespaceThatIsAskedFor(t *testing.T) {
	scheme := runtime.NewScheme()
	if err := v1alpha1.AddToScheme(scheme); err != nil {
		t.Fatal(err)
	}
	var objects []client.Object
	for _, kind := range written.Kinds {
		scheme.AddKnownTypeWithName(kind.GroupVersionKind, &unstructured.Unstructured{})
		scheme.AddKnownTypeWithName(kind.GroupVersion().WithKind(kind.Kind+"List"), &unstructured.UnstructuredList{})
	}
	for _, namespace := range []string{"team-a", "team-b"} {
		job := &unstructured.Unstructured{}
		job.SetGroupVersionKind(written.Kinds[0].GroupVersionKind)
		job.SetNamespace(namespace)
		job.SetName("resnet")
		ej := &v1alpha1.ElasticJob{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: "resnet"}}
		objects = append(objects, job, ej)
	}
	c := &access.Cluster{Namespace: "default",
		Client: fake.NewClientBuilder().WithScheme(scheme).WithObjects(objects...).Build()}
	for namespace, want := range map[string]int{"": 2, "team-a": 1, "team-c": 0} {
		jobs, err := visible(t.Context(), c, namespace)
		if err != nil || len(jobs) != want {
			t.Errorf("in namespace %q there are %d ElasticJobs (%v), want %d", namespace, len(jobs), err, want)
		}
		f := doctor.Facts{Now: time.Now()}
		if err := trainings(t.Context(), c, namespace, &f); err != nil || len(f.Unattended) != want {
			t.Errorf("in namespace %q %q wait for training-operator (%v), want %d", namespace, f.Unattended, err, want)
		}
	}
}

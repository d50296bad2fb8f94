package cli

import (
	"errors"
	"slices"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	"k8s.io/apimachinery/pkg/api/meta"
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
	named := func(kind, apiVersion, name string, template []string, ended bool) {
		job := &unstructured.Unstructured{Object: map[string]any{"kind": kind, "apiVersion": apiVersion}}
		job.SetNamespace("team-d")
		job.SetName(name)
		of := []any{map[string]any{"type": "Failed", "status": "False"}}
		if ended {
			of = append(of, map[string]any{"type": "Complete", "status": "True"})
		}
		if err := errors.Join(unstructured.SetNestedField(job.Object, "takt-scheduler", template...),
			unstructured.SetNestedSlice(job.Object, of, "status", "conditions")); err != nil {
			t.Fatal(err)
		}
		objects = append(objects, job)
	}
	ofJob := []string{"spec", "template", "spec", "schedulerName"}
	named("Job", "batch/v1", "indexed", ofJob, false)
	named("Job", "batch/v1", "done", ofJob, true)
	named("TFJob", "kubeflow.org/v1", "mnist",
		[]string{"spec", "tfReplicaSpecs", "PS", "template", "spec", "schedulerName"}, false)
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
	f := doctor.Facts{Now: time.Now()}
	want := []string{"TFJob team-d/mnist", "Job team-d/indexed"}
	if err := trainings(t.Context(), c, "team-d", &f); err != nil || !slices.Equal(f.NamesScheduler, want) {
		t.Errorf("Takt's scheduler is to place %q (%v), want %q", f.NamesScheduler, err, want)
	}
}

// A kind that is missing says nothing of the operator, nor of the jobs of the others.
func TestTheDoctorGoesOnWhereAKindIsMissing(t *testing.T) {
	scheme := runtime.NewScheme()
	if err := v1alpha1.AddToScheme(scheme); err != nil {
		t.Fatal(err)
	}
	mapper := meta.NewDefaultRESTMapper(nil)
	for _, kind := range []string{"ElasticJob", "Resize", "TrainingQueue"} {
		mapper.Add(v1alpha1.GroupVersion.WithKind(kind), meta.RESTScopeNamespace)
	}
	deployment := &appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{Name: "takt-operator"}}
	deployment.Status.ReadyReplicas = 1
	builtin := written.Kinds[len(written.Kinds)-1].GroupVersionKind
	mapper.Add(builtin, meta.RESTScopeNamespace)
	scheme.AddKnownTypeWithName(builtin, &unstructured.Unstructured{})
	scheme.AddKnownTypeWithName(builtin.GroupVersion().WithKind(builtin.Kind+"List"), &unstructured.UnstructuredList{})
	c := &access.Cluster{Namespace: "default", Core: allowing(deployment),
		Client: fake.NewClientBuilder().WithScheme(scheme).WithRESTMapper(mapper).WithObjects(
			&v1alpha1.ElasticJob{ObjectMeta: metav1.ObjectMeta{Namespace: "team", Name: "resnet"}}).Build()}
	f, err := gather(t.Context(), c, "")
	missing := slices.Equal(f.OwnKinds.Missing, []string{"TrainingProfile"})
	if err != nil || !missing || !f.Operator.Found || len(f.Jobs) != 1 {
		t.Errorf("without %v it finds an operator: %t, and %d jobs (%v)", f.OwnKinds.Missing, f.Operator.Found, len(f.Jobs),
			err)
	}
}

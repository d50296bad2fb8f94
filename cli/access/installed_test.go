package access

import (
	"errors"
	"slices"
	"strings"
	"testing"

	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	core "k8s.io/client-go/kubernetes/fake"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/operator/kind/written"
)

// faked is a cluster with some objects.
func faked(t *testing.T, objects ...client.Object) *Cluster {
	t.Helper()
	scheme := runtime.NewScheme()
	if err := errors.Join(v1alpha1.AddToScheme(scheme), clientgoscheme.AddToScheme(scheme)); err != nil {
		t.Fatal(err)
	}
	mapper := meta.NewDefaultRESTMapper(nil)
	mapper.Add(v1alpha1.GroupVersion.WithKind("ElasticJob"), meta.RESTScopeNamespace)
	for _, kind := range []schema.GroupVersionKind{v1alpha1.GroupVersion.WithKind("TrainingQueue"),
		corev1.SchemeGroupVersion.WithKind("Namespace")} {
		mapper.Add(kind, meta.RESTScopeRoot)
	}
	for _, kind := range written.Kinds {
		mapper.Add(kind.GroupVersionKind, meta.RESTScopeNamespace)
		if !kind.Builtin {
			scheme.AddKnownTypeWithName(kind.GroupVersionKind, &unstructured.Unstructured{})
		}
	}
	return &Cluster{
		Client:   fake.NewClientBuilder().WithScheme(scheme).WithRESTMapper(mapper).WithObjects(objects...).Build(),
		Core:     core.NewSimpleClientset(),
		operator: operatorOptions{namespace: "takt-system"},
	}
}

// A job that waits for Takt is refused where nobody would ever start it; one that starts by itself needs nobody.
func TestAJobThatStartsByItselfNeedsNoOperator(t *testing.T) {
	c := faked(t)
	c.Core = core.NewSimpleClientset(&coordinationv1.Lease{ // of an operator that is gone
		ObjectMeta: metav1.ObjectMeta{Namespace: "takt-system", Name: operatorName},
	})
	if err := c.Ready(t.Context(), "team", "default", true); err != nil {
		t.Errorf("one that starts by itself is refused: %v", err)
	}
	if err := c.Ready(t.Context(), "team", "default", false); err == nil || !strings.Contains(err.Error(), "--at-once") {
		t.Errorf("of one that waits it says %v", err)
	}
	if err := c.Ready(t.Context(), "team", "nowhere", true); err == nil {
		t.Error("one of a queue that is not there is not refused")
	}
}

// What a job is submitted for may not be there, or not for it.
func TestAQueueIsOpenToTheNamespacesThatItChooses(t *testing.T) {
	queue := &v1alpha1.TrainingQueue{ObjectMeta: metav1.ObjectMeta{Name: "research"}}
	queue.Spec.NamespaceSelector = &v1alpha1.NamespaceSelector{
		MatchLabels: map[string]v1alpha1.LabelValue{"org": "research"},
	}
	c := faked(t, queue, &v1alpha1.TrainingQueue{ObjectMeta: metav1.ObjectMeta{Name: "all"}},
		&corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "lab", Labels: map[string]string{"org": "research"}}},
		&corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "shop"}})
	for namespace, want := range map[string]bool{"lab": true, "shop": false, "unseen": true} {
		err := c.Ready(t.Context(), namespace, "research", false)
		if (err == nil) != want || err != nil && !strings.Contains(err.Error(), "namespace shop may not use TrainingQueue") {
			t.Errorf("for namespace %s it says %v, want %t", namespace, err, want)
		}
		if err := c.Ready(t.Context(), namespace, "all", false); err != nil {
			t.Errorf("a queue for all is closed to %s: %v", namespace, err)
		}
	}
}

// A name that is misspelt would be waited for until somebody looks.
func TestJobsThatAreWaitedForAndAreNotThere(t *testing.T) {
	job := &unstructured.Unstructured{Object: map[string]any{"apiVersion": "kubeflow.org/v1", "kind": "PyTorchJob"}}
	job.SetNamespace("team")
	job.SetName("new")
	c := faked(t, job, &v1alpha1.ElasticJob{ObjectMeta: metav1.ObjectMeta{Namespace: "team", Name: "prepare"}},
		&v1alpha1.ElasticJob{ObjectMeta: metav1.ObjectMeta{Namespace: "other", Name: "prepar"}})
	got := c.Absent(t.Context(), "team", []string{"prepare", "prepar", "new"})
	if want := []string{"prepar"}; !slices.Equal(got, want) {
		t.Errorf("%v are not there, want %v", got, want)
	}
}

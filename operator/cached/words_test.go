package cached

import (
	"fmt"
	"testing"
	"unsafe"

	"github.com/google/go-cmp/cmp"
	kubeflow "github.com/kubeflow/training-operator/pkg/apis/kubeflow.org/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/takt-dev/takt/api/v1alpha1"
)

// spelt is a word of its own.
func spelt(word string) string { return string([]byte(word)) }

func same(a, b string) bool { return unsafe.StringData(a) == unsafe.StringData(b) }

func TestObjectsShareTheirWords(t *testing.T) {
	job := func() *v1alpha1.ElasticJob {
		return &v1alpha1.ElasticJob{
			ObjectMeta: metav1.ObjectMeta{
				Namespace: spelt("research"), Name: "resnet", Labels: map[string]string{spelt("team"): spelt("vision")},
				Annotations: map[string]string{spelt("note"): "mine"},
			},
			Status: v1alpha1.ElasticJobStatus{Conditions: []metav1.Condition{
				{Type: spelt("Admitted"), Status: metav1.ConditionTrue, Reason: spelt("Promised"), Message: "It is promised."},
			}},
		}
	}
	w := new(words)
	one, other, was := job(), job(), job()
	w.share(one)
	w.share(other)
	if diff := cmp.Diff(was, other); diff != "" {
		t.Errorf("it says something else, -before +after:\n%s", diff)
	}
	if !same(one.Namespace, other.Namespace) || !same(one.Labels["team"], other.Labels["team"]) ||
		!same(one.Status.Conditions[0].Reason, other.Status.Conditions[0].Reason) {
		t.Error("each has words of its own")
	}
	w.share(&corev1.NodeList{}) // which is no object
}

func TestWordsThatManySayAreNotForgotten(t *testing.T) {
	w := new(words)
	kept := w.one(spelt("worker"))
	for i := range 10 * mostWords {
		w.one(fmt.Sprint("job-", i))
		if !same(kept, w.one(spelt("worker"))) {
			t.Fatalf("it is forgotten after %d others", i+1)
		}
	}
	if n := len(w.known) + len(w.before); n > 2*mostWords {
		t.Errorf("%d words are known, want %d at most", n, 2*mostWords)
	}
}

// What the templates of jobs say that are alike is there once.
func TestJobsThatAreAlikeShareWhatTheirTemplatesSay(t *testing.T) {
	job := func() *kubeflow.PyTorchJob {
		return &kubeflow.PyTorchJob{Spec: kubeflow.PyTorchJobSpec{
			PyTorchReplicaSpecs: map[kubeflow.ReplicaType]*kubeflow.ReplicaSpec{"Worker": {Template: corev1.PodTemplateSpec{
				Spec: corev1.PodSpec{Containers: []corev1.Container{{Name: "pytorch", Command: []string{"train"}}}},
			}}},
		}}
	}
	shared, one, other := new(alike), job(), job()
	for _, object := range []any{one, other} {
		if _, err := shared.trimJob(object); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff(job(), other); diff != "" {
		t.Errorf("it says something else, -before +after:\n%s", diff)
	}
	a, b := one.Spec.PyTorchReplicaSpecs["Worker"], other.Spec.PyTorchReplicaSpecs["Worker"]
	if &a.Template.Spec.Containers[0] != &b.Template.Spec.Containers[0] {
		t.Error("each says it for itself")
	}
}

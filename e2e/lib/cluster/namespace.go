package cluster

import (
	"context"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
)

// Namespace makes a namespace for one test and deletes it, with all that is in it, at its end.
func (c *Cluster) Namespace(t *testing.T) string {
	t.Helper()
	client, err := kubernetes.NewForConfig(c.Config())
	if err != nil {
		t.Fatal(err)
	}
	namespaces := client.CoreV1().Namespaces()
	namespace, err := namespaces.Create(t.Context(), &corev1.Namespace{
		ObjectMeta: metav1.ObjectMeta{GenerateName: "test-"},
	}, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := namespaces.Delete(AfterTest(t), namespace.Name, metav1.DeleteOptions{}); err != nil {
			t.Log("cannot delete the namespace of the test:", err)
		}
	})
	return namespace.Name
}

// AfterTest is the context for cleaning up: that of the test has ended by then.
func AfterTest(t testing.TB) context.Context {
	return context.WithoutCancel(t.Context())
}

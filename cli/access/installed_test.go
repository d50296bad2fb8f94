package access

import (
	"strings"
	"testing"

	coordinationv1 "k8s.io/api/coordination/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	core "k8s.io/client-go/kubernetes/fake"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"

	"github.com/takt-dev/takt/api/v1alpha1"
)

// A job that waits for Takt is refused where nobody would ever start it; one that starts by itself needs nobody.
func TestAJobThatStartsByItselfNeedsNoOperator(t *testing.T) {
	scheme := runtime.NewScheme()
	if err := v1alpha1.AddToScheme(scheme); err != nil {
		t.Fatal(err)
	}
	mapper := meta.NewDefaultRESTMapper(nil)
	for _, kind := range []string{"ElasticJob", "TrainingQueue"} {
		mapper.Add(v1alpha1.GroupVersion.WithKind(kind), meta.RESTScopeNamespace)
	}
	c := &Cluster{
		Client: fake.NewClientBuilder().WithScheme(scheme).WithRESTMapper(mapper).Build(),
		Core: core.NewSimpleClientset(&coordinationv1.Lease{ // of an operator that is gone
			ObjectMeta: metav1.ObjectMeta{Namespace: "takt-system", Name: operatorName},
		}),
		operator: operatorOptions{namespace: "takt-system"},
	}
	if err := c.Ready(t.Context(), "default", true); err != nil {
		t.Errorf("one that starts by itself is refused: %v", err)
	}
	if err := c.Ready(t.Context(), "default", false); err == nil || !strings.Contains(err.Error(), "--at-once") {
		t.Errorf("of one that waits it says %v", err)
	}
	if err := c.Ready(t.Context(), "nowhere", true); err == nil {
		t.Error("one of a queue that is not there is not refused")
	}
}

package writing

import (
	"context"
	"errors"
	"fmt"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/takt-dev/takt/api/v1alpha1"
)

// An object that is gone by the time at which it is written to is no failure, and another that is missing is one.
func TestWhatIsGoneMeanwhileIsNoFailure(t *testing.T) {
	scheme := runtime.NewScheme()
	if err := v1alpha1.AddToScheme(scheme); err != nil {
		t.Fatal(err)
	}
	ej := &v1alpha1.ElasticJob{ObjectMeta: metav1.ObjectMeta{Namespace: "team", Name: "resnet"}}
	request := reconcile.Request{NamespacedName: types.NamespacedName{Namespace: "team", Name: "resnet"}}
	cached := fake.NewClientBuilder().WithScheme(scheme).WithObjects(ej).Build()
	gone := fake.NewClientBuilder().WithScheme(scheme).Build()
	missing := apierrors.NewNotFound(v1alpha1.GroupVersion.WithResource("elasticjobs").GroupResource(), "resnet")
	for name, c := range map[string]struct {
		live client.Reader
		want error
	}{
		"the object itself": {gone, nil},
		"another":           {cached, missing},
	} {
		t.Run(name, func(t *testing.T) {
			reconciler := reconcile.Func(func(ctx context.Context, r reconcile.Request) (reconcile.Result, error) {
				var into v1alpha1.ElasticJob
				if err := ReadFor(ctx, cached, c.live, r, &into); err != nil {
					return reconcile.Result{}, client.IgnoreNotFound(err)
				}
				return reconcile.Result{}, fmt.Errorf("writing its status: %w", missing)
			})
			if _, err := Patiently(reconciler).Reconcile(t.Context(), request); !errors.Is(err, c.want) {
				t.Errorf("it fails with %v, want %v", err, c.want)
			}
		})
	}
}

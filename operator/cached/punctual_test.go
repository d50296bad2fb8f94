package cached

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"
)

// A read that waits for a cache that does not catch up comes to an end.
func TestNoReadWaitsForEver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := Punctual{Client: fake.NewClientBuilder().WithInterceptorFuncs(interceptor.Funcs{
			Get: func(ctx context.Context, _ client.WithWatch, _ client.ObjectKey, _ client.Object,
				_ ...client.GetOption) error {
				<-ctx.Done()
				return ctx.Err()
			},
			List: func(ctx context.Context, _ client.WithWatch, _ client.ObjectList, _ ...client.ListOption) error {
				<-ctx.Done()
				return ctx.Err()
			},
		}).Build()}
		if err := c.Get(t.Context(), client.ObjectKey{Name: "a"}, &corev1.Pod{}); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("the read of one ended with %v", err)
		}
		if err := c.List(t.Context(), &corev1.PodList{}); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("the read of all ended with %v", err)
		}
	})
}

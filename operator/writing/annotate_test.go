package writing_test

import (
	"context"
	"errors"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"github.com/takt-dev/takt/operator/writing"
)

// A webhook that takes out what it does not know answers as if all had been written: it would be for ever.
func TestWhatIsPutBackIsNotWritten(t *testing.T) {
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "team", Name: "resnet-worker-1"}}
	puts := interceptor.Funcs{Patch: func(ctx context.Context, c client.WithWatch, o client.Object, p client.Patch,
		options ...client.PatchOption) error {
		err := c.Patch(ctx, o, p, options...)
		o.SetAnnotations(nil)
		return err
	}}
	for name, test := range map[string]struct {
		guard   interceptor.Funcs
		value   any
		putBack bool
	}{
		"written":   {value: "1"},
		"put back":  {guard: puts, value: "1", putBack: true},
		"taken off": {guard: puts, value: nil},
	} {
		t.Run(name, func(t *testing.T) {
			c := fake.NewClientBuilder().WithObjects(pod.DeepCopy()).WithInterceptorFuncs(test.guard).Build()
			there := &corev1.Pod{}
			if err := c.Get(t.Context(), client.ObjectKeyFromObject(pod), there); err != nil {
				t.Fatal(err)
			}
			err := writing.Annotate(t.Context(), c, there, map[string]any{"takt.dev/draining": test.value})
			if errors.Is(err, writing.ErrPutBack) != test.putBack || writing.RefusedForGood(err) != test.putBack ||
				!test.putBack && err != nil {
				t.Errorf("it says %v", err)
			}
		})
	}
}

package planning_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/operator/fixture"
	"github.com/takt-dev/takt/operator/memory"
)

// A quota for all objects of a namespace may leave no room for a Resize. Its owner hears of that, and the API server is
// not asked with every plan.
func TestResizeThatMayNotBeMadeIsTold(t *testing.T) {
	quota := errors.New("exceeded quota: objects, requested: count/resizes.takt.dev=1, used: 9, limited: 9")
	tried := 0
	full := true
	o := fixture.Stopped(t, interceptor.Funcs{
		Create: func(ctx context.Context, c client.WithWatch, object client.Object, options ...client.CreateOption) error {
			if _, is := object.(*v1alpha1.Resize); is && full {
				tried++
				return apierrors.NewForbidden(schema.GroupResource{Group: "takt.dev", Resource: "resizes"}, object.GetName(), quota)
			}
			return c.Create(ctx, object, options...)
		},
	}, fixture.Node("node", "8"), fixture.ElasticJob("resnet"), fixture.PyTorchJob("resnet", 1, fixture.SuspendedAtFirst))
	now := fixture.Start
	o.Now = func() time.Time { return now }
	o.Furnish()
	hindered := func() memory.Hindrance {
		fixture.Plans(t, o)
		return o.Memory.Of("job-resnet", fixture.Start, fixture.Unseen).HinderedBy()
	}
	for range 3 {
		if h := hindered(); h.Reason != memory.ReasonRefused || !strings.Contains(h.Message, "exceeded quota: objects") {
			t.Errorf("it is hindered by %+v", h)
		}
	}
	if tried != 1 {
		t.Errorf("three plans have asked %d times", tried)
	}
	now, full = now.Add(o.Settings.Resizes.RetryAfter.Duration), false
	if h := hindered(); h.Reason != "" {
		t.Errorf("there is room, and it is hindered by %+v", h)
	}
	fixture.Get(t, o, "resnet-1", &v1alpha1.Resize{})
}

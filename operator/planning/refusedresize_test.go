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

// A quota counts records as well, and they go only when a Resize ends: the oldest makes room.
func TestRecordsDoNotUseUpAQuota(t *testing.T) {
	quota := errors.New("exceeded quota: objects, requested: count/resizes.takt.dev=1, used: 6, limited: 6")
	ej := fixture.ElasticJob("resnet")
	objects := []client.Object{fixture.Node("node", "8"), ej, fixture.PyTorchJob("resnet", 1, fixture.SuspendedAtFirst)}
	for epoch := range int64(6) {
		objects = append(objects, fixture.ResizeOf(ej, epoch+1, 1, 2, v1alpha1.ConditionSucceeded))
	}
	o := fixture.Stopped(t, interceptor.Funcs{
		Create: func(ctx context.Context, c client.WithWatch, object client.Object, options ...client.CreateOption) error {
			var all v1alpha1.ResizeList
			if _, is := object.(*v1alpha1.Resize); is && c.List(ctx, &all) == nil && len(all.Items) >= 6 {
				return apierrors.NewForbidden(schema.GroupResource{Group: "takt.dev", Resource: "resizes"}, object.GetName(), quota)
			}
			return c.Create(ctx, object, options...)
		},
	}, objects...)
	fixture.Plans(t, o)
	fixture.Get(t, o, "resnet-7", &v1alpha1.Resize{})
	if err := o.Client.Get(t.Context(), client.ObjectKey{Namespace: "team", Name: "resnet-1"},
		&v1alpha1.Resize{}); !apierrors.IsNotFound(err) {
		t.Errorf("the oldest is there still: %v", err)
	}
}

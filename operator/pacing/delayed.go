package pacing

import (
	"context"
	"time"

	"k8s.io/client-go/util/workqueue"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

// DelayedBy is how long after an event is told of it: what happens together is told together.
const DelayedBy = 500 * time.Millisecond

// Queue is the work queue of a controller.
type Queue = workqueue.TypedRateLimitingInterface[reconcile.Request]

// Delayed hands on events a little later.
func Delayed(to handler.EventHandler) handler.EventHandler { return &delayed{to} }

type delayed struct{ to handler.EventHandler }

func (l *delayed) Create(ctx context.Context, e event.CreateEvent, q Queue) {
	l.to.Create(ctx, e, delayedQueue{q})
}
func (l *delayed) Update(ctx context.Context, e event.UpdateEvent, q Queue) {
	l.to.Update(ctx, e, delayedQueue{q})
}
func (l *delayed) Delete(ctx context.Context, e event.DeleteEvent, q Queue) {
	l.to.Delete(ctx, e, delayedQueue{q})
}
func (l *delayed) Generic(ctx context.Context, e event.GenericEvent, q Queue) {
	l.to.Generic(ctx, e, delayedQueue{q})
}

// delayedQueue adds requests after a while; one that is added meanwhile is the same.
type delayedQueue struct{ Queue }

// Add adds a request after a while.
func (q delayedQueue) Add(request reconcile.Request) { q.AddAfter(request, DelayedBy) }

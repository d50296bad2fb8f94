package pacing

import (
	"context"
	"sync/atomic"
	"time"

	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

// Requests are what a controller is to look at, once it runs. Nothing is lost before: it begins with all that there is.
type Requests struct{ to atomic.Pointer[Queue] }

// Open is a source of requests of a controller that begins to run.
func (l *Requests) Open(_ context.Context, to Queue) error {
	l.to.Store(&to)
	return nil
}

// Add has an object looked at after a while.
func (l *Requests) Add(name types.NamespacedName, after time.Duration) {
	if to := l.to.Load(); to != nil {
		(*to).AddAfter(reconcile.Request{NamespacedName: name}, after)
	}
}

package writing

import (
	"context"
	"errors"
	"slices"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

// ErrOutdated says that a job is not any more what the plan has seen. The next plan sees it.
var ErrOutdated = errors.New("it has changed since it was planned for")

// afterConflict is the key of a context in which the cache is not trusted.
type afterConflict struct{}

// ReadFor reads the object that a request is about: from the cache, or, after a conflict, as the API server
// has it. A cache that has missed a change would be in conflict for ever.
func ReadFor(ctx context.Context, cached, live client.Reader, request reconcile.Request, into client.Object) error {
	if ctx.Value(afterConflict{}) != nil {
		return live.Get(ctx, request.NamespacedName, into)
	}
	return cached.Get(ctx, request.NamespacedName, into)
}

// Patiently makes a conflict what it is: what was seen is out of date, and is looked at again, at once as
// the API server has it, and then as soon as the cache has caught up. It is no failure; nor is it that what was seen
// is gone by now; nor are the errors that say that the process has only just started.
func Patiently(r reconcile.Reconciler, alsoWaits ...error) reconcile.Reconciler {
	return reconcile.Func(func(ctx context.Context, request reconcile.Request) (reconcile.Result, error) {
		result, err := r.Reconcile(ctx, request)
		if apierrors.IsConflict(err) || apierrors.IsNotFound(err) {
			result, err = r.Reconcile(context.WithValue(ctx, afterConflict{}, true), request)
		}
		if apierrors.IsConflict(err) || apierrors.IsAlreadyExists(err) ||
			slices.ContainsFunc(alsoWaits, func(w error) bool { return errors.Is(err, w) }) {
			return reconcile.Result{RequeueAfter: time.Second / 5}, nil
		}
		return result, err
	})
}

// RefusedForGood says that a write is refused however often it is tried: only somebody's hand changes that, at
// the object or at the policy that guards it.
func RefusedForGood(err error) bool {
	return apierrors.IsInvalid(err) || apierrors.IsForbidden(err) || apierrors.IsBadRequest(err) ||
		errors.Is(err, ErrPutBack)
}

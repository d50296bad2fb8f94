package operator

import (
	"context"
	"fmt"
	"strings"
	"sync"

	corev1 "k8s.io/api/core/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/source"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/operator/adapter"
)

// watching are the controllers that also watch training jobs, of every kind that there is.
type watching struct {
	mu       sync.Mutex
	reporter controller.Controller
	reader   controller.Controller
	resizer  controller.Controller
}

// controllers builds those that do not depend on which kinds of jobs are installed.
func (o *Operator) controllers() (err error) {
	skip := true // of several operators in one process, as in tests, each has its own
	options := controller.Options{SkipNameValidation: &skip}
	pods := handler.EnqueueRequestsFromMapFunc(o.byPod)
	if o.watching.reporter, err = ctrl.NewControllerManagedBy(o.manager).Named("reporter").WithOptions(options).
		Watches(&v1alpha1.ElasticJob{}, &late{&handler.EnqueueRequestForObject{}}).
		Watches(&v1alpha1.Resize{}, &late{handler.EnqueueRequestsFromMapFunc(byResize)}).
		Watches(&corev1.Pod{}, &late{pods}).
		WatchesRawSource(source.Func(func(_ context.Context, line queue) error {
			o.reports.Store(&line)
			return nil
		})).
		Build(patiently(&reporter{o})); err != nil {
		return fmt.Errorf("building the reporter: %w", err)
	}
	if o.watching.reader, err = ctrl.NewControllerManagedBy(o.manager).Named("reader").WithOptions(options).
		For(&v1alpha1.ElasticJob{}).
		Watches(&corev1.Pod{}, pods).
		Build(patiently(&reader{o})); err != nil {
		return fmt.Errorf("building the reader: %w", err)
	}
	if o.watching.resizer, err = ctrl.NewControllerManagedBy(o.manager).Named("resizer").WithOptions(options).
		For(&v1alpha1.Resize{}).
		Watches(&v1alpha1.Resize{}, handler.EnqueueRequestsFromMapFunc(o.underWay(byResize))).
		Watches(&corev1.Pod{}, handler.EnqueueRequestsFromMapFunc(o.underWay(o.byPod))).
		Build(patiently(newResizer(o))); err != nil {
		return fmt.Errorf("building the resizer: %w", err)
	}
	return nil
}

// watchKind begins to watch the jobs of a kind that the cluster serves.
func (o *Operator) watchKind(ctx context.Context, kind adapter.Kind) error {
	o.watching.mu.Lock()
	defer o.watching.mu.Unlock()
	c, byJob := o.manager.GetCache(), o.byJob(kind)
	for _, each := range []struct {
		to      controller.Controller
		handler handler.EventHandler
	}{
		{o.watching.reporter, &late{handler.EnqueueRequestsFromMapFunc(byJob)}},
		{o.watching.reader, handler.EnqueueRequestsFromMapFunc(byJob)},
		{o.watching.resizer, handler.EnqueueRequestsFromMapFunc(o.underWay(byJob))},
	} {
		if err := each.to.Watch(source.Kind(c, kind.New(), each.handler)); err != nil {
			return err
		}
	}
	if err := o.listenTo(ctx, c, kind.New(), jobMatters(kind)); err != nil {
		return err
	}
	skip := true
	name := strings.ToLower(kind.GroupVersionKind().Kind)
	return ctrl.NewControllerManagedBy(o.manager).Named("shorthand-"+name).
		WithOptions(controller.Options{SkipNameValidation: &skip}).
		For(kind.New()).
		Watches(&v1alpha1.ElasticJob{}, handler.EnqueueRequestsFromMapFunc(jobOf(kind))).
		Complete(patiently(&shorthand{o, kind}))
}

// jobOf is the job that an ElasticJob names, and the one of its own name.
func jobOf(kind adapter.Kind) handler.MapFunc {
	return func(_ context.Context, object client.Object) []ctrl.Request {
		ej := object.(*v1alpha1.ElasticJob)
		requests := []ctrl.Request{{NamespacedName: client.ObjectKeyFromObject(ej)}} // it may have kept that job from having one
		if ej.Spec.JobRef.Kind == kind.GroupVersionKind().Kind && ej.Spec.JobRef.Name != ej.Name {
			requests = append(requests, ctrl.Request{NamespacedName: client.ObjectKey{Namespace: ej.Namespace, Name: ej.Spec.JobRef.Name}})
		}
		return requests
	}
}

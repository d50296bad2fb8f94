package operator

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/util/workqueue"
	ctrl "sigs.k8s.io/controller-runtime"
	build "sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
	"sigs.k8s.io/controller-runtime/pkg/source"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/operator/changes"
	"github.com/takt-dev/takt/operator/installed"
	"github.com/takt-dev/takt/operator/kind"
	"github.com/takt-dev/takt/operator/marking"
	"github.com/takt-dev/takt/operator/pacing"
	"github.com/takt-dev/takt/operator/resizing"
	"github.com/takt-dev/takt/operator/writing"
)

// watching are the controllers that also watch training jobs, of every kind that there is.
type watching struct {
	mu       sync.Mutex
	reporter controller.Controller
	reader   controller.Controller
	resizer  controller.Controller
	// begun counts by kind what watchKind has done: where it fails it goes on from there.
	begun map[string]int
}

// controllerOptions are those of all controllers. Of several operators in one process, as in tests, each has its own.
func controllerOptions() controller.Options {
	return controller.Options{
		SkipNameValidation: new(true), NewQueue: pacing.NewFairQueue,
		RateLimiter: workqueue.NewTypedItemExponentialFailureRateLimiter[reconcile.Request](leastRest, mostRest),
	}
}

// leastRest and mostRest are how long an object rests after one failure, and after many: after an API server that was
// away for hours nobody is to wait for a quarter of an hour.
const leastRest, mostRest = 5 * time.Millisecond, 30 * time.Second

// controllers builds those that do not depend on which kinds of jobs are installed.
func (o *Operator) controllers() error {
	for _, each := range []struct {
		name  string
		build func(*ctrl.Builder, controller.Options) error
	}{
		{"reporter", o.buildReporter}, {"reader", o.buildReader}, {"attendant", o.buildAttendant},
		{"recorder", o.buildRecorder}, {"expirer", o.buildExpirer}, {"resizer", o.buildResizer},
	} {
		begun, options := ctrl.NewControllerManagedBy(o.manager).Named(each.name), controllerOptions()
		if err := each.build(begun, options); err != nil {
			return fmt.Errorf("building the %s: %w", each.name, err)
		}
	}
	return nil
}

// looks is a reconciler that looks at no object more often than it may, and waits until it is known which kinds of jobs
// there are.
func (o *Operator) looks(r reconcile.Reconciler) reconcile.Reconciler {
	return pacing.Paced(pacing.OfLooks, o.rooms.Now, writing.Patiently(r, installed.ErrNotLooked))
}

func (o *Operator) buildReporter(b *ctrl.Builder, options controller.Options) (err error) {
	o.watching.reporter, err = b.WithOptions(options).
		Watches(&v1alpha1.ElasticJob{}, pacing.Delayed(&handler.EnqueueRequestForObject{})).
		Watches(&v1alpha1.Resize{}, pacing.Delayed(handler.EnqueueRequestsFromMapFunc(changes.ByResize))).
		Watches(&corev1.Pod{}, pacing.Delayed(handler.EnqueueRequestsFromMapFunc(o.concerned.ByPod))).
		WatchesRawSource(source.Func(o.rooms.Asks.Reporter.Open)).
		Build(o.looks(o.rooms.Reporter))
	return err
}

func (o *Operator) buildReader(b *ctrl.Builder, options controller.Options) (err error) {
	o.watching.reader, err = b.WithOptions(options).
		For(&v1alpha1.ElasticJob{}, build.WithPredicates(predicate.Funcs{UpdateFunc: func(e event.UpdateEvent) bool {
			return changes.WakesReader(e.ObjectOld, e.ObjectNew)
		}})).
		Watches(&corev1.Pod{}, handler.EnqueueRequestsFromMapFunc(o.concerned.ByPod)).
		WatchesRawSource(source.Func(o.rooms.Asks.Reader.Open)).
		Build(o.looks(o.rooms.Reader))
	return err
}

func (o *Operator) buildAttendant(b *ctrl.Builder, options controller.Options) error {
	leaves := changes.NodeLeaves(o.rooms.GPUs)
	return b.WithOptions(options).
		Watches(&corev1.Pod{}, handler.EnqueueRequestsFromMapFunc(o.concerned.ByPod),
			build.WithPredicates(predicate.NewPredicateFuncs(func(object client.Object) bool {
				pod, ok := object.(*corev1.Pod)
				return ok && resizing.Concerns(pod)
			}))).
		Watches(&v1alpha1.Resize{}, handler.EnqueueRequestsFromMapFunc(changes.ByResize),
			build.WithPredicates(predicate.Funcs{
				CreateFunc: func(e event.CreateEvent) bool { // as the process begins
					r, ok := e.Object.(*v1alpha1.Resize)
					return ok && r.Over()
				},
				DeleteFunc: func(event.DeleteEvent) bool { return false },
				UpdateFunc: func(e event.UpdateEvent) bool { return changes.ResizeMatters(e.ObjectOld, e.ObjectNew) },
			})).
		Watches(&corev1.Node{}, handler.EnqueueRequestsFromMapFunc(o.concerned.ByNode),
			build.WithPredicates(predicate.Funcs{
				CreateFunc: func(e event.CreateEvent) bool { return leaves(nil, e.Object) },
				DeleteFunc: func(event.DeleteEvent) bool { return false },
				UpdateFunc: func(e event.UpdateEvent) bool { return leaves(e.ObjectOld, e.ObjectNew) },
			})).
		Complete(o.looks(o.rooms.Attendant))
}

// buildRecorder has what has happened to jobs written down for one namespace at a time, as nobody waits for it.
func (o *Operator) buildRecorder(b *ctrl.Builder, options controller.Options) error {
	options.MaxConcurrentReconciles = 1
	return b.WithOptions(options).
		WatchesRawSource(source.Func(o.rooms.Asks.Recorder.Open)).
		Complete(writing.Patiently(o.rooms.Recorder))
}

// buildExpirer has ElasticJobs deleted whose jobs have ended, where they are not to stay: one at a time, as nobody
// waits for it.
func (o *Operator) buildExpirer(b *ctrl.Builder, options controller.Options) error {
	options.MaxConcurrentReconciles = 1
	return b.WithOptions(options).
		For(&v1alpha1.ElasticJob{}, build.WithPredicates(predicate.NewPredicateFuncs(func(object client.Object) bool {
			ej, ok := object.(*v1alpha1.ElasticJob)
			return ok && ej.Status.Over()
		}))).
		Complete(o.looks(o.rooms.Expirer))
}

func (o *Operator) buildResizer(b *ctrl.Builder, options controller.Options) (err error) {
	options.MaxConcurrentReconciles = o.rooms.ResizesAtOnce()
	o.watching.resizer, err = b.WithOptions(options).
		For(&v1alpha1.Resize{}).
		Watches(&v1alpha1.Resize{}, handler.EnqueueRequestsFromMapFunc(o.concerned.UnderWay(changes.ByResize))).
		Watches(&corev1.Pod{}, handler.EnqueueRequestsFromMapFunc(o.concerned.UnderWay(o.concerned.ByPod))).
		WatchesRawSource(source.Func(o.rooms.Asks.Resizer.Open)).
		Build(pacing.Paced(pacing.OfSteps, o.rooms.Now, writing.Patiently(o.rooms.Resizer, installed.ErrNotLooked)))
	return err
}

// watchKind begins to watch the jobs of a kind that the cluster serves. Where it fails it may be called
// again: what was begun is not begun twice.
func (o *Operator) watchKind(ctx context.Context, of kind.Kind) error {
	o.watching.mu.Lock()
	defer o.watching.mu.Unlock()
	c, byJob, name := o.manager.GetCache(), o.concerned.ByJob(of), of.GroupVersionKind().Kind
	watch := func(by controller.Controller, handle handler.EventHandler) func() error {
		return func() error { return by.Watch(source.Kind(c, of.New(), handle)) }
	}
	for i, begin := range []func() error{
		watch(o.watching.reporter, pacing.Delayed(handler.EnqueueRequestsFromMapFunc(byJob))),
		watch(o.watching.reader, handler.EnqueueRequestsFromMapFunc(byJob)),
		watch(o.watching.resizer, handler.EnqueueRequestsFromMapFunc(o.concerned.UnderWay(byJob))),
		func() error { return o.listenTo(ctx, c, of.New(), changes.JobMatters(of)) },
		func() error {
			return ctrl.NewControllerManagedBy(o.manager).Named("shorthand-"+strings.ToLower(name)).
				WithOptions(controllerOptions()).
				For(of.New()).
				Watches(&v1alpha1.ElasticJob{}, handler.EnqueueRequestsFromMapFunc(changes.JobOf(of))).
				Complete(o.looks(o.rooms.Keeper(of)))
		},
		func() error { return o.mark(of) },
	} {
		if i < o.watching.begun[name] {
			continue
		}
		if err := begin(); err != nil {
			return err
		}
		o.watching.begun[name] = i + 1
	}
	return nil
}

// mark begins to mark the pods of a kind whose template cannot be changed while its jobs run; of other kinds there is
// nothing to mark.
func (o *Operator) mark(of kind.Kind) error {
	marks, is := of.(kind.MarksPods)
	if !is {
		return nil
	}
	marker := &marking.Marker{Client: o.rooms.Client, Kind: of, Marks: marks}
	return ctrl.NewControllerManagedBy(o.manager).Named("marker-"+strings.ToLower(of.GroupVersionKind().Kind)).
		WithOptions(controllerOptions()).
		Watches(of.New(), &handler.EnqueueRequestForObject{}).
		Watches(&corev1.Pod{}, handler.EnqueueRequestsFromMapFunc(marking.ByPod(of))).
		Complete(pacing.Paced(pacing.OfSteps, o.rooms.Now, writing.Patiently(marker)))
}

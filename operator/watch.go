package operator

import (
	"context"
	"fmt"
	"maps"

	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	toolscache "k8s.io/client-go/tools/cache"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/operator/adapter"
	"github.com/takt-dev/takt/operator/capacity"
	"github.com/takt-dev/takt/operator/progress"
	"github.com/takt-dev/takt/operator/shorthand"
)

// requestsOf are the ElasticJobs of a training job.
func (o *Operator) requestsOf(ctx context.Context, namespace, job string) []reconcile.Request {
	var ejs v1alpha1.ElasticJobList
	if err := o.client.List(ctx, &ejs, client.InNamespace(namespace), client.MatchingFields{jobField: job}, atOnce); err != nil {
		return nil
	}
	var requests []reconcile.Request
	for _, ej := range ejs.Items {
		requests = append(requests, reconcile.Request{NamespacedName: types.NamespacedName{Namespace: ej.Namespace, Name: ej.Name}})
	}
	return requests
}

// byPod are the ElasticJobs that a pod belongs to.
func (o *Operator) byPod(ctx context.Context, object client.Object) []reconcile.Request {
	owner := metav1.GetControllerOf(object)
	if owner == nil {
		return nil
	}
	if _, ours := adapter.ByKind(owner.Kind); !ours {
		return nil
	}
	return o.requestsOf(ctx, object.GetNamespace(), owner.Kind+"/"+owner.Name)
}

// byJob are the ElasticJobs of a job of some kind.
func (o *Operator) byJob(kind adapter.Kind) func(context.Context, client.Object) []reconcile.Request {
	return func(ctx context.Context, object client.Object) []reconcile.Request {
		return o.requestsOf(ctx, object.GetNamespace(), kind.GroupVersionKind().Kind+"/"+object.GetName())
	}
}

// byResize is the ElasticJob of a Resize.
func byResize(_ context.Context, object client.Object) []reconcile.Request {
	return []reconcile.Request{{NamespacedName: types.NamespacedName{
		Namespace: object.GetNamespace(), Name: object.(*v1alpha1.Resize).Spec.ElasticJob,
	}}}
}

// underWay makes of ElasticJobs their Resizes that are under way.
func (o *Operator) underWay(of func(context.Context, client.Object) []reconcile.Request) func(context.Context, client.Object) []reconcile.Request {
	return func(ctx context.Context, object client.Object) []reconcile.Request {
		var requests []reconcile.Request
		for _, ej := range of(ctx, object) {
			var resizes v1alpha1.ResizeList
			if err := o.client.List(ctx, &resizes, client.InNamespace(ej.Namespace), client.MatchingFields{elasticJobField: ej.Name}, atOnce); err != nil {
				continue
			}
			for i := range resizes.Items {
				if !resizes.Items[i].Over() {
					requests = append(requests, reconcile.Request{NamespacedName: client.ObjectKeyFromObject(&resizes.Items[i])})
				}
			}
		}
		return requests
	}
}

// listen wakes the planner when something changes that a plan depends on.
func (o *Operator) listen(ctx context.Context, c cache.Cache) error {
	for _, each := range []struct {
		object  client.Object
		matters func(before, after any) bool
	}{
		{&corev1.Node{}, nodeMatters},
		{&corev1.Pod{}, o.podMatters},
		{&corev1.ResourceQuota{}, always},
		{&v1alpha1.TrainingQueue{}, generationMatters},
		{&corev1.Namespace{}, labelsMatter}, // by which a queue chooses who may use it
		{&autoscalingv2.HorizontalPodAutoscaler{}, generationMatters},
		{&v1alpha1.ElasticJob{}, generationMatters},
		{&v1alpha1.Resize{}, resizeMatters},
		{&v1alpha1.TrainingProfile{}, func(before, after any) bool { return o.shared.matters(before, after, o.now()) }},
	} {
		if err := o.listenTo(ctx, c, each.object, each.matters); err != nil {
			return err
		}
	}
	return nil
}

func (o *Operator) listenTo(ctx context.Context, c cache.Cache, object client.Object, matters func(before, after any) bool) error {
	informer, err := c.GetInformer(ctx, object, cache.BlockUntilSynced(false))
	if err != nil {
		return fmt.Errorf("watching %T: %w", object, err)
	}
	kickIf := func(before, after any) {
		if matters(before, after) {
			o.planner.hear(after)
		}
	}
	_, err = informer.AddEventHandler(toolscache.ResourceEventHandlerFuncs{
		AddFunc:    func(added any) { kickIf(nil, added) },
		UpdateFunc: kickIf,
		DeleteFunc: o.planner.hear,
	})
	return err
}

func always(any, any) bool { return true }

func generationMatters(before, after any) bool {
	a, b, ok := both[client.Object](before, after)
	return !ok || a.GetGeneration() != b.GetGeneration() || (a.GetDeletionTimestamp() == nil) != (b.GetDeletionTimestamp() == nil)
}

func labelsMatter(before, after any) bool {
	a, b, ok := both[client.Object](before, after)
	return !ok || !maps.Equal(a.GetLabels(), b.GetLabels())
}

func nodeMatters(before, after any) bool {
	a, b, ok := both[*corev1.Node](before, after)
	return !ok || a.Spec.Unschedulable != b.Spec.Unschedulable || (a.DeletionTimestamp == nil) != (b.DeletionTimestamp == nil) || !maps.Equal(a.Labels, b.Labels) ||
		!equality.Semantic.DeepEqual(a.Spec.Taints, b.Spec.Taints) ||
		!equality.Semantic.DeepEqual(a.Status.Allocatable, b.Status.Allocatable) || readiness(a) != readiness(b)
}

func readiness(node *corev1.Node) corev1.ConditionStatus {
	for _, c := range node.Status.Conditions {
		if c.Type == corev1.NodeReady {
			return c.Status
		}
	}
	return corev1.ConditionUnknown
}

// resizeMatters says that a Resize has ended. That one was made is no news to the planner.
func resizeMatters(before, after any) bool {
	a, b, ok := both[*v1alpha1.Resize](before, after)
	return ok && a.Over() != b.Over()
}

// podMatters leaves out pods without GPUs: they take none. Of one that waits it counts what its scheduler says.
func (o *Operator) podMatters(before, after any) bool {
	if pod, ok := after.(*corev1.Pod); ok && capacity.GPUs(&pod.Spec, o.gpus) == 0 {
		return false
	}
	a, b, ok := both[*corev1.Pod](before, after)
	return !ok || a.Spec.NodeName != b.Spec.NodeName || a.Status.Phase != b.Status.Phase ||
		(a.DeletionTimestamp == nil) != (b.DeletionTimestamp == nil) ||
		(len(a.Spec.SchedulingGates) == 0) != (len(b.Spec.SchedulingGates) == 0) ||
		b.Spec.NodeName == "" && (a.Status.NominatedNodeName != b.Status.NominatedNodeName || o.saysLacking(a) != o.saysLacking(b))
}

// saysLacking says that the scheduler of a pod says that it lacks GPUs, whether it has for long or not.
func (o *Operator) saysLacking(pod *corev1.Pod) bool {
	_, lacks := o.gpus.LacksSince(pod)
	return lacks
}

// jobMatters leaves out what only tells of progress: that is the reader's to tell, but of a job that is stopped, which it
// does not read.
func jobMatters(kind adapter.Kind) func(before, after any) bool {
	return func(before, after any) bool {
		a, b, ok := both[client.Object](before, after)
		if !ok {
			return true
		}
		was, is := kind.Read(a), kind.Read(b)
		_, held := was.Annotations[shorthand.HoldAnnotation]
		_, holds := is.Annotations[shorthand.HoldAnnotation]
		noted := is.Suspended && was.Annotations[progress.ProgressAnnotation] != is.Annotations[progress.ProgressAnnotation]
		return noted || held != holds || was.Size != is.Size || was.Suspended != is.Suspended || was.State != is.State || was.Asked != is.Asked ||
			a.GetGeneration() != b.GetGeneration() || !shorthand.SameWords(was.Labels, was.Annotations, is.Labels, is.Annotations)
	}
}

// both are an object before and after a change; false if there is none before.
func both[T any](before, after any) (a, b T, ok bool) {
	if before == nil {
		return a, b, false
	}
	a, okA := before.(T)
	b, okB := after.(T)
	return a, b, okA && okB
}

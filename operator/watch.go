package operator

import (
	"context"
	"fmt"

	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	toolscache "k8s.io/client-go/tools/cache"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/operator/cached"
	"github.com/takt-dev/takt/operator/changes"
	"github.com/takt-dev/takt/operator/kind"
	"github.com/takt-dev/takt/operator/kind/known"
)

// requestsOf are the ElasticJobs of a training job.
func (o *Operator) requestsOf(ctx context.Context, namespace, job string) []reconcile.Request {
	var ejs v1alpha1.ElasticJobList
	if err := o.client.List(ctx, &ejs, client.InNamespace(namespace), client.MatchingFields{cached.ByJob: job},
		cached.AtOnce); err != nil {
		// The cache is asked once, and whoever asks cannot fail: the next change, or the next look, comes to it again.
		log.FromContext(ctx).Error(err, "Cannot tell whose job has changed", "namespace", namespace, "job", job)
		return nil
	}
	var requests []reconcile.Request
	for _, ej := range ejs.Items {
		requests = append(requests, reconcile.Request{
			NamespacedName: types.NamespacedName{Namespace: ej.Namespace, Name: ej.Name},
		})
	}
	return requests
}

// byPod are the ElasticJobs that a pod belongs to.
func (o *Operator) byPod(ctx context.Context, object client.Object) []reconcile.Request {
	of, owner, ours := known.OwnerOf(object)
	if !ours {
		return nil
	}
	return o.requestsOf(ctx, object.GetNamespace(), of.GroupVersionKind().Kind+"/"+owner.Name)
}

// byNode are the ElasticJobs of which a node has workers.
func (o *Operator) byNode(ctx context.Context, node client.Object) (requests []reconcile.Request) {
	var pods corev1.PodList
	if err := o.client.List(ctx, &pods); err != nil {
		log.FromContext(ctx).Error(err, "Cannot tell whose workers are on a node", "node", node.GetName())
		return nil
	}
	for i := range pods.Items {
		if pods.Items[i].Spec.NodeName == node.GetName() {
			requests = append(requests, o.byPod(ctx, &pods.Items[i])...)
		}
	}
	return requests
}

// byJob are the ElasticJobs of a job of some kind.
func (o *Operator) byJob(of kind.Kind) func(context.Context, client.Object) []reconcile.Request {
	return func(ctx context.Context, object client.Object) []reconcile.Request {
		return o.requestsOf(ctx, object.GetNamespace(), of.GroupVersionKind().Kind+"/"+object.GetName())
	}
}

// byResize is the ElasticJob of a Resize.
func byResize(_ context.Context, object client.Object) []reconcile.Request {
	return []reconcile.Request{{NamespacedName: types.NamespacedName{
		Namespace: object.GetNamespace(), Name: object.(*v1alpha1.Resize).Spec.ElasticJob,
	}}}
}

// underWay makes of ElasticJobs their Resizes that are under way.
func (o *Operator) underWay(of func(context.Context, client.Object) []reconcile.Request) func(context.Context,
	client.Object) []reconcile.Request {
	return func(ctx context.Context, object client.Object) []reconcile.Request {
		var requests []reconcile.Request
		for _, ej := range of(ctx, object) {
			var resizes v1alpha1.ResizeList
			if err := o.client.List(ctx, &resizes, client.InNamespace(ej.Namespace),
				client.MatchingFields{cached.ByElasticJob: ej.Name}, cached.AtOnce); err != nil {
				log.FromContext(ctx).Error(err, "Cannot tell which Resizes are under way", "elasticjob", ej.NamespacedName)
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
		{&corev1.Node{}, changes.NodeMatters(o.gpus)},
		{&corev1.Pod{}, changes.PodMatters(o.gpus)},
		{&corev1.ResourceQuota{}, changes.Always},
		{&v1alpha1.TrainingQueue{}, changes.GenerationMatters},
		{&corev1.Namespace{}, changes.LabelsMatter}, // by which a queue chooses who may use it
		{&autoscalingv2.HorizontalPodAutoscaler{}, changes.GenerationMatters},
		{&v1alpha1.ElasticJob{}, changes.ElasticJobMatters},
		{&v1alpha1.Resize{}, changes.ResizeMatters},
		{&v1alpha1.TrainingProfile{}, func(before, after any) bool { return o.shared.Matters(before, after, o.now()) }},
	} {
		if err := o.listenTo(ctx, c, each.object, each.matters); err != nil {
			return err
		}
	}
	return nil
}

func (o *Operator) listenTo(ctx context.Context, c cache.Cache, object client.Object,
	matters func(before, after any) bool) error {
	informer, err := c.GetInformer(ctx, object, cache.BlockUntilSynced(false))
	if err != nil {
		return fmt.Errorf("watching %T: %w", object, err)
	}
	kickIf := func(before, after any) {
		if matters(before, after) {
			o.planner.Hear(after)
		}
	}
	_, err = informer.AddEventHandler(toolscache.ResourceEventHandlerFuncs{
		AddFunc:    func(added any) { kickIf(nil, added) },
		UpdateFunc: kickIf,
		DeleteFunc: o.planner.Hear,
	})
	return err
}

package changes

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/operator/cached"
	"github.com/takt-dev/takt/operator/kind"
	"github.com/takt-dev/takt/operator/kind/known"
)

// Concerned finds those whom a change of an object concerns.
type Concerned struct{ Client client.Reader }

// requestsOf are the ElasticJobs of a training job.
func (c Concerned) requestsOf(ctx context.Context, namespace, job string) []reconcile.Request {
	var ejs v1alpha1.ElasticJobList
	if err := c.Client.List(ctx, &ejs, client.InNamespace(namespace), client.MatchingFields{cached.ByJob: job},
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

// ByPod are the ElasticJobs that a pod belongs to.
func (c Concerned) ByPod(ctx context.Context, object client.Object) []reconcile.Request {
	of, owner, ours := known.OwnerOf(object)
	if !ours {
		return nil
	}
	return c.requestsOf(ctx, object.GetNamespace(), of.GroupVersionKind().Kind+"/"+owner.Name)
}

// ByNode are the ElasticJobs of which a node has workers.
func (c Concerned) ByNode(ctx context.Context, node client.Object) (requests []reconcile.Request) {
	var pods corev1.PodList
	if err := c.Client.List(ctx, &pods); err != nil {
		log.FromContext(ctx).Error(err, "Cannot tell whose workers are on a node", "node", node.GetName())
		return nil
	}
	for i := range pods.Items {
		if pods.Items[i].Spec.NodeName == node.GetName() {
			requests = append(requests, c.ByPod(ctx, &pods.Items[i])...)
		}
	}
	return requests
}

// ByJob are the ElasticJobs of a job of some kind.
func (c Concerned) ByJob(of kind.Kind) func(context.Context, client.Object) []reconcile.Request {
	return func(ctx context.Context, object client.Object) []reconcile.Request {
		return c.requestsOf(ctx, object.GetNamespace(), of.GroupVersionKind().Kind+"/"+object.GetName())
	}
}

// ByResize is the ElasticJob of a Resize.
func ByResize(_ context.Context, object client.Object) []reconcile.Request {
	return []reconcile.Request{{NamespacedName: types.NamespacedName{
		Namespace: object.GetNamespace(), Name: object.(*v1alpha1.Resize).Spec.ElasticJob,
	}}}
}

// UnderWay makes of ElasticJobs their Resizes that are under way.
func (c Concerned) UnderWay(of func(context.Context, client.Object) []reconcile.Request) func(context.Context,
	client.Object) []reconcile.Request {
	return func(ctx context.Context, object client.Object) []reconcile.Request {
		var requests []reconcile.Request
		for _, ej := range of(ctx, object) {
			var resizes v1alpha1.ResizeList
			if err := c.Client.List(ctx, &resizes, client.InNamespace(ej.Namespace),
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

// JobOf is the job that an ElasticJob names, and the one of its own name.
func JobOf(of kind.Kind) handler.MapFunc {
	return func(_ context.Context, object client.Object) []reconcile.Request {
		ej := object.(*v1alpha1.ElasticJob)
		// it may have kept that job from having one
		requests := []reconcile.Request{{NamespacedName: client.ObjectKeyFromObject(ej)}}
		if ej.Spec.JobRef.Kind == of.GroupVersionKind().Kind && ej.Spec.JobRef.Name != ej.Name {
			requests = append(requests, reconcile.Request{
				NamespacedName: client.ObjectKey{Namespace: ej.Namespace, Name: ej.Spec.JobRef.Name},
			})
		}
		return requests
	}
}

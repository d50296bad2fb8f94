package marking

import (
	"context"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/takt-dev/takt/operator/cached"
	"github.com/takt-dev/takt/operator/kind"
	"github.com/takt-dev/takt/operator/kind/known"
	"github.com/takt-dev/takt/operator/writing"
)

// Marker marks the pods of the jobs of one kind. A pod that nobody marks is placed by itself after a while, so nothing
// depends on it.
type Marker struct {
	Client client.Client
	Kind   kind.Kind
	Marks  kind.MarksPods // the same
}

// Reconcile marks the pods of one job.
func (m *Marker) Reconcile(ctx context.Context, request reconcile.Request) (reconcile.Result, error) {
	job := m.Kind.New()
	if err := m.Client.Get(ctx, request.NamespacedName, job); err != nil {
		return reconcile.Result{}, client.IgnoreNotFound(err)
	}
	if job.GetAnnotations()[kind.AskAnnotation] == "" {
		return reconcile.Result{}, nil
	}
	var pods corev1.PodList
	owned := client.MatchingFields{cached.ByOwner: string(job.GetUID())}
	if err := m.Client.List(ctx, &pods, client.InNamespace(job.GetNamespace()), owned, cached.AtOnce); err != nil {
		return reconcile.Result{}, fmt.Errorf("listing the pods of %s: %w", request, err)
	}
	for i := range pods.Items {
		pod := &pods.Items[i]
		patch, err := m.Marks.Marks(job, pod)
		if err != nil {
			return reconcile.Result{}, err
		}
		if patch == nil || pod.DeletionTimestamp != nil {
			continue
		}
		if err := m.Client.Patch(ctx, pod.DeepCopy(), writing.Merge(patch)); client.IgnoreNotFound(err) != nil {
			return reconcile.Result{}, fmt.Errorf("marking pod %s/%s: %w", pod.Namespace, pod.Name, err)
		}
	}
	return reconcile.Result{}, nil
}

// ByPod is the job of a kind that a pod belongs to.
func ByPod(of kind.Kind) func(context.Context, client.Object) []reconcile.Request {
	return func(_ context.Context, pod client.Object) []reconcile.Request {
		is, owner, ours := known.OwnerOf(pod)
		if !ours || is.GroupVersionKind() != of.GroupVersionKind() {
			return nil
		}
		return []reconcile.Request{{NamespacedName: client.ObjectKey{Namespace: pod.GetNamespace(), Name: owner.Name}}}
	}
}

package writing

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/operator/kind"
)

// Onto is a patch that is refused unless the object is still as it was before. What is patched is a
// copy: what was read is shared with the cache.
func Onto(before client.Object) client.Patch {
	return client.MergeFromWithOptions(before, client.MergeFromWithOptimisticLock{})
}

// Remove deletes an object, that one and no later one of its name. One that is gone already is no error.
func Remove(ctx context.Context, c client.Client, object client.Object) error {
	uid := object.GetUID()
	return remove(ctx, c, object, client.Preconditions{UID: &uid})
}

// RemoveAsRead deletes an object unless anything of it has changed since it was read. One that is gone already is no
// error.
func RemoveAsRead(ctx context.Context, c client.Client, object client.Object) error {
	uid, version := object.GetUID(), object.GetResourceVersion()
	return remove(ctx, c, object, client.Preconditions{UID: &uid, ResourceVersion: &version})
}

func remove(ctx context.Context, c client.Client, object client.Object, as client.Preconditions) error {
	deleted := object.DeepCopyObject().(client.Object)
	return client.IgnoreNotFound(c.Delete(ctx, deleted, as))
}

// PatchJob patches a training job of some kind.
func PatchJob(ctx context.Context, c client.Client, of kind.Kind, job kind.Job, patch client.Patch) error {
	patched := of.New()
	patched.SetNamespace(job.Namespace)
	patched.SetName(job.Name)
	return c.Patch(ctx, patched, patch)
}

// OwnedBy is the reference of what belongs to an ElasticJob.
func OwnedBy(ej *v1alpha1.ElasticJob) metav1.OwnerReference {
	yes := true
	return metav1.OwnerReference{
		APIVersion: v1alpha1.GroupVersion.String(), Kind: "ElasticJob", Name: ej.Name, UID: ej.UID, Controller: &yes,
	}
}

// OwnedByJob is the reference of an ElasticJob to its training job, with which it goes.
func OwnedByJob(of kind.Kind, job kind.Job) metav1.OwnerReference {
	gvk := of.GroupVersionKind()
	return metav1.OwnerReference{
		APIVersion: gvk.GroupVersion().String(), Kind: gvk.Kind, Name: job.Name, UID: job.UID,
	}
}

// Merge is a patch that says what changes, as JSON.
func Merge(patch []byte) client.Patch { return client.RawPatch(types.MergePatchType, patch) }

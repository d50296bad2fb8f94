package operator

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/operator/adapter"
)

// letGo frees a job that has no ElasticJob: if Takt has stopped it, it runs again, and nothing of Takt stays
// on the template of its pods. All else stays as it is.
func (o *keeper) letGo(ctx context.Context, w *written) error {
	patch, err := o.kind.Release(w.object, adapter.Release{At: o.now()})
	if err != nil || patch == nil {
		return err
	}
	var all v1alpha1.ElasticJobList
	if err := o.client.List(ctx, &all, client.InNamespace(w.job.Namespace), client.MatchingFields{jobField: w.job.Kind + "/" + w.job.Name}); err != nil {
		return err
	}
	if len(all.Items) > 0 {
		return nil
	}
	if err := o.patchJob(ctx, o.kind, w.job, mergePatch(patch)); err != nil {
		return client.IgnoreNotFound(err)
	}
	if w.job.StoppedByTakt() {
		o.events.tell(w.object, corev1.EventTypeNormal, "Resumed", "Takt had stopped this job, and lets go of it: it runs again.")
	}
	return nil
}

func mergePatch(patch []byte) client.Patch { return client.RawPatch(types.MergePatchType, patch) }

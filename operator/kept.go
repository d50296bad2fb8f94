package operator

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/log"

	"github.com/takt-dev/takt/elastic/resize"
	"github.com/takt-dev/takt/operator/shorthand"
	"github.com/takt-dev/takt/operator/writing"
)

// dueAt is the moment that the deadline on a job means. One that counts from when it was written is found
// once and kept on the job, before anything goes by it: so it is the same after an outage, and after its
// ElasticJob was deleted.
func (o *keeper) dueAt(ctx context.Context, w *written) (time.Time, error) {
	if at, fixed := w.said.Due.Fixed(); fixed {
		return at, nil
	}
	if at, kept := shorthand.DecodeMoment(w.job.UID, w.said.Deadline, w.job.Annotations); kept {
		return at, nil
	}
	// The cache does not have who has written what when, and may not have yet what was kept.
	fresh := o.kind.New()
	if err := o.live.Get(ctx, client.ObjectKeyFromObject(w.object), fresh); err != nil {
		return time.Time{}, fmt.Errorf("looking at %s %s: %w", w.job.Kind, w.job.Name, err)
	}
	if fresh.GetUID() != w.job.UID || fresh.GetAnnotations()[shorthand.DeadlineAnnotation] != w.said.Deadline {
		return time.Time{}, o.outdated(w)
	}
	if at, kept := shorthand.DecodeMoment(w.job.UID, w.said.Deadline, fresh.GetAnnotations()); kept {
		return at, nil
	}
	w.version = fresh.GetResourceVersion()
	from := o.now()
	if at, known := shorthand.WrittenAt(fresh.GetManagedFields(), shorthand.DeadlineAnnotation); known && at.Before(from) {
		from = at
	}
	at := w.said.Due.From(from).Truncate(time.Second)
	text, err := shorthand.EncodeMoment(w.job.UID, w.said.Deadline, at)
	if err != nil {
		return time.Time{}, err
	}
	err = o.note(ctx, w, map[string]*string{shorthand.MomentAnnotation: &text})
	if writing.RefusedForGood(err) {
		// Somebody guards the job. Its deadline is found from the same again, if nobody writes to it.
		log.FromContext(ctx).Error(err, "Could not keep on the job what its deadline means")
		err = nil
	}
	return at, err
}

// outdated is a conflict: the job is another than the cache has.
func (o *keeper) outdated(w *written) error {
	resource := schema.GroupResource{Group: o.kind.GroupVersionKind().Group, Resource: w.job.Kind}
	return apierrors.NewConflict(resource, w.job.Name, fmt.Errorf("it has changed since it was read"))
}

// markTaken keeps on the job that it has had an ElasticJob for what is written on it. It comes after that
// was made: a process that ends in between makes none too few.
func (o *keeper) markTaken(ctx context.Context, w *written) error {
	if shorthand.WasTaken(w.job.UID, w.said, w.job.Annotations) || w.job.State != resize.JobGoesOn {
		return nil
	}
	text, err := shorthand.EncodeTaken(w.job.UID, w.said)
	if err != nil {
		return err
	}
	err = o.note(ctx, w, map[string]*string{shorthand.TakenAnnotation: &text})
	if writing.RefusedForGood(err) {
		log.FromContext(ctx).Error(err, "Could not keep on the job that it is looked after")
		return nil
	}
	return client.IgnoreNotFound(err)
}

// forgetTaken takes off a job what Takt keeps on it for words that are not there any more.
func (o *keeper) forgetTaken(ctx context.Context, w *written) error {
	gone := map[string]*string{}
	for _, key := range []string{shorthand.MomentAnnotation, shorthand.TakenAnnotation} {
		if _, there := w.job.Annotations[key]; there {
			gone[key] = nil
		}
	}
	if len(gone) == 0 {
		return nil
	}
	err := o.note(ctx, w, gone)
	if writing.RefusedForGood(err) {
		log.FromContext(ctx).Error(err, "Could not take off the job what was kept on it")
		return nil
	}
	return client.IgnoreNotFound(err)
}

// note writes annotations on the job, of this UID and resourceVersion; nil takes one off.
func (o *keeper) note(ctx context.Context, w *written, annotations map[string]*string) error {
	patch, err := json.Marshal(map[string]any{"metadata": map[string]any{
		"uid": w.job.UID, "resourceVersion": w.version, "annotations": annotations,
	}})
	if err != nil {
		return fmt.Errorf("writing to %s %s: %w", w.job.Kind, w.job.Name, err)
	}
	patched := o.kind.New()
	patched.SetNamespace(w.job.Namespace)
	patched.SetName(w.job.Name)
	if err := o.client.Patch(ctx, patched, client.RawPatch(types.MergePatchType, patch), client.FieldOwner(shorthand.Manager)); err != nil {
		return err
	}
	w.version = patched.GetResourceVersion()
	return nil
}

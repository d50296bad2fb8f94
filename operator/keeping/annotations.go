package keeping

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
func (k *Keeper) dueAt(ctx context.Context, w *Written) (time.Time, error) {
	if at, fixed := w.said.Due.Fixed(); fixed {
		return at, nil
	}
	if at, kept := shorthand.DecodeMoment(w.Job.UID, w.said.Deadline, w.Job.Annotations); kept {
		return at, nil
	}
	// The cache does not have who has written what when, and may not have yet what was kept.
	fresh := k.Kind.New()
	if err := k.Live.Get(ctx, client.ObjectKeyFromObject(w.Object), fresh); err != nil {
		return time.Time{}, fmt.Errorf("looking at %s %s: %w", w.Job.Kind, w.Job.Name, err)
	}
	if fresh.GetUID() != w.Job.UID || !shorthand.SameWords(w.Job.Labels, w.Job.Annotations, fresh.GetLabels(),
		fresh.GetAnnotations()) {
		return time.Time{}, k.outdated(w)
	}
	if at, kept := shorthand.DecodeMoment(w.Job.UID, w.said.Deadline, fresh.GetAnnotations()); kept {
		return at, nil
	}
	w.is(k.Kind, fresh)
	from := k.Now()
	if at, known := shorthand.WrittenAt(fresh.GetManagedFields(), shorthand.DeadlineAnnotation); known && at.Before(from) {
		from = at
	}
	at := w.said.Due.From(from).Truncate(time.Second)
	text, err := shorthand.EncodeMoment(w.Job.UID, w.said.Deadline, at)
	if err != nil {
		return time.Time{}, err
	}
	err = k.note(ctx, w, map[string]*string{shorthand.MomentAnnotation: &text})
	if writing.RefusedForGood(err) {
		// Somebody guards the job. Its deadline is found from the same again, if nobody writes to it.
		log.FromContext(ctx).Error(err, "Could not keep on the job what its deadline means")
		err = nil
	}
	return at, err
}

// outdated is a conflict: the job is another than the cache has.
func (k *Keeper) outdated(w *Written) error {
	resource := schema.GroupResource{Group: k.Kind.GroupVersionKind().Group, Resource: w.Job.Kind}
	return apierrors.NewConflict(resource, w.Job.Name, fmt.Errorf("it has changed since it was read"))
}

// markTaken keeps on the job that it has had an ElasticJob for what is written on it. It comes after that
// was made: a process that ends in between makes none too few.
func (k *Keeper) markTaken(ctx context.Context, w *Written) error {
	if shorthand.WasTaken(w.Job.UID, w.said, w.Job.Annotations) || w.Job.State != resize.JobGoesOn {
		return nil
	}
	text, err := shorthand.EncodeTaken(w.Job.UID, w.said)
	if err != nil {
		return err
	}
	kept, queue := map[string]*string{shorthand.TakenAnnotation: &text}, w.Job.Labels[shorthand.QueueLabel]
	if _, known := shorthand.Since(w.Job.UID, queue, w.Job.Annotations); !known && w.said.Deadline == "" {
		since, err := shorthand.EncodeSince(w.Job.UID, queue, w.Ej.CreationTimestamp.Time)
		if err != nil {
			return err
		}
		kept[shorthand.MomentAnnotation] = &since
	}
	err = k.note(ctx, w, kept)
	if writing.RefusedForGood(err) {
		log.FromContext(ctx).Error(err, "Could not keep on the job that it is looked after")
		return nil
	}
	return client.IgnoreNotFound(err)
}

// forgetTaken takes off a job what Takt keeps on it for words that are not there any more.
func (k *Keeper) forgetTaken(ctx context.Context, w *Written) error {
	gone := map[string]*string{}
	for _, key := range []string{shorthand.MomentAnnotation, shorthand.TakenAnnotation} {
		if _, there := w.Job.Annotations[key]; there {
			gone[key] = nil
		}
	}
	if len(gone) == 0 {
		return nil
	}
	err := k.note(ctx, w, gone)
	if writing.RefusedForGood(err) {
		log.FromContext(ctx).Error(err, "Could not take off the job what was kept on it")
		return nil
	}
	return client.IgnoreNotFound(err)
}

// note writes annotations on the job, as it was last read; nil takes one off. What was written on it meanwhile and does
// not matter is no hindrance.
func (k *Keeper) note(ctx context.Context, w *Written, annotations map[string]*string) error {
	return k.insistent().Write(ctx, w.Object, func(object client.Object) error {
		patch, err := json.Marshal(map[string]any{"metadata": map[string]any{
			"uid": object.GetUID(), "resourceVersion": object.GetResourceVersion(), "annotations": annotations,
		}})
		if err != nil {
			return fmt.Errorf("writing to %s %s: %w", w.Job.Kind, w.Job.Name, err)
		}
		patched := k.Kind.New()
		patched.SetNamespace(w.Job.Namespace)
		patched.SetName(w.Job.Name)
		if err := k.Client.Patch(ctx, patched, client.RawPatch(types.MergePatchType, patch),
			client.FieldOwner(shorthand.Manager)); err != nil {
			return err
		}
		w.is(k.Kind, patched)
		return nil
	})
}

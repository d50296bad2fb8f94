package operator

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic/resize"
	"github.com/takt-dev/takt/operator/adapter"
	"github.com/takt-dev/takt/operator/pacing"
	"github.com/takt-dev/takt/operator/shorthand"
	"github.com/takt-dev/takt/operator/telling"
	"github.com/takt-dev/takt/operator/view"
	"github.com/takt-dev/takt/operator/wording"
	"github.com/takt-dev/takt/operator/writing"
)

// wordsPace is for what is written on a job anew, each of which takes some writes.
var wordsPace = pacing.Pace{Most: 10, Every: 10 * time.Second}

// keeper keeps the ElasticJob of one training job as its label and annotations say. Each field belongs
// to whoever has said it, by the rules of server-side apply: what somebody has set on the ElasticJob is
// left alone.
type keeper struct {
	*Operator
	kind adapter.Kind
}

// written is a training job with what is written on it, and its ElasticJob if it has one.
type written struct {
	object client.Object
	job    adapter.Job
	said   shorthand.Said
	ej     *v1alpha1.ElasticJob
	// version is the resourceVersion of the job, as it was last read or written.
	version string
	// faulty says that somebody is told of what cannot be done as it is written.
	faulty bool
}

// asks says that Takt is to look after the job, or to say why it does not.
func (w *written) asks() bool { return w.said.Asks || w.isMeant() }

// isMeant says that what is written on the job does not ask Takt to look after it, but was written for it and cannot
// be used. An ElasticJob says so until that is put right or taken off. It holds no job that Takt looked after, and
// lets it go first; nor one of which somebody has said more in the ElasticJob.
func (w *written) isMeant() bool {
	return !w.said.Asks && len(w.said.Faults) > 0 &&
		(w.ej == nil || w.made() && !view.TakenOn(&w.ej.Status) && !shorthand.OwnersOf(w.ej).Touched)
}

// made says that the ElasticJob was made from what is written on the job.
func (w *written) made() bool { return w.ej != nil && w.ej.Labels[shorthand.MadeLabel] != "" }

// Reconcile makes, changes or removes the ElasticJob of a job.
func (o *keeper) Reconcile(ctx context.Context, request reconcile.Request) (reconcile.Result, error) {
	w := &written{object: o.kind.New()}
	if err := o.client.Get(ctx, request.NamespacedName, w.object); err != nil {
		return reconcile.Result{}, client.IgnoreNotFound(err)
	}
	w.job, w.version = o.kind.Read(w.object), w.object.GetResourceVersion()
	w.said = shorthand.Read(w.job.Labels, w.job.Annotations, o.settings.Zone())
	var ej v1alpha1.ElasticJob
	if err := o.client.Get(ctx, request.NamespacedName, &ej); err == nil {
		w.ej = &ej
	} else if client.IgnoreNotFound(err) != nil {
		return reconcile.Result{}, err
	}
	if o.anew(w) {
		if wait := o.words.Spend(request.NamespacedName, wordsPace, o.now()); wait > 0 {
			return reconcile.Result{RequeueAfter: wait}, nil
		}
	}
	err := o.bringInLine(ctx, w)
	if err == nil && w.faulty { // the API server forgets what it was told of, and the fault may still be there
		return reconcile.Result{RequeueAfter: telling.EventLives}, nil
	}
	return reconcile.Result{}, err
}

// anew says that what is kept on the job is of other words than those on it: there will be some writes.
func (o *keeper) anew(w *written) bool {
	if _, kept := w.job.Annotations[shorthand.TakenAnnotation]; kept || w.asks() {
		return !shorthand.WasTaken(w.job.UID, w.said, w.job.Annotations)
	}
	return false
}

func (o *keeper) bringInLine(ctx context.Context, w *written) error {
	exists := w.ej != nil
	switch {
	case w.job.State == resize.JobDeleted:
		return nil
	case exists && w.ej.DeletionTimestamp != nil:
		return nil // its end wakes this one
	case exists && !refersTo(w.ej, w.job):
		if w.said.Asks {
			w.faulty = true
			o.events.Warn(w.object, "ElasticJobTaken", "ElasticJob %s is for %s, so none can be made for this job: delete that one, or rename one of the jobs.",
				w.ej.Name, w.ej.Spec.JobRef.String())
		}
		return nil
	case !w.asks():
		return o.withdraw(ctx, w)
	case exists && view.OfEarlierJob(w.ej, w.job.UID):
		if w.made() {
			return writing.Remove(ctx, o.client, w.ej)
		}
		return nil // it goes with that job
	case !exists && w.job.State != resize.JobGoesOn:
		return nil
	case !exists && shorthand.WasTaken(w.job.UID, w.said, w.job.Annotations):
		return o.released(ctx, w)
	case !exists && w.isMeant():
		if err := o.letGo(ctx, w); err != nil {
			return err
		}
	}
	if err := o.keep(ctx, w); err != nil || !exists || w.isMeant() {
		return err // once it exists it wakes this one
	}
	return o.markTaken(ctx, w)
}

// withdraw is for a job that does not ask, or not any more. An ElasticJob that was made from what it said
// goes, unless somebody has set a field of it since.
func (o *keeper) withdraw(ctx context.Context, w *written) error {
	// First, so that the same words make an ElasticJob again, even if this process ends in between.
	if err := o.forgetTaken(ctx, w); err != nil {
		return err
	}
	switch {
	case w.ej == nil:
		if w.job.State == resize.JobGoesOn {
			o.tellFaults(w, "")
		}
		return o.letGo(ctx, w)
	case w.made() && !shorthand.OwnersOf(w.ej).Touched:
		return writing.Remove(ctx, o.client, w.ej)
	default:
		return o.keep(ctx, w)
	}
}

// keep makes the ElasticJob, or brings the fields in line that are the job's to say.
func (o *keeper) keep(ctx context.Context, w *written) error {
	says := maps.Clone(w.said.Fields)
	if due := w.said.Due; due != nil {
		at, err := o.dueAt(ctx, w)
		if err != nil {
			return err
		}
		says[shorthand.Deadline] = string(v1alpha1.NewTime(at))
	}
	wanted, ours := says, w.ej == nil || w.made() && w.asks()
	if w.ej != nil {
		has, owners := shorthand.Of(&w.ej.Spec), shorthand.OwnersOf(w.ej)
		wanted = w.said.Wanted(says, has, owners)
		if owners.Settled(wanted, has) && ours == w.made() {
			o.tellFaults(w, "")
			return nil
		}
	}
	err := o.apply(ctx, w, wanted, ours)
	if !apierrors.IsInvalid(err) {
		if err == nil {
			o.tellFaults(w, "")
		}
		return err
	}
	o.tellFaults(w, plainly(err))
	return nil
}

// apply writes the fields that come from the job, and takes back those that did and do no more. It does
// not force: should somebody have set one of them in this moment, it is refused, and tried anew.
func (o *keeper) apply(ctx context.Context, w *written, wanted shorthand.Fields, ours bool) error {
	metadata := map[string]any{"namespace": w.job.Namespace, "name": w.job.Name}
	if ours {
		metadata["labels"] = map[string]string{shorthand.MadeLabel: "true"}
		metadata["ownerReferences"] = []any{writing.OwnedByJob(o.kind, w.job)}
	}
	if w.ej != nil {
		metadata["uid"] = w.ej.UID // one that was deleted meanwhile is not made again
	}
	spec := wanted.Spec()
	spec["jobRef"] = v1alpha1.JobReference{APIVersion: o.kind.GroupVersionKind().GroupVersion().String(), Kind: w.job.Kind, Name: w.job.Name}
	configuration, err := json.Marshal(map[string]any{
		"apiVersion": v1alpha1.GroupVersion.String(), "kind": "ElasticJob", "metadata": metadata, "spec": spec,
	})
	if err != nil {
		return fmt.Errorf("writing ElasticJob %s: %w", w.job.Name, err)
	}
	var applied v1alpha1.ElasticJob
	applied.Namespace, applied.Name = w.job.Namespace, w.job.Name
	return o.client.Patch(ctx, &applied, client.RawPatch(types.ApplyPatchType, configuration), client.FieldOwner(shorthand.Manager))
}

// tellFaults says on the job what of it cannot be used, with what the API server has to say about it.
func (o *keeper) tellFaults(w *written, refused string) {
	told := wording.Sentences(shorthand.Sentences(w.said.Faults), refused)
	if told != "" {
		w.faulty = true
		o.events.Warn(w.object, view.ReasonMisspelt, "What is written on the job cannot be used: %s", told)
	}
}

// released is for a job of which somebody has deleted the ElasticJob: Takt lets go of it until what is
// written on it changes.
func (o *keeper) released(ctx context.Context, w *written) error {
	err := o.live.Get(ctx, client.ObjectKeyFromObject(w.object), &v1alpha1.ElasticJob{})
	if !apierrors.IsNotFound(err) {
		return err // there is one, and the cache will have it in a moment
	}
	job := o.kind.New()
	if err := o.live.Get(ctx, client.ObjectKeyFromObject(w.object), job); err != nil || job.GetUID() != w.job.UID || job.GetDeletionTimestamp() != nil {
		return client.IgnoreNotFound(err) // the ElasticJob has gone with it
	}
	o.events.Tell(w.object, corev1.EventTypeNormal, "LetGo", "Its ElasticJob was deleted, so Takt leaves this job as it is. For Takt to look after it again, "+
		"change what is written on it for Takt, or take the annotation %s off it.", shorthand.TakenAnnotation)
	return o.letGo(ctx, w)
}

func refersTo(ej *v1alpha1.ElasticJob, job adapter.Job) bool {
	return ej.Spec.JobRef.Kind == job.Kind && ej.Spec.JobRef.Name == job.Name
}

// plainly is an error of the API server without what only machines need.
func plainly(err error) string {
	text := err.Error()
	if _, after, found := strings.Cut(text, " is invalid: "); found {
		return after
	}
	return text
}

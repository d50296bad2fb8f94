package keeping

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic/resize"
	"github.com/takt-dev/takt/operator/kind"
	"github.com/takt-dev/takt/operator/pacing"
	"github.com/takt-dev/takt/operator/shorthand"
	"github.com/takt-dev/takt/operator/telling"
	"github.com/takt-dev/takt/operator/view"
	"github.com/takt-dev/takt/operator/writing"
)

// WordsPace is for what is written on a job anew, each of which takes some writes.
var WordsPace = pacing.Pace{Most: 10, Every: 10 * time.Second}

// Keeper keeps the ElasticJob of one training job as its label and annotations say. Each field belongs
// to whoever has said it, by the rules of server-side apply: what somebody has set on the ElasticJob is
// left alone.
type Keeper struct {
	Client client.Client
	Live   client.Reader
	Events *telling.Recorder
	Kind   kind.Kind
	Zone   *time.Location     // of moments that are written without one
	Words  *pacing.Allowances // that were written on jobs anew
	Now    func() time.Time
	// StopWithin is how long the pods of a job that was stopped are waited for, before it runs again.
	StopWithin time.Duration
}

// Written is a training job, as it was last read or written, with what is written on it, and with its ElasticJob if it
// has one.
type Written struct {
	Object client.Object
	Job    kind.Job
	said   shorthand.Said
	Ej     *v1alpha1.ElasticJob
	// faulty says that somebody is told of what cannot be done as it is written.
	faulty bool
	// leaving says that it is let go of once its pods are gone.
	leaving bool
}

// is takes the job as it has just been read or written.
func (w *Written) is(of kind.Kind, object client.Object) { w.Object, w.Job = object, of.Read(object) }

// asks says that Takt is to look after the job, or to say why it does not.
func (w *Written) asks() bool { return w.said.Asks || w.isMeant() }

// isMeant says that what is written on the job does not ask Takt to look after it, but was written for it and cannot
// be used. An ElasticJob says so until that is put right or taken off. It holds no job that Takt looked after, and
// lets it go first; nor one of which somebody has said more in the ElasticJob.
func (w *Written) isMeant() bool {
	return !w.said.Asks && slices.ContainsFunc(w.said.Faults, func(f shorthand.Fault) bool { return !f.Reported }) &&
		(w.Ej == nil || w.made() && !view.TakenOn(&w.Ej.Status) && !shorthand.OwnersOf(w.Ej).Touched)
}

// made says that the ElasticJob was made from what is written on the job.
func (w *Written) made() bool { return w.Ej != nil && w.Ej.Labels[shorthand.MadeLabel] != "" }

// Reconcile makes, changes or removes the ElasticJob of a job.
func (k *Keeper) Reconcile(ctx context.Context, request reconcile.Request) (reconcile.Result, error) {
	w := &Written{Object: k.Kind.New()}
	if err := k.Client.Get(ctx, request.NamespacedName, w.Object); err != nil {
		return reconcile.Result{}, client.IgnoreNotFound(err)
	}
	w.is(k.Kind, w.Object)
	said := shorthand.Read(w.Job.Labels, w.Job.Annotations, k.Zone).Of(w.Job.Name)
	w.said = said.OnPods(w.Job.Worker, w.Job.Leader).AsOf(k.Now())
	var ej v1alpha1.ElasticJob
	if err := k.Client.Get(ctx, request.NamespacedName, &ej); err == nil {
		w.Ej = &ej
	} else if client.IgnoreNotFound(err) != nil {
		return reconcile.Result{}, err
	}
	if k.anew(w) {
		if wait := k.Words.Spend(request.NamespacedName, WordsPace, k.Now()); wait > 0 {
			return reconcile.Result{RequeueAfter: wait}, nil
		}
	}
	if why := k.Kind.Ignores(w.Object); why != "" && w.Ej == nil {
		if w.asks() {
			k.Events.Warn(w.Object, "Ignored", "%s", why)
			return reconcile.Result{RequeueAfter: telling.EventLives}, nil
		}
		return reconcile.Result{}, nil
	}
	err := k.bringInLine(ctx, w)
	if err == nil && w.leaving {
		return reconcile.Result{RequeueAfter: lookAgain}, nil
	}
	if err == nil && w.faulty { // the API server forgets what it was told of, and the fault may still be there
		return reconcile.Result{RequeueAfter: telling.EventLives}, nil
	}
	return reconcile.Result{}, err
}

// anew says that what is kept on the job is of other words than those on it: there will be some writes.
func (k *Keeper) anew(w *Written) bool {
	if _, kept := w.Job.Annotations[shorthand.TakenAnnotation]; kept || w.asks() {
		return !shorthand.WasTaken(w.Job.UID, w.said, w.Job.Annotations)
	}
	return false
}

func (k *Keeper) bringInLine(ctx context.Context, w *Written) error {
	exists := w.Ej != nil
	switch {
	case w.Job.State == resize.JobDeleted:
		return nil
	case exists && w.Ej.DeletionTimestamp != nil:
		return nil // its end wakes this one
	case exists && !refersTo(w.Ej, w.Job):
		if w.said.Asks {
			w.faulty = true
			k.Events.Warn(w.Object, "ElasticJobTaken",
				"ElasticJob %s is for %s, so none can be made for this job: delete that one, or rename one of the jobs.",
				w.Ej.Name, w.Ej.Spec.JobRef.String())
		}
		return k.letGo(ctx, w) // it was held until there is one
	case !w.asks():
		return k.withdraw(ctx, w)
	case exists && view.OfEarlierJob(w.Ej, w.Job.UID):
		if w.made() {
			return writing.Remove(ctx, k.Client, w.Ej)
		}
		return nil // it goes with that job
	case !exists && w.Job.State != resize.JobGoesOn:
		return nil
	case !exists && shorthand.WasTaken(w.Job.UID, w.said, w.Job.Annotations):
		return k.released(ctx, w)
	case !exists && w.isMeant():
		if err := k.letGo(ctx, w); err != nil {
			return err
		}
	}
	if err := k.keep(ctx, w); err != nil || !exists || w.isMeant() {
		return err // once it exists it wakes this one
	}
	return k.markTaken(ctx, w)
}

// withdraw is for a job that does not ask, or not any more. An ElasticJob that was made from what it said
// goes, unless somebody has set a field of it since.
func (k *Keeper) withdraw(ctx context.Context, w *Written) error {
	// First, so that the same words make an ElasticJob again, even if this process ends in between.
	if err := k.forgetTaken(ctx, w); err != nil {
		return err
	}
	switch {
	case w.Ej == nil:
		if w.Job.State == resize.JobGoesOn {
			k.tellFaults(w, "")
			k.tellIdle(w)
		}
		return k.letGo(ctx, w)
	case w.made() && !shorthand.OwnersOf(w.Ej).Touched:
		err := writing.Remove(ctx, k.Client, w.Ej)
		if err == nil && w.Job.Suspended && !w.Job.StoppedByTakt() && view.TakenOn(&w.Ej.Status) {
			k.Events.Tell(w.Object, corev1.EventTypeNormal, "LetGo",
				"Takt lets go of this job, and has not suspended it: it stays suspended until somebody "+
					"sets %s to false.", k.Kind.Words().Suspends)
		}
		return err
	default:
		return k.keep(ctx, w)
	}
}

// keep makes the ElasticJob, or brings the fields in line that are the job's to say.
func (k *Keeper) keep(ctx context.Context, w *Written) error {
	says := maps.Clone(w.said.Fields)
	if due := w.said.Due; due != nil {
		at, err := k.dueAt(ctx, w)
		if err != nil {
			return err
		}
		says[shorthand.Deadline] = string(v1alpha1.NewTime(at))
	}
	wanted, ours := says, w.Ej == nil || w.made() && w.asks()
	if w.Ej != nil {
		has, owners := shorthand.Of(&w.Ej.Spec), shorthand.OwnersOf(w.Ej)
		wanted = w.said.Wanted(says, has, owners)
		if owners.Settled(wanted, has) && ours == w.made() {
			k.tellFaults(w, "")
			return nil
		}
	}
	err := k.Apply(ctx, w, wanted, ours)
	if !apierrors.IsInvalid(err) {
		switch {
		case err == nil:
			k.tellFaults(w, "")
		case writing.RefusedForGood(err):
			k.Events.Warn(w.Object, "ElasticJobRefused",
				"The API server refuses the ElasticJob of this job: %q. Have whoever runs the cluster allow Takt to write "+
					"ElasticJobs in namespace %s; it is tried again.", view.PassedOn(err.Error()), w.Job.Namespace)
		}
		return err
	}
	k.tellFaults(w, plainly(err))
	if w.Ej == nil {
		return k.letGo(ctx, w) // it was held until there is one
	}
	return nil
}

// Apply writes the fields that come from the job, and takes back those that did and do no more. It does
// not force: should somebody have set one of them in this moment, it is refused, and tried anew.
func (k *Keeper) Apply(ctx context.Context, w *Written, wanted shorthand.Fields, ours bool) error {
	metadata := map[string]any{"namespace": w.Job.Namespace, "name": w.Job.Name}
	if ours {
		metadata["labels"] = map[string]string{shorthand.MadeLabel: "true"}
		metadata["ownerReferences"] = []any{writing.OwnedByJob(k.Kind, w.Job)}
	}
	if w.Ej != nil {
		metadata["uid"] = w.Ej.UID // one that was deleted meanwhile is not made again
	}
	spec := wanted.Spec()
	spec["jobRef"] = v1alpha1.JobReference{
		APIVersion: k.Kind.GroupVersionKind().GroupVersion().String(), Kind: w.Job.Kind, Name: w.Job.Name,
	}
	configuration, err := json.Marshal(map[string]any{
		"apiVersion": v1alpha1.GroupVersion.String(), "kind": "ElasticJob", "metadata": metadata, "spec": spec,
	})
	if err != nil {
		return fmt.Errorf("writing ElasticJob %s: %w", w.Job.Name, err)
	}
	var applied v1alpha1.ElasticJob
	applied.Namespace, applied.Name = w.Job.Namespace, w.Job.Name
	return k.Client.Patch(ctx, &applied, client.RawPatch(types.ApplyPatchType, configuration),
		client.FieldOwner(shorthand.Manager))
}

// released is for a job of which somebody has deleted the ElasticJob: Takt lets go of it until what is
// written on it changes.
func (k *Keeper) released(ctx context.Context, w *Written) error {
	err := k.Live.Get(ctx, client.ObjectKeyFromObject(w.Object), &v1alpha1.ElasticJob{})
	if !apierrors.IsNotFound(err) {
		return err // there is one, and the cache will have it in a moment
	}
	job := k.Kind.New()
	if err := k.Live.Get(ctx, client.ObjectKeyFromObject(w.Object), job); err != nil || job.GetUID() != w.Job.UID ||
		job.GetDeletionTimestamp() != nil {
		return client.IgnoreNotFound(err) // the ElasticJob has gone with it
	}
	if err := k.letGo(ctx, w); err != nil || w.leaving {
		return err
	}
	k.Events.Tell(w.Object, corev1.EventTypeNormal, "LetGo",
		"Its ElasticJob was deleted, so Takt leaves this job as it is. For Takt to look after it again, "+
			"change what is written on it for Takt, or take the annotation %s off it.", shorthand.TakenAnnotation)
	return nil
}

func refersTo(ej *v1alpha1.ElasticJob, job kind.Job) bool {
	return ej.Spec.JobRef.Kind == job.Kind && ej.Spec.JobRef.Name == job.Name
}

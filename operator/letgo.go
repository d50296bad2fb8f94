package operator

import (
	"context"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic/resize"
	"github.com/takt-dev/takt/operator/adapter"
	"github.com/takt-dev/takt/operator/cached"
	"github.com/takt-dev/takt/operator/shorthand"
	"github.com/takt-dev/takt/operator/view"
	"github.com/takt-dev/takt/operator/writing"
)

// letGo frees a job that has no ElasticJob: if Takt has stopped it, it runs again, and nothing of Takt stays
// on it. All else stays as it is. What was last asked of a job that its user has suspended stays as well, as nothing
// else tells that it was not Takt.
func (o *keeper) letGo(ctx context.Context, w *written) error {
	release := adapter.Release{At: o.now()}
	if !w.job.Suspended || w.job.StoppedByTakt() {
		release.Without = []string{adapter.AskAnnotation}
	}
	if w.job.Annotations[shorthand.HoldAnnotation] == adapter.HeldByHand {
		release.Without = append(release.Without, shorthand.HoldAnnotation)
	}
	patch, err := o.kind.Release(w.object, release)
	switch {
	case err != nil:
		return err
	case patch == nil:
		return o.freePods(ctx, w)
	}
	var all v1alpha1.ElasticJobList
	if err := o.client.List(ctx, &all, client.InNamespace(w.job.Namespace), client.MatchingFields{cached.ByJob: w.job.Kind + "/" + w.job.Name}); err != nil {
		return err
	}
	if len(all.Items) > 0 {
		return nil
	}
	if err := writing.PatchJob(ctx, o.client, o.kind, w.job, writing.Merge(patch)); err != nil {
		return client.IgnoreNotFound(err)
	}
	if w.job.StoppedByTakt() {
		o.events.Tell(w.object, corev1.EventTypeNormal, "Resumed", "Takt had stopped this job, and lets go of it: it runs again.")
	}
	return o.freePods(ctx, w)
}

// freePods deletes the pods that the scheduler holds for a gang of Takt, if it has not placed them yet: their job
// makes others from its template, which has nothing of Takt any more.
func (o *keeper) freePods(ctx context.Context, w *written) error {
	var pods corev1.PodList
	if err := o.client.List(ctx, &pods, client.InNamespace(w.job.Namespace), client.MatchingFields{cached.ByOwner: string(w.job.UID)}); err != nil {
		return err
	}
	for i := range pods.Items {
		pod := &pods.Items[i]
		if pod.Annotations[v1alpha1.GangAnnotation] == "" || pod.Spec.NodeName != "" || pod.DeletionTimestamp != nil {
			continue
		}
		if err := writing.Remove(ctx, o.client, pod); err != nil {
			return err
		}
	}
	return nil
}

// mayPass are refusals of jobs that Takt is to look after all the same: somebody has yet to make their queue, or
// is about to change what is written on them.
var mayPass = []string{"QueueNotFound", "QueueNotAllowed", "NoSizes", view.ReasonMisspelt}

// passesWithin is how long a job that was to start at once waits for its refusal to pass.
const passesWithin = time.Minute

// abandons says that a job which is left alone is kept from running by Takt, and by nobody else, or is marked so.
func (o *Operator) abandons(s *view.Subject, refused *view.Refusal) bool {
	if s.Object == nil || s.Taken != nil || s.Job.State != resize.JobGoesOn || s.Active() != nil || view.OfEarlierJob(s.ElasticJob, s.Job.UID) {
		return false
	}
	if s.StartedByOthers() {
		return true
	}
	if !s.Job.StoppedByTakt() || s.SuspendedByUser() {
		return false
	}
	if !slices.Contains(mayPass, refused.Reason) {
		return true
	}
	return s.Job.Held && s.Job.Asked.Epoch == 0 && o.now().Sub(s.Job.CreatedAt) >= passesWithin
}

// free lets a job run that was stopped for Takt, or by it, and that Takt does not look after. One that runs
// already loses what Takt has written on it.
func (o *Operator) free(ctx context.Context, s *view.Subject, refused *view.Refusal) error {
	patch, err := s.Kind.Release(s.Object, adapter.Release{At: o.now()})
	if err != nil || patch == nil {
		return err
	}
	if err := writing.PatchJob(ctx, o.client, s.Kind, s.Job, writing.Merge(patch)); err != nil {
		return err
	}
	if !s.Job.StoppedByTakt() {
		return nil
	}
	o.events.Tell(s.Object, corev1.EventTypeWarning, "Resumed", "It was stopped for Takt, which leaves it alone (%s): it runs as it is written.", refused.Reason)
	return nil
}

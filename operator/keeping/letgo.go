package keeping

import (
	"context"
	"errors"
	"time"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/elastic/begin"
	"github.com/takt-dev/takt/elastic/coretime"
	"github.com/takt-dev/takt/operator/cached"
	"github.com/takt-dev/takt/operator/kind"
	"github.com/takt-dev/takt/operator/shorthand"
	"github.com/takt-dev/takt/operator/view"
	"github.com/takt-dev/takt/operator/wrapping"
	"github.com/takt-dev/takt/operator/writing"
)

// letGo frees a job that has no ElasticJob: if Takt has stopped it, it runs again, and nothing of Takt stays
// on it. All else stays as it is. What was last asked of a job that its user has suspended stays as well, as nothing
// else tells that it was not Takt.
func (k *Keeper) letGo(ctx context.Context, w *Written) error {
	release := kind.Release{At: k.Now()}
	if !w.Job.Suspended || w.Job.StoppedByTakt() {
		release.Without = []string{kind.AskAnnotation}
	}
	if shorthand.NotedHold(w.Job.Annotations) {
		release.Without = append(release.Without, shorthand.HoldAnnotation)
	}
	patch, err := k.Kind.Release(w.Object, release)
	switch {
	case err != nil:
		return err
	case patch == nil:
		return k.freePods(ctx, w)
	}
	var all v1alpha1.ElasticJobList
	if err := k.Client.List(ctx, &all, client.InNamespace(w.Job.Namespace),
		client.MatchingFields{cached.ByJob: w.Job.Kind + "/" + w.Job.Name}); err != nil {
		return err
	}
	if len(all.Items) > 0 {
		return nil
	}
	if w.leaving, err = k.leaves(ctx, w); err != nil || w.leaving {
		return err
	}
	if _, err := k.insistent().Release(ctx, w.Object, release); err != nil {
		if writing.RefusedForGood(err) && w.Job.StoppedByTakt() {
			k.Events.Warn(w.Object, "NotResumed",
				"Takt had stopped this job and lets go of it, and the API server refuses that it runs again: %q. Have that "+
					"allowed, or set %s to false.", view.PassedOn(err.Error()), k.Kind.Words().Suspends)
		}
		return client.IgnoreNotFound(err)
	}
	if w.Job.StoppedByTakt() {
		k.Events.Tell(w.Object, corev1.EventTypeNormal, "Resumed",
			"Takt had stopped this job, and lets go of it: it runs again.")
	}
	return k.freePods(ctx, w)
}

func (k *Keeper) insistent() writing.Insistent {
	return writing.Insistent{Client: k.Client, Live: k.Live, Kind: k.Kind}
}

// lookAgain is how often it is looked whether the pods of a job are gone that is let go of.
const lookAgain = 2 * time.Second

// leaves asks the core whether to wait for pods of a job that is stopped and that are about to be gone: were it to run
// again before, its controller would take them for workers that have failed. Nobody looks at their nodes.
func (k *Keeper) leaves(ctx context.Context, w *Written) (bool, error) {
	if !w.Job.Suspended {
		return false, nil
	}
	var pods corev1.PodList
	err := k.Client.List(ctx, &pods, client.InNamespace(w.Job.Namespace),
		client.MatchingFields{cached.ByOwner: string(w.Job.UID)})
	var leavers []begin.Leaver
	for i := range pods.Items {
		if gone := pods.Items[i].DeletionTimestamp; gone != nil {
			leavers = append(leavers, begin.Leaver{GoneBy: coretime.Seconds(gone.Time)})
		}
	}
	waits := begin.Waits{Stop: elastic.Seconds(k.StopWithin.Seconds())}
	return coretime.Seconds(k.Now()) < waits.LeaveUntil(leavers), err
}

// freePods deletes the pods that the scheduler holds for a gang of Takt, if it has not placed them yet: their job
// makes others from its template, which has nothing of Takt any more. Those that wait for Takt to let them in, or were
// told to leave, train.
func (k *Keeper) freePods(ctx context.Context, w *Written) error {
	if _, fixed := k.Kind.(kind.MarksPods); fixed {
		return nil // its template stays as it is, and the scheduler waits for no Resize for long
	}
	var pods corev1.PodList
	if err := k.Client.List(ctx, &pods, client.InNamespace(w.Job.Namespace),
		client.MatchingFields{cached.ByOwner: string(w.Job.UID)}); err != nil {
		return err
	}
	var errs error
	for i := range pods.Items {
		pod := &pods.Items[i]
		if pod.DeletionTimestamp != nil {
			continue
		}
		if pod.Annotations[v1alpha1.GangAnnotation] == "" || pod.Spec.NodeName != "" {
			if wrapping.Within(pod) {
				errs = errors.Join(errs, client.IgnoreNotFound(writing.Annotate(ctx, k.Client, pod, wrapping.Stays(pod))))
			}
			continue
		}
		errs = errors.Join(errs, writing.Remove(ctx, k.Client, pod))
	}
	return errs
}

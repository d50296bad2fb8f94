package operator

import (
	"context"
	"fmt"
	"time"

	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic/resize"
	"github.com/takt-dev/takt/operator/learn"
	"github.com/takt-dev/takt/operator/memory"
	"github.com/takt-dev/takt/operator/pacing"
	"github.com/takt-dev/takt/operator/view"
	"github.com/takt-dev/takt/operator/writing"
)

// mostSaid is how many statuses in a row are written of one object.
const mostSaid = 20

// reporter writes the status of one ElasticJob.
type reporter struct{ *Operator }

// Reconcile says in the status what is known, decided and expected.
func (o *reporter) Reconcile(ctx context.Context, request reconcile.Request) (reconcile.Result, error) {
	var ej v1alpha1.ElasticJob
	if err := writing.ReadFor(ctx, o.client, o.live, request, &ej); err != nil || ej.DeletionTimestamp != nil {
		return reconcile.Result{}, client.IgnoreNotFound(err)
	}
	s, err := o.view.Look(ctx, &ej)
	if err != nil {
		return reconcile.Result{}, err
	}
	if err := o.adopt(ctx, s); err != nil {
		return reconcile.Result{}, err
	}
	refused, err := o.view.Refuse(ctx, s)
	if err != nil {
		return reconcile.Result{}, err
	}
	if wait := o.undecided(s, refused); wait > 0 {
		return reconcile.Result{RequeueAfter: wait}, nil
	}
	status, again := o.statusOf(s, refused)
	wait, worth := worthWriting(&s.ElasticJob.Status, &status, o.now(), s.Known.Written(), o.settings.Status.Every.Duration, o.stands(s))
	if !worth {
		if wait > 0 && (again == 0 || wait < again) {
			again = wait
		}
		return reconcile.Result{RequeueAfter: again}, nil
	}
	if wait := o.statuses.Spend(request.NamespacedName, pacing.Pace{Most: mostSaid, Every: o.settings.Status.Every.Duration}, o.now()); wait > 0 {
		return reconcile.Result{RequeueAfter: wait}, nil
	}
	if s.Known != nil && s.Taken == nil {
		s.Known.KeepPlan()
		status.Memory = s.Known.Run.Keep() // with each word that is said anyway: by itself it is worth no write
	}
	if saidCutShort(&status) && !saidCutShort(&s.ElasticJob.Status) {
		if err := o.shelf.NoteLeavers(ctx, s); err != nil {
			return reconcile.Result{}, err
		}
	}
	before, after := s.ElasticJob, s.ElasticJob.DeepCopy()
	after.Status = status
	if err := o.client.Status().Patch(ctx, after, writing.Onto(before)); err != nil {
		return reconcile.Result{}, fmt.Errorf("writing the status of ElasticJob %s: %w", ej.Name, err)
	}
	s.Known.Wrote(o.now())
	o.tell(s, &before.Status, &status)
	return reconcile.Result{RequeueAfter: again}, nil
}

// stands says that a job tells nothing new, or cannot be read, so that all that moves is when it is expected to end. What
// is believed of a job that tells nothing goes by the time.
func (o *reporter) stands(s *view.Subject) bool {
	if s.Known == nil || s.Active() != nil {
		return false
	}
	if d := s.Known.Decided(); d != nil && d.Believed != "" {
		return false
	}
	health := s.Known.Run.View(o.now(), o.settings.Progress.StaleAfter.Duration).Health
	return health.Doubtful() || health == learn.Unread
}

// undecided is how long to wait at most before anything is said of a job for the first time: the plan that
// is about to be made tells its verdict, and has it looked at.
func (o *reporter) undecided(s *view.Subject, refused *view.Refusal) time.Duration {
	now := o.now()
	at, dated := s.Deadline()
	if s.ElasticJob.Status.Verdict != "" || refused != nil || s.Object == nil || s.Job.State != resize.JobGoesOn || s.SuspendedByUser() ||
		s.Known.Decided() != nil || s.Known.HinderedBy().Message != "" || dated && !now.Before(at) {
		return 0
	}
	return s.ElasticJob.CreationTimestamp.Add(memory.MostPatience).Sub(now)
}

// adopt makes the job the owner of its ElasticJob, so that it goes with the job.
func (o *reporter) adopt(ctx context.Context, s *view.Subject) error {
	if s.Object == nil || s.Taken != nil || s.Job.UID == "" || view.OfEarlierJob(s.ElasticJob, s.Job.UID) {
		return nil
	}
	for _, owner := range s.ElasticJob.OwnerReferences {
		if owner.UID == s.Job.UID {
			return nil
		}
	}
	adopted := s.ElasticJob.DeepCopy()
	adopted.OwnerReferences = append(adopted.OwnerReferences, writing.OwnedByJob(s.Kind, s.Job))
	if err := o.client.Patch(ctx, adopted, writing.Onto(s.ElasticJob)); err != nil {
		return fmt.Errorf("making %s the owner of ElasticJob %s: %w", s.ElasticJob.Spec.JobRef.String(), s.ElasticJob.Name, err)
	}
	s.ElasticJob = adopted
	return nil
}

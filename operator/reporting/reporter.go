package reporting

import (
	"context"
	"fmt"
	"time"

	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/elastic/forecast"
	"github.com/takt-dev/takt/elastic/resize"
	"github.com/takt-dev/takt/operator/learn"
	"github.com/takt-dev/takt/operator/memory"
	"github.com/takt-dev/takt/operator/pacing"
	"github.com/takt-dev/takt/operator/profiles"
	"github.com/takt-dev/takt/operator/settings"
	"github.com/takt-dev/takt/operator/telling"
	"github.com/takt-dev/takt/operator/view"
	"github.com/takt-dev/takt/operator/writing"
)

// mostSaid is how many statuses in a row are written of one object.
const mostSaid = 20

// Reporter writes the status of one ElasticJob.
type Reporter struct {
	Client   client.Client
	Live     client.Reader
	View     *view.Viewer
	Shelf    *profiles.Shelf
	Events   *telling.Recorder
	Metrics  *telling.Metrics
	Statuses *pacing.Allowances // written, by ElasticJob

	Settings settings.Settings
	Now      func() time.Time
}

// Reconcile says in the status what is known, decided and expected.
func (r *Reporter) Reconcile(ctx context.Context, request reconcile.Request) (reconcile.Result, error) {
	var ej v1alpha1.ElasticJob
	if err := writing.ReadFor(ctx, r.Client, r.Live, request, &ej); err != nil || ej.DeletionTimestamp != nil {
		return reconcile.Result{}, client.IgnoreNotFound(err)
	}
	s, err := r.View.Look(ctx, &ej)
	if err != nil {
		return reconcile.Result{}, err
	}
	switch err := r.adopt(ctx, s); {
	case writing.RefusedForGood(err):
		r.Events.Warn(s.ElasticJob, "NotOwned",
			"The API server refuses to note on this ElasticJob that it belongs to %s: %q. Delete it once that job is gone, or "+
				"have whoever runs the cluster allow Takt to change ElasticJobs.",
			s.ElasticJob.Spec.JobRef.String(), view.PassedOn(err.Error()))
	case err != nil:
		return reconcile.Result{}, err
	}
	refused, err := r.View.Refuse(ctx, s)
	if err != nil {
		return reconcile.Result{}, err
	}
	if s.AwaitsLastWord(r.Now()) {
		return reconcile.Result{RequeueAfter: time.Second}, nil
	}
	if wait := r.undecided(s, refused); wait > 0 {
		return reconcile.Result{RequeueAfter: wait}, nil
	}
	status, again := r.StatusOf(s, refused)
	wait, due := whenToWrite(&s.ElasticJob.Status, &status, r.Now(), s.Known.Written(), r.Settings.Status.Every.Duration,
		r.stands(s))
	if !due {
		if wait > 0 && (again == 0 || wait < again) {
			again = wait
		}
		return reconcile.Result{RequeueAfter: again}, nil
	}
	if wait := r.Statuses.Spend(request.NamespacedName,
		pacing.Pace{Most: mostSaid, Every: r.Settings.Status.Every.Duration}, r.Now()); wait > 0 {
		return reconcile.Result{RequeueAfter: wait}, nil
	}
	if err := r.write(ctx, s, status); err != nil {
		return reconcile.Result{}, err
	}
	return reconcile.Result{RequeueAfter: again}, nil
}

// write writes a status, with what is remembered of the job, and then tells of it.
func (r *Reporter) write(ctx context.Context, s *view.Subject, status v1alpha1.ElasticJobStatus) error {
	if s.Known != nil && s.Taken == nil {
		s.Known.KeepPlan()
		status.Memory = s.Known.Run.Keep() // with each word that is said anyway: by itself it is worth no write
	}
	if SaidCutShort(&status) && !SaidCutShort(&s.ElasticJob.Status) {
		if err := r.Shelf.NoteLeavers(ctx, s); err != nil {
			if !writing.RefusedForGood(err) {
				return err
			}
			log.FromContext(ctx).Error(err, "That workers who leave end such a job is not kept") // it is told all the same
		}
	}
	before, after := s.ElasticJob, s.ElasticJob.DeepCopy()
	after.Status = status
	if err := r.Client.Status().Patch(ctx, after, writing.Onto(before)); err != nil {
		return fmt.Errorf("writing the status of ElasticJob %s: %w", before.Name, err)
	}
	s.Known.Wrote(r.Now())
	if forecast.Worse(elastic.Verdict(status.Verdict), elastic.Verdict(before.Status.Verdict)) {
		s.Known.Worsened(r.Now())
	}
	r.tell(s, &before.Status, &status)
	return nil
}

// Say says it now, where it is due.
func (r *Reporter) Say(ctx context.Context, of types.NamespacedName) error {
	_, err := r.Reconcile(ctx, reconcile.Request{NamespacedName: of})
	return err
}

// stands says that a job tells nothing new, or cannot be read, so that all that moves is when it is expected to end.
// What is believed of a job that tells nothing goes by the time.
func (r *Reporter) stands(s *view.Subject) bool {
	if s.Known == nil || s.Active() != nil {
		return false
	}
	if d := s.Known.Decided(); d != nil && d.Believed != "" {
		return false
	}
	health := s.Known.Run.View(r.Now(), r.Settings.Progress.StaleAfter.Duration).Health
	return health.Doubtful() || health == learn.Unread
}

// undecided is how long to wait at most before anything is said of a job for the first time: the plan that
// is about to be made tells its verdict, and has it looked at.
func (r *Reporter) undecided(s *view.Subject, refused *view.Refusal) time.Duration {
	now := r.Now()
	at, dated := s.Deadline()
	if s.ElasticJob.Status.Verdict != "" || refused != nil || s.Object == nil || s.Job.State != resize.JobGoesOn ||
		s.SuspendedByUser() ||
		s.Known.Decided() != nil || s.Known.HinderedBy().Message != "" || dated && !now.Before(at) {
		return 0
	}
	return s.ElasticJob.CreationTimestamp.Add(memory.MostPatience).Sub(now)
}

// adopt makes the job the owner of its ElasticJob, so that it goes with the job.
func (r *Reporter) adopt(ctx context.Context, s *view.Subject) error {
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
	if err := r.Client.Patch(ctx, adopted, writing.Onto(s.ElasticJob)); err != nil {
		return fmt.Errorf("making %s the owner of ElasticJob %s: %w", s.ElasticJob.Spec.JobRef.String(),
			s.ElasticJob.Name, err)
	}
	s.ElasticJob = adopted
	return nil
}

package profiles

import (
	"context"
	"errors"
	"fmt"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/log"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/operator/learn"
	"github.com/takt-dev/takt/operator/view"
	"github.com/takt-dev/takt/operator/writing"
)

// Shelf is where what was learned of jobs is kept for others, and found again.
type Shelf struct {
	Store      *learn.Store
	StaleAfter time.Duration // of readings
	Now        func() time.Time
}

// ProfileOf names the profile of a job, and its owner if it is the job's own.
func ProfileOf(ej *v1alpha1.ElasticJob) (name string, owner *metav1.OwnerReference) {
	if ej.Spec.Profile != "" {
		return ej.Spec.Profile, nil
	}
	own := writing.OwnedBy(ej)
	return ej.Name, &own
}

// Inherit reads the profile of a job before anything else is learned or decided of it, and now and then
// what others have added since: a job that waits is told the truth as soon as another of its code has
// run. Where it makes no sense the job learns for itself.
func (sh *Shelf) Inherit(ctx context.Context, s *view.Subject) {
	s.Known.Profile.Lock() // so that nobody goes on without what another is about to read
	defer s.Known.Profile.Unlock()
	name, owner := ProfileOf(s.ElasticJob)
	if owner != nil {
		s.Known.Run.Alone()
	}
	now, first := sh.Now(), s.Known.Profile.At.IsZero()
	if s.Known.Run.Teachable() {
		prior, err := sh.Store.Prior(ctx, s.ElasticJob.Namespace, name, now)
		if err != nil {
			log.FromContext(ctx).Error(err, "A job learns nothing yet from others on its network", "job",
				s.ElasticJob.Namespace+"/"+s.ElasticJob.Name)
		} else {
			s.Known.Run.Taught(prior)
		}
	}
	if !view.ProfileDue(s.Known.Profile.At, now, owner == nil) {
		return
	}
	profile, unit, err := sh.Store.Load(ctx, owner, s.ElasticJob.Namespace, name)
	if err == nil || errors.Is(err, learn.ErrGarbled) || errors.Is(err, learn.ErrNotOwned) {
		s.Known.Profile.At = now
		err = errors.Join(err, s.Known.Run.Inherit(profile, unit, now))
	}
	if err != nil && first {
		log.FromContext(ctx).Info("The profile of a job cannot be used", "job", s.ElasticJob.Namespace+"/"+s.ElasticJob.Name,
			"profile", name, "err", err.Error())
	}
}

// Save writes what was learned into the profile, if it is time to.
func (sh *Shelf) Save(ctx context.Context, s *view.Subject, last bool) error {
	var record learn.Record
	var due bool
	if run, now := s.Known.Run, sh.Now(); last {
		record, due = run.Last(now)
	} else {
		record, due = run.Record(now, !run.Fresh(now, sh.StaleAfter))
	}
	if !due {
		return nil
	}
	name, owner := ProfileOf(s.ElasticJob)
	err := sh.Store.Save(ctx, owner, s.ElasticJob.Namespace, name, record, sh.Now())
	if err != nil && !errors.Is(err, learn.ErrNotOwned) {
		s.Known.Run.NotSaved()
		return fmt.Errorf("saving profile %s: %w", name, err)
	}
	return nil
}

// NoteLeavers keeps in the profile of a job that a worker which left has ended it, before anybody is told.
func (sh *Shelf) NoteLeavers(ctx context.Context, s *view.Subject) error {
	if s.ElasticJob.Spec.Profile == "" || s.Taken != nil {
		return nil
	}
	message := fmt.Sprintf("A worker of %s that was told to leave has exited with 0, which has ended the whole job. "+
		"Jobs of this profile are "+
		"resized by a restart.", s.ElasticJob.Spec.JobRef.String())
	return sh.Store.NoteEndsByLeaving(ctx, s.ElasticJob.Namespace, s.ElasticJob.Spec.Profile, message, sh.Now())
}

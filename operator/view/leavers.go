package view

import (
	"context"
	"fmt"
	"time"

	"sigs.k8s.io/controller-runtime/pkg/log"

	"github.com/takt-dev/takt/elastic/resize"
	"github.com/takt-dev/takt/operator/kind"
	"github.com/takt-dev/takt/operator/wrapping"
)

// lookAtLeavers makes a job that is resized while it trains one that is resized by a restart, if a worker that left has
// ended another job of its profile: nobody judges a suspended job by its pods. The agent keeps that from happening.
func (v *Viewer) lookAtLeavers(ctx context.Context, s *Subject) error {
	if s.Job.Mode != resize.Live || !s.Job.EndsByLeaver || s.ElasticJob.Spec.Profile == "" || s.wrapped() {
		return nil
	}
	known, now := &s.Known.Leavers, v.Now()
	known.Lock()
	defer known.Unlock()
	if ProfileDue(known.ReadAt, now, true) {
		end, err := v.Profiles.EndsByLeaving(ctx, s.ElasticJob.Namespace, s.ElasticJob.Spec.Profile)
		switch {
		case err != nil && known.ReadAt.IsZero(): // nothing is decided before it is known
			return err
		case err != nil:
			log.FromContext(ctx).Error(err, "Could not look at the profile of a job again")
		default:
			known.End, known.ReadAt = end, now
		}
	}
	if known.End {
		s.Job.Mode, s.Job.Floor, s.Job.Ceiling = resize.Cold, 0, 0
		s.Job.OnlyCold = append(s.Job.OnlyCold, kind.Objection{Reason: "LeaverExitsWithZero", Message: fmt.Sprintf(
			"Another job of its profile was ended by a worker that was told to leave and exited with 0. Once its training "+
				"exits with "+
				"another code then, name another profile, or delete TrainingProfile %s.", s.ElasticJob.Spec.Profile)})
	}
	return nil
}

// wrapped says that the agent wraps the workers of a job.
func (s *Subject) wrapped() bool {
	if len(s.Running()) == 0 && s.Job.Worker != nil {
		there, _ := wrapping.By(s.Job.Worker)
		return there
	}
	for _, pod := range s.Running() {
		if !wrapping.Within(pod) {
			return false
		}
	}
	return len(s.Running()) > 0
}

// ProfileEvery is how often it is looked for what other runs have added to a profile.
const ProfileEvery = 30 * time.Second

// ProfileDue says whether a profile is to be read: at first, and again where others add to it.
func ProfileDue(loaded, now time.Time, shared bool) bool {
	return loaded.IsZero() || shared && !now.Before(loaded.Add(ProfileEvery))
}

package view

import (
	"context"
	"time"

	"sigs.k8s.io/controller-runtime/pkg/log"

	"github.com/takt-dev/takt/operator/wrapping"
)

// otherEnded says whether a worker that left has ended another job of the profile of a job, as far as is known. What is
// known is looked for anew from time to time.
func (v *Viewer) otherEnded(ctx context.Context, s *Subject) (bool, error) {
	known, now := &s.Known.Leavers, v.Now()
	known.Lock()
	defer known.Unlock()
	if ProfileDue(known.ReadAt, now, true) {
		end, err := v.Profiles.EndsByLeaving(ctx, s.ElasticJob.Namespace, s.ElasticJob.Spec.Profile)
		switch {
		case err != nil && known.ReadAt.IsZero(): // nothing is decided before it is known
			return false, err
		case err != nil:
			log.FromContext(ctx).Error(err, "Could not look at the profile of a job again")
		default:
			known.End, known.ReadAt = end, now
		}
	}
	return known.End, nil
}

// wrapped says that the agent wraps the workers of a job.
func (s *Subject) wrapped() bool {
	if len(s.Running()) == 0 && s.Job.Worker != nil {
		there, _ := wrapping.By(s.Job.Worker)
		return there && !wrapping.InNameAlone(s.Job.Worker.Annotations, s.Job.Worker.Spec.Containers)
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

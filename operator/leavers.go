package operator

import (
	"context"
	"fmt"

	"sigs.k8s.io/controller-runtime/pkg/log"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic/resize"
	"github.com/takt-dev/takt/operator/adapter"
)

// lookAtLeavers makes a job that is resized while it trains one that is resized by a restart, if a worker that left has
// ended another job of its profile: nobody judges a suspended job by its pods. The agent keeps that from happening.
func (o *Operator) lookAtLeavers(ctx context.Context, s *subject) error {
	if s.job.Mode != resize.Live || s.ej.Spec.Profile == "" || s.wrapped() {
		return nil
	}
	known, now := &s.known.Leavers, o.now()
	known.Lock()
	defer known.Unlock()
	if profileDue(known.ReadAt, now, true) {
		end, err := o.profiles.EndsByLeaving(ctx, s.ej.Namespace, s.ej.Spec.Profile)
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
		s.job.Mode, s.job.Floor, s.job.Ceiling = resize.Cold, 0, 0
		s.job.OnlyCold = append(s.job.OnlyCold, adapter.Objection{Reason: "LeaverExitsWithZero", Message: fmt.Sprintf(
			"Another job of its profile was ended by a worker that was told to leave and exited with 0. Once its training exits with "+
				"another code then, name another profile, or delete TrainingProfile %s.", s.ej.Spec.Profile)})
	}
	return nil
}

// wrapped says that the agent wraps the workers of a job.
func (s *subject) wrapped() bool {
	if s.job.Worker != nil && s.job.Worker.Annotations[v1alpha1.AgentAnnotation] != "" {
		return true
	}
	for _, w := range s.pods {
		if w.pod.Annotations[v1alpha1.AgentAnnotation] != "" {
			return true
		}
	}
	return false
}

// noteLeavers keeps in the profile of a job that a worker which left has ended it, before anybody is told.
func (o *Operator) noteLeavers(ctx context.Context, s *subject) error {
	if s.ej.Spec.Profile == "" || s.taken != nil {
		return nil
	}
	message := fmt.Sprintf("A worker of %s that was told to leave has exited with 0, which has ended the whole job. Jobs of this profile are "+
		"resized by a restart.", s.ej.Spec.JobRef.String())
	return o.profiles.NoteEndsByLeaving(ctx, s.ej.Namespace, s.ej.Spec.Profile, message, o.now())
}

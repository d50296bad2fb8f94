package operator

import (
	"context"
	"fmt"

	"github.com/takt-dev/takt/operator/view"
)

// noteLeavers keeps in the profile of a job that a worker which left has ended it, before anybody is told.
func (o *Operator) noteLeavers(ctx context.Context, s *view.Subject) error {
	if s.ElasticJob.Spec.Profile == "" || s.Taken != nil {
		return nil
	}
	message := fmt.Sprintf("A worker of %s that was told to leave has exited with 0, which has ended the whole job. Jobs of this profile are "+
		"resized by a restart.", s.ElasticJob.Spec.JobRef.String())
	return o.profiles.NoteEndsByLeaving(ctx, s.ElasticJob.Namespace, s.ElasticJob.Spec.Profile, message, o.now())
}

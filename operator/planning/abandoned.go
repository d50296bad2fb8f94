package planning

import (
	"context"

	corev1 "k8s.io/api/core/v1"

	"github.com/takt-dev/takt/elastic/coretime"
	"github.com/takt-dev/takt/elastic/resize"
	"github.com/takt-dev/takt/elastic/yield"
	"github.com/takt-dev/takt/operator/kind"
	"github.com/takt-dev/takt/operator/view"
	"github.com/takt-dev/takt/operator/writing"
)

// mayAbandon says that there is a job which Takt may let go of: it goes on, is nobody else's, and is not being resized.
func (p *Planner) mayAbandon(s *view.Subject) bool {
	return s.Object != nil && s.Taken == nil && s.Job.State == resize.JobGoesOn && s.Active() == nil &&
		!view.OfEarlierJob(s.ElasticJob, s.Job.UID)
}

// refused is what is seen of a job that is refused. It counts from when this process has seen it refused: when the job
// was made is told by another clock, and ours may be ahead. One that waits for others must not train without them.
func (p *Planner) refused(s *view.Subject, refused *view.Refusal) yield.Refused {
	r := yield.Refused{
		StartedByOthers: s.StartedByOthers(), Reason: refused.Reason,
		Stopped: s.Job.StoppedByTakt() && !s.SuspendedByUser() && len(s.Awaits()) == 0,
	}
	if s.Job.StoppedByTakt() {
		r.Since = coretime.Seconds(s.Known.RefusedSince(p.Now()))
	}
	return r
}

// free lets a job run that was stopped for Takt, or by it, and that Takt does not look after. One that runs
// already loses what Takt has written on it.
func (p *Planner) free(ctx context.Context, s *view.Subject, refused *view.Refusal) error {
	free := writing.Insistent{Client: p.Client, Live: p.Live, Kind: s.Kind}
	released, err := free.Release(ctx, s.Object, kind.Release{At: p.Now()})
	if writing.RefusedForGood(err) && s.Job.StoppedByTakt() {
		p.Events.Warn(s.Object, "NotResumed",
			"It was stopped for Takt, which leaves it alone (%s), and the API server refuses that it runs: %q. Have that "+
				"allowed, or set %s to false.", refused.Reason, view.PassedOn(err.Error()), s.Kind.Words().Suspends)
	}
	if !released || !s.Job.StoppedByTakt() {
		return err
	}
	p.Events.Tell(s.Object, corev1.EventTypeWarning, "Resumed",
		"It was stopped for Takt, which leaves it alone (%s): it runs as it is written.", refused.Reason)
	return nil
}

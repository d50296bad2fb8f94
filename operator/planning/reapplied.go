package planning

import (
	"context"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/takt-dev/takt/elastic/yield"
	"github.com/takt-dev/takt/operator/kind"
	"github.com/takt-dev/takt/operator/kind/written"
	"github.com/takt-dev/takt/operator/view"
)

// mayBeReapplied says that a job was suspended by somebody, and that this may have been a manifest which only says what
// it said when the job was submitted.
func (p *Planner) mayBeReapplied(s *view.Subject) bool {
	return s.SuspendedByUser() && s.Job.SubmittedSuspended && s.Job.Asked.Epoch > 0 && p.mayAbandon(s)
}

// startAgain has Takt take a job for stopped by itself that its manifest has stopped: it is planned for again. One
// whose manifest does so each time stays suspended, and is a job like any other that somebody has suspended from then
// on.
func (p *Planner) startAgain(ctx context.Context, sc *Scene, s *view.Subject) error {
	if s.Known.StopIsMeant(s.Object.GetResourceVersion()) {
		return nil
	}
	fresh := s.Kind.New()
	if err := p.Live.Get(ctx, client.ObjectKeyFromObject(s.Object), fresh); err != nil {
		return client.IgnoreNotFound(err)
	}
	if !s.Kind.Read(fresh).Unchanged(s.Job) {
		return nil
	}
	stop := yield.Stop{Submitted: s.Job.SubmittedSuspended, Applied: applied(s, fresh, suspendField(s))}
	if stop.Applied {
		stop.TakenBack = s.Known.Overruled(s.Job.Asked.Epoch, p.Now())
	}
	stays, field := stop.Means(sc.now()), s.Kind.Words().Suspends
	if stays && !stop.Applied {
		s.Known.MeansStop(fresh.GetResourceVersion())
		return nil
	}
	told := fmt.Sprintf("Its manifest suspends it each time that Takt has started it, so it stays suspended. Take %s out "+
		"of the manifest, and resume it.", field)
	ask := s.Job.Asked
	if !stays {
		ask.Workers, ask.Suspended, ask.At = s.Job.Size, true, p.Now()
		told = fmt.Sprintf("A manifest was applied that suspends it, as it did when the job was submitted: that has stopped "+
			"the training, and Takt starts it again. Take %s out of the manifest once it trains. To stop the job, suspend it "+
			"by itself, such as with takt suspend.", field)
	}
	text, err := written.EncodeAsk(s.Job.UID, ask, written.Before{Size: s.Job.Written, Suspended: !stays})
	if err != nil {
		return fmt.Errorf("starting %s again: %w", s.ElasticJob.Spec.JobRef.String(), err)
	}
	var note jobPatch
	note.Metadata.UID, note.Metadata.ResourceVersion = s.Job.UID, fresh.GetResourceVersion()
	note.Metadata.Annotations = map[string]any{kind.AskAnnotation: text, kind.ReturnsAnnotation: nil}
	if done, err := p.writeNote(ctx, s, note); err != nil || !done {
		return err
	}
	p.Events.Tell(s.Object, corev1.EventTypeWarning, reasonReapplied, "%s", told)
	return nil
}

// reasonReapplied is that of events of a job that a manifest has stopped.
const reasonReapplied = "SuspendedByManifest"

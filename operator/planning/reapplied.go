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

// startAgain has Takt take a job for stopped by itself that its manifest has stopped: it is planned for again.
// Each version of a job is looked at once.
func (p *Planner) startAgain(ctx context.Context, sc *Scene, s *view.Subject) error {
	fresh := s.Kind.New()
	if err := p.Live.Get(ctx, client.ObjectKeyFromObject(s.Object), fresh); err != nil {
		return client.IgnoreNotFound(err)
	}
	if !s.Kind.Read(fresh).Unchanged(s.Job) || !s.Known.Unjudged(fresh.GetResourceVersion()) {
		return nil
	}
	seen := yield.Stop{Submitted: true, Applied: applied(s, fresh, suspends(s))}
	if seen.Applied {
		seen.TakenBack = s.Known.Overruled(s.Job.Asked.Epoch, p.Now())
	}
	field := s.Kind.Words().Suspends
	if seen.Means(sc.now()) {
		if seen.Applied {
			p.Events.Tell(s.Object, corev1.EventTypeWarning, reasonReapplied, "Its manifest suspends it each time that Takt "+
				"has started it, so it stays suspended. Take %s out of the manifest, and resume it.", field)
		}
		s.Known.Judge(fresh.GetResourceVersion())
		return nil
	}
	ask := s.Job.Asked
	ask.Workers, ask.Suspended, ask.At = s.Job.Size, true, p.Now()
	text, err := written.EncodeAsk(s.Job.UID, ask, written.Before{Size: s.Job.Size, Suspended: true})
	if err != nil {
		return fmt.Errorf("starting %s again: %w", s.ElasticJob.Spec.JobRef.String(), err)
	}
	var note jobPatch
	note.Metadata.UID, note.Metadata.ResourceVersion = s.Job.UID, fresh.GetResourceVersion()
	note.Metadata.Annotations = map[string]any{kind.AskAnnotation: text}
	if written, err := p.writeNote(ctx, s, note); err != nil || !written {
		return err
	}
	p.Events.Tell(s.Object, corev1.EventTypeWarning, reasonReapplied, "A manifest was applied that suspends it, as it "+
		"did when the job was submitted: that has stopped the training, and Takt starts it again. Take %s out of the "+
		"manifest. To stop the job, suspend it by itself, such as with takt suspend.", field)
	return nil
}

// reasonReapplied is that of events of a job that a manifest has stopped.
const reasonReapplied = "SuspendedByManifest"

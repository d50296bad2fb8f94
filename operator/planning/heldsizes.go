package planning

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/takt-dev/takt/elastic/yield"
	"github.com/takt-dev/takt/operator/kind"
	"github.com/takt-dev/takt/operator/kind/written"
	"github.com/takt-dev/takt/operator/memory"
	"github.com/takt-dev/takt/operator/shorthand"
	"github.com/takt-dev/takt/operator/view"
	"github.com/takt-dev/takt/operator/writing"
)

// letsGo says how to take the annotation off the job that keeps its size.
func letsGo(s *view.Subject) string {
	return fmt.Sprintf("kubectl -n %s annotate %s %s %s- lets Takt resize it again.", s.ElasticJob.Namespace,
		strings.ToLower(s.ElasticJob.Spec.JobRef.Kind), s.ElasticJob.Spec.JobRef.Name, shorthand.HoldAnnotation)
}

// jobPatch is what is written to a job on which others have put their hands.
type jobPatch struct {
	Metadata struct {
		UID             types.UID      `json:"uid"`
		ResourceVersion string         `json:"resourceVersion"`
		Annotations     map[string]any `json:"annotations"`
	} `json:"metadata"`
	Spec map[string]any `json:"spec,omitempty"`
}

// acknowledge keeps on the job that it has a size which Takt has not asked for. It stays at that until somebody
// takes the annotation off again, unless the size came along with a manifest that was applied as a whole: that
// says nothing of what is wanted now, and Takt goes on from there, as long as that does not happen again and again. So
// it does from a job that was held for it, and that somebody else has started. One that Takt had stopped for a moment
// runs again. A job that has changed since it was seen is left to the next plan.
func (p *Planner) acknowledge(ctx context.Context, sc *Scene, s *view.Subject) error {
	if p.leaves(ctx, s) {
		return nil // the next plan does, once its pods are gone
	}
	fresh := s.Kind.New()
	if err := p.Live.Get(ctx, client.ObjectKeyFromObject(s.Object), fresh); err != nil {
		return client.IgnoreNotFound(err)
	}
	if !s.Kind.Read(fresh).Unchanged(s.Job) {
		return nil
	}
	seen := p.sizeOfOthers(s, fresh)
	told := fmt.Sprintf("Somebody has set its size to %d, which stays. %s", s.Job.Size, letsGo(s))
	stays := seen.Stays(sc.now())
	sc.others.Sizes[nameOf(s)] = seen
	if stays == yield.SetEachTime {
		told = eachTime(s)
	}
	hold := stays != ""
	note, err := p.noteOf(s, fresh, hold)
	if err != nil {
		return err
	}
	if len(note.Metadata.Annotations) > 0 {
		if done, err := p.writeNote(ctx, s, note); err != nil || !done {
			return err
		}
	}
	s.Known.Resized(s.Job.Size)
	if hold {
		p.Events.Tell(s.Object, corev1.EventTypeNormal, memory.ReasonByHand, "%s", told)
	}
	return nil
}

// writeNote writes on a job, unless that is gone or has changed.
func (p *Planner) writeNote(ctx context.Context, s *view.Subject, note jobPatch) (done bool, err error) {
	patch, err := json.Marshal(note)
	if err != nil {
		return false, fmt.Errorf("writing to %s: %w", s.ElasticJob.Spec.JobRef.String(), err)
	}
	err = writing.PatchJob(ctx, p.Client, s.Kind, s.Job, writing.Merge(patch))
	if apierrors.IsConflict(err) || apierrors.IsNotFound(err) {
		p.tryAgain(err)
		return false, nil
	}
	return err == nil, err
}

// sizeOfOthers is what is seen of the size that somebody else has given a job.
func (p *Planner) sizeOfOthers(s *view.Subject, fresh client.Object) yield.Size {
	scaled := applied(s, fresh, s.Kind.Words().Size)
	seen := yield.Size{Held: s.Held(), StartedByOthers: s.StartedByOthers(), Applied: scaled}
	if resumed(s) {
		seen.Applied = applied(s, fresh, suspendField(s))
	}
	if !s.Held() && (s.Job.ScaledByOthers() && scaled || resumed(s) && seen.Applied) {
		seen.TakenBack = s.Known.Overruled(s.Job.Asked.Epoch, p.Now())
	}
	return seen
}

// resumed says that somebody else has a job run again that Takt has stopped.
func resumed(s *view.Subject) bool { return s.Job.Asked.Suspended && !s.Job.Suspended }

// eachTime says what the manifest of a job does each time that Takt has changed it.
func eachTime(s *view.Subject) string {
	if resumed(s) && !s.Job.ScaledByOthers() {
		return fmt.Sprintf("Its manifest resumes it each time that Takt has stopped it, so it keeps its size of %d. Take %s "+
			"out of the manifest, or have whoever applies it leave that alone. Then %s", s.Job.Size, s.Kind.Words().Suspends,
			letsGo(s))
	}
	return fmt.Sprintf("Its manifest sets its size to %d each time that Takt has changed it, so it stays at that. "+
		"Take %s out of the manifest, or have whoever applies it leave that alone. Then %s", s.Job.Size,
		s.Kind.Words().Sizes, letsGo(s))
}

// applied says that a field of a job came along with a manifest that was applied as a whole.
func applied(s *view.Subject, fresh client.Object, field string) bool {
	return shorthand.Applied(fresh.GetManagedFields(), field, s.Kind.Words().Others...)
}

// suspendField is the last part of the field by which the job is suspended.
func suspendField(s *view.Subject) string {
	path := s.Kind.Words().Suspends
	return path[strings.LastIndex(path, ".")+1:]
}

// noteOf is what is written on a job that has a size which Takt has not asked for.
func (p *Planner) noteOf(s *view.Subject, fresh client.Object, hold bool) (note jobPatch, err error) {
	if s.ScaledHalfWay() {
		patch, err := s.Kind.Release(fresh, kind.Release{At: p.Now()})
		if err != nil {
			return note, err
		}
		if err := json.Unmarshal(patch, &note); err != nil {
			return note, fmt.Errorf("resuming %s: %w", s.ElasticJob.Spec.JobRef.String(), err)
		}
	}
	note.Metadata.UID, note.Metadata.ResourceVersion = s.Job.UID, fresh.GetResourceVersion()
	if note.Metadata.Annotations == nil {
		note.Metadata.Annotations = map[string]any{}
	}
	annotations := note.Metadata.Annotations
	if s.Job.Held {
		annotations[kind.HeldAnnotation] = nil
	}
	if hold {
		annotations[shorthand.HoldAnnotation] = shorthand.HeldByHand(s.Job.UID)
	}
	if ask := s.Job.Asked; ask.Epoch > 0 {
		ask.Workers, ask.Suspended = s.Job.Size, false
		text, err := written.EncodeAsk(s.Job.UID, ask,
			written.Before{Size: s.Job.Size, Suspended: s.Job.SubmittedSuspended})
		if err != nil {
			return note, err
		}
		annotations[kind.AskAnnotation] = text
	}
	return note, nil
}

// planHeld remembers how it stands with a job whose size stays, and says whether that is news.
func (p *Planner) planHeld(ctx context.Context, s *view.Subject, sc *Scene) (changed bool) {
	if r := s.Active(); staysAsItWas(s, r) && r.Annotations[view.WithdrawnAnnotation] == "" {
		p.withdraw(ctx, r, fmt.Sprintf("It keeps its size of %d, by what is written on the job as %s.", r.Spec.From,
			s.HeldBy()))
	}
	job, ok := p.inSnapshot(ctx, s, sc)
	if !ok || s.Job.Suspended { // it runs again in a moment
		s.Known.Undecide()
		return false
	}
	outcome, ok := sc.Snapshot.Held(job)
	if !ok {
		s.Known.Undecide()
		return false
	}
	reason, says := memory.ReasonByHand, fmt.Sprintf("Somebody has set its size to %d, or has started it: it keeps that "+
		"size for now, and the next plan says more.", s.Job.Size)
	if node := sc.elsewhere[s]; node != "" {
		reason, says = memory.ReasonOtherNodes, p.saysOnOtherNodes(s, node)
	}
	if node := sc.noReturn[s]; node != "" {
		reason, says = memory.ReasonOtherNodes, saysNoReturn(s, node)
	}
	switch {
	case s.HeldForSure():
		reason, says = memory.ReasonByHand, fmt.Sprintf("Its size stays at %d: somebody has set it, and the annotation %s "+
			"keeps it. %s", job.Workers, shorthand.HoldAnnotation, letsGo(s))
	case s.Held():
		reason, says = memory.ReasonByHand, fmt.Sprintf("Its size stays at %d: %s on the job may be meant to keep it.",
			job.Workers, s.HeldBy())
	}
	p.withhold(s, memory.Hindrance{Reason: reason, Message: says}, sc.At)
	due, _ := s.Deadline()
	return s.Known.Decide(outcome, due, sc.At)
}

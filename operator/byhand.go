package operator

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/elastic/resize"
	"github.com/takt-dev/takt/operator/adapter"
	"github.com/takt-dev/takt/operator/memory"
	"github.com/takt-dev/takt/operator/shorthand"
	"github.com/takt-dev/takt/operator/writing"
)

// reasonByHand is why a job is not resized whose size somebody has set.
const reasonByHand = "SizeHeld"

// held says that the size of a job stays, whatever others need.
func (s *subject) held() bool {
	_, annotated := s.job.Annotations[shorthand.HoldAnnotation]
	return annotated
}

// scaled says that another hand than Takt's has given a running job its size, or has started it.
func (s *subject) scaled() bool {
	switch {
	case s.job.State != resize.JobGoesOn || s.active() != nil || s.known == nil:
		return false
	case s.job.Suspended:
		return s.scaledHalfWay()
	case s.startedByOthers():
		return true
	case s.job.Asked.Epoch > 0:
		return s.job.Asked.Suspended || s.job.ScaledByOthers()
	}
	return s.known.Sized(s.job.Size)
}

// scaledHalfWay says that it was given another size while Takt had it stopped, to start it at once at one of its own.
func (s *subject) scaledHalfWay() bool { return s.job.ReturnsTo > 0 && s.job.ScaledByOthers() }

// letsGo says how to take the annotation off the job that keeps its size.
func (s *subject) letsGo() string {
	return fmt.Sprintf("kubectl -n %s annotate %s %s %s- lets Takt resize it again.", s.ej.Namespace, strings.ToLower(s.ej.Spec.JobRef.Kind), s.ej.Spec.JobRef.Name, shorthand.HoldAnnotation)
}

// jobPatch is what acknowledge writes to a job.
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
// says nothing of what is wanted now, and Takt goes on from there. So it does from a job that was held for it, and
// that somebody else has started. One that Takt had stopped for a moment runs again. A job that has changed since it was seen is left to the next plan.
func (o *Operator) acknowledge(ctx context.Context, s *subject) error {
	if o.leaves(s) {
		return nil // the next plan does, once its pods are gone
	}
	fresh := s.kind.New()
	if err := o.live.Get(ctx, client.ObjectKeyFromObject(s.object), fresh); err != nil {
		return client.IgnoreNotFound(err)
	}
	if !sameToAct(s.job, s.kind.Read(fresh)) {
		return nil
	}
	field := "replicas"
	if s.job.Asked.Suspended && !s.job.Suspended {
		field = "suspend"
	}
	var note jobPatch
	if s.scaledHalfWay() {
		patch, err := s.kind.Release(fresh, adapter.Release{At: o.now()})
		if err != nil {
			return err
		}
		if err := json.Unmarshal(patch, &note); err != nil {
			return fmt.Errorf("resuming %s: %w", s.ej.Spec.JobRef.String(), err)
		}
	}
	note.Metadata.UID, note.Metadata.ResourceVersion = s.job.UID, fresh.GetResourceVersion()
	if note.Metadata.Annotations == nil {
		note.Metadata.Annotations = map[string]any{}
	}
	annotations := note.Metadata.Annotations
	if s.job.Held {
		annotations[adapter.HeldAnnotation] = nil
	}
	hold := !s.held() && !s.startedByOthers() && !shorthand.Applied(fresh.GetManagedFields(), field)
	if hold {
		annotations[shorthand.HoldAnnotation] = adapter.HeldByHand
	}
	if ask := s.job.Asked; ask.Epoch > 0 {
		ask.Workers, ask.Suspended = s.job.Size, false
		text, err := adapter.EncodeAsk(s.job.UID, ask, s.job.Size)
		if err != nil {
			return err
		}
		annotations[adapter.AskAnnotation] = text
	}
	patch, err := json.Marshal(note)
	if err != nil {
		return fmt.Errorf("writing to %s: %w", s.ej.Spec.JobRef.String(), err)
	}
	if len(annotations) > 0 {
		if err := writing.PatchJob(ctx, o.client, s.kind, s.job, writing.Merge(patch)); err != nil {
			if apierrors.IsConflict(err) {
				return nil
			}
			return client.IgnoreNotFound(err)
		}
	}
	s.known.Resized(s.job.Size)
	if hold {
		o.events.Tell(s.object, corev1.EventTypeNormal, reasonByHand, "Somebody has set its size to %d, which stays. %s", s.job.Size, s.letsGo())
	}
	return nil
}

// planHeld says how it stands with a job whose size stays, as if it were alone with the GPUs that it has, and
// whether that is news.
func (o *Operator) planHeld(ctx context.Context, s *subject, sc *scene) (changed bool) {
	job, ok := o.plannable(ctx, s, sc)
	if !ok {
		s.known.Undecide()
		return false
	}
	if s.job.Suspended { // it runs again in a moment
		s.known.Undecide()
		return false
	}
	alone := sc.snapshot
	job.On = nil
	alone.Jobs, alone.Demands, alone.Queues = []elastic.Job{job}, nil, nil
	alone.Nodes = []elastic.Node{{Name: job.Name, Pool: job.Pool, GPUs: elastic.GPUs(job.Workers) * job.GPUsPerWorker}}
	if alone.Check() != nil {
		s.known.Undecide()
		return false
	}
	outcome := elastic.Plan(alone).Jobs[0]
	outcome.Workers, outcome.Reserved = job.Workers, nil
	says := fmt.Sprintf("Somebody has set its size to %d, or has started it: it keeps that size for now, and the next plan says more.", s.job.Size)
	if s.held() {
		says = fmt.Sprintf("Its size stays at %d: somebody has set it, and the annotation %s keeps it. %s", s.job.Size, shorthand.HoldAnnotation, s.letsGo())
	}
	o.withhold(s, memory.Hindrance{Reason: reasonByHand, Message: says}, sc.at)
	due, _ := s.deadline()
	return s.known.Decide(outcome, due, sc.at)
}

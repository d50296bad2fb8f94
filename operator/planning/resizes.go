package planning

import (
	"context"
	"errors"
	"fmt"
	"time"

	"golang.org/x/sync/errgroup"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/elastic/resize"
	"github.com/takt-dev/takt/operator/memory"
	"github.com/takt-dev/takt/operator/view"
	"github.com/takt-dev/takt/operator/wording"
	"github.com/takt-dev/takt/operator/writing"
)

// act turns a decision into Resizes, and says when to look again at the latest. What cannot be done
// yet is left for a later plan: it will decide the same, as long as nothing else has changed.
func (p *Planner) act(ctx context.Context, sc *Scene, decision elastic.Decision) time.Duration {
	next := p.Rest()
	byName := map[string]int{}
	for i, job := range sc.Snapshot.Jobs {
		byName[job.Name] = i
	}
	resizes := map[string]elastic.Resize{}
	for _, r := range decision.Resizes {
		resizes[r.Job] = r
	}
	for i, s := range sc.Subjects {
		if _, wanted := resizes[sc.Snapshot.Jobs[i].Name]; !wanted {
			p.withhold(s, sc.caps[s].hinders(decision.Jobs[i].Workers), sc.At)
		}
	}
	free := p.FreeGPUs(sc)
	early := premature(sc, decision, byName, free.GPUs)
	var proposals []func() error
	for _, r := range decision.Resizes {
		i := byName[r.Job]
		s, job := sc.Subjects[i], sc.Snapshot.Jobs[i].In(decision.Jobs[i].Pool)
		if active := s.Active(); active != nil {
			p.reconsider(ctx, active, r)
			continue
		}
		if until := p.HeldUntil(s); (r.To > r.From || RefusedLast(s)) && sc.At.Before(until) {
			p.withhold(s, memory.Hindrance{Reason: memory.ReasonLastFailed, Message: fmt.Sprintf("Its last resize has failed or was taken back, so the next is not begun before %s.",
				until.UTC().Format("15:04:05 MST"))}, sc.At)
			next = min(next, until.Sub(sc.At))
			continue
		}
		if p.leaves(s) {
			p.withhold(s, memory.Hindrance{Reason: memory.ReasonLeaving, Message: "It starts once the last of the pods that it had before is gone."}, sc.At)
			continue
		}
		if why, stuck := p.BlockedByNode(s, r); stuck {
			p.withhold(s, why, sc.At)
			continue
		}
		if early[job.Pool] && r.To < r.From && (r.Reason == elastic.GaveBack || r.Reason == elastic.Stopped) {
			p.withhold(s, notTaken, sc.At)
			continue
		}
		granted, why := free.take(s, job, r)
		p.withhold(s, why, sc.At)
		if granted == r.From {
			continue
		}
		r.To = granted
		proposals = append(proposals, func() error {
			if err := p.Propose(ctx, sc, s, job, r, decision.Jobs[i]); err != nil {
				return fmt.Errorf("job %s: %w", r.Job, err)
			}
			return nil
		})
	}
	for _, err := range p.Together(proposals) {
		switch {
		case err == nil:
			continue
		case errors.Is(err, writing.ErrOutdated) || apierrors.IsAlreadyExists(err) || apierrors.IsNotFound(err):
		default:
			p.log.Error(err, "Cannot begin a resize; the next plan tries again")
		}
		next = min(next, time.Second)
	}
	return next
}

// Together does several things at a time, so that the last of many resizes does not wait for all the
// others to be written.
func (p *Planner) Together(all []func() error) []error {
	errs := make([]error, len(all))
	var group errgroup.Group
	group.SetLimit(p.AtOnce)
	for i, do := range all {
		group.Go(func() error {
			errs[i] = do()
			return nil
		})
	}
	_ = group.Wait() // each has its own error
	return errs
}

// reconsider withdraws a resize that is under way if the plan now wants a smaller size, and nobody
// trains differently yet: what it holds is needed elsewhere.
func (p *Planner) reconsider(ctx context.Context, active *v1alpha1.Resize, r elastic.Resize) {
	if active.Annotations[view.WithdrawnAnnotation] != "" || int32(r.To) >= active.Spec.To || active.Spec.To < active.Spec.From {
		return
	}
	for _, c := range active.Status.Conditions {
		switch c.Type {
		case v1alpha1.ConditionCommitted, v1alpha1.ConditionRollingBack, v1alpha1.ConditionRestarting:
			return
		}
	}
	withdrawn := active.DeepCopy()
	metav1.SetMetaDataAnnotation(&withdrawn.ObjectMeta, view.WithdrawnAnnotation, string(r.Reason))
	err := p.Client.Patch(ctx, withdrawn, writing.Onto(active))
	if p.tryAgain(err); client.IgnoreNotFound(err) != nil && !apierrors.IsConflict(err) {
		p.log.Error(err, "Cannot withdraw a resize; the next plan tries again", "resize", active.Name)
	}
}

// Propose looks at the job once more, and makes the Resize.
func (p *Planner) Propose(ctx context.Context, sc *Scene, s *view.Subject, job elastic.Job, r elastic.Resize, o elastic.Outcome) error {
	if err := p.Recheck(ctx, s); err != nil {
		return err
	}
	proposal := &v1alpha1.Resize{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: s.ElasticJob.Namespace, Name: fmt.Sprintf("%s-%d", s.ElasticJob.Name, s.Epoch()),
			OwnerReferences: []metav1.OwnerReference{writing.OwnedBy(s.ElasticJob)},
		},
		Spec: v1alpha1.ResizeSpec{
			ElasticJob: s.ElasticJob.Name, Epoch: s.Epoch(), From: int32(r.From), To: int32(r.To),
			Mode: v1alpha1.ResizeMode(s.Mode()), Reason: v1alpha1.ResizeReason(r.Reason), Message: wording.Clip(o.Why),
			PlaceWithinSeconds: placeWithin(p.Limits),
		},
	}
	if r.To > r.From {
		proposal.Spec.Acceptable = Acceptable(job, r)
		proposal.Spec.NodeSelector = sc.selector(s, job.Pool)
		sc.urge(&proposal.Spec, s, job, o)
	}
	if err := p.Client.Create(ctx, proposal); err != nil {
		return fmt.Errorf("creating Resize %s: %w", proposal.Name, err)
	}
	p.log.V(1).Info("Decided", "job", r.Job, "from", r.From, "to", r.To, "reason", r.Reason, "why", o.Why)
	return nil
}

// Recheck fails if the job, or what is asked of it, is not as the plan has seen it. What is asked of it is
// read from the API server; the job itself is read there once more before it is changed.
func (p *Planner) Recheck(ctx context.Context, s *view.Subject) error {
	if err := p.View.NodesReadable(s); err != nil {
		return err
	}
	var ej v1alpha1.ElasticJob
	if err := p.Live.Get(ctx, client.ObjectKeyFromObject(s.ElasticJob), &ej); err != nil {
		return err
	}
	if ej.UID != s.ElasticJob.UID || ej.Generation != s.ElasticJob.Generation || ej.DeletionTimestamp != nil {
		return writing.ErrOutdated
	}
	object := s.Kind.New()
	if err := p.Client.Get(ctx, client.ObjectKeyFromObject(s.Object), object); err != nil {
		return err
	}
	if fresh := s.Kind.Read(object); !view.SameToAct(s.Job, fresh) || fresh.State != resize.JobGoesOn {
		return writing.ErrOutdated
	}
	return nil
}

// Acceptable is the smallest growth worth having: the next size that the job may have, or all of it for one that never
// has another.
func Acceptable(job elastic.Job, r elastic.Resize) *int32 {
	if job.Uninterruptible {
		return new(int32(r.To))
	}
	for _, size := range job.Sizes {
		if size.Workers > r.From && size.Workers <= r.To {
			least := int32(size.Workers)
			return &least
		}
	}
	return nil
}

func placeWithin(limits resize.Limits) *int32 {
	seconds := int32(max(limits.PlaceWithin/time.Second, 1))
	return &seconds
}

// withhold remembers what hinders a job, and has it told.
func (p *Planner) withhold(s *view.Subject, h memory.Hindrance, at time.Time) {
	if s.Known.Withhold(h, at) {
		p.Report(client.ObjectKeyFromObject(s.ElasticJob))
	}
}

// RefusedLast says that the last Resize of a job ended in that way, whichever way it went.
func RefusedLast(s *view.Subject) bool {
	if len(s.Past) == 0 {
		return false
	}
	end := s.Past[len(s.Past)-1].Ending()
	return end != nil && end.Reason == view.ReasonRefused
}

package planning

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/elastic/begin"
	"github.com/takt-dev/takt/elastic/coretime"
	"github.com/takt-dev/takt/elastic/resize"
	"github.com/takt-dev/takt/operator/memory"
	"github.com/takt-dev/takt/operator/view"
	"github.com/takt-dev/takt/operator/wording"
	"github.com/takt-dev/takt/operator/writing"
)

// act turns what of a decision may begin now into Resizes, and says when to look again at the latest. What cannot be
// done yet is left for a later plan: it will decide the same, as long as nothing else has changed.
func (p *Planner) act(ctx context.Context, sc *Scene, decision elastic.Decision, b begin.Beginning) time.Duration {
	next, at := p.rest(), map[string]int{}
	var claims []types.NamespacedName
	for i, s := range sc.Subjects {
		at[sc.Snapshot.Jobs[i].Name] = i
		if sc.At.Before(s.Known.ResizeRestsUntil()) {
			continue // what was said of that stands
		}
		h := b.Hindered[i]
		if h != nil && p.withhold(s, p.inWords(ctx, sc, s, *h), sc.At) && h.Reason == begin.NotFree {
			claims = append(claims, client.ObjectKeyFromObject(s.ElasticJob))
		}
	}
	if slices.ContainsFunc(b.Begin, gives) {
		p.putOnRecord(ctx, claims)
	}
	if b.Wake != nil {
		next = min(next, coretime.Time(*b.Wake).Sub(sc.At))
	}
	for _, r := range b.Withdraw {
		p.withdraw(ctx, sc.Subjects[at[r.Job]].Active(), r.Why)
	}
	var proposals []func() error
	var of []*view.Subject
	for _, begun := range b.Begin {
		i := at[begun.Resize.Job]
		s, job := sc.Subjects[i], sc.Snapshot.Jobs[i].In(decision.Jobs[i].Pool)
		if sc.At.Before(s.Known.ResizeRestsUntil()) {
			continue
		}
		of = append(of, s)
		proposals = append(proposals, func() error {
			if err := p.propose(ctx, sc, s, job, begun, decision.Jobs[i]); err != nil {
				return fmt.Errorf("job %s: %w", begun.Resize.Job, err)
			}
			return nil
		})
	}
	for i, err := range p.together(proposals) {
		switch {
		case err == nil:
			continue
		case errors.Is(err, writing.ErrOutdated) || apierrors.IsAlreadyExists(err) || apierrors.IsNotFound(err):
		default:
			p.log.Error(err, "Cannot begin a resize; the next plan tries again")
			if writing.RefusedForGood(err) {
				p.restAfter(of[i], err, sc.At)
				continue // and not because of it
			}
		}
		next = min(next, time.Second)
	}
	return next
}

// restAfter has a job of which the API server refuses a Resize, such as by a quota or a policy, rest for a while, and
// says what it takes: only somebody's hand changes that.
func (p *Planner) restAfter(s *view.Subject, refused error, at time.Time) {
	s.Known.ResizeRefused(at.Add(p.Settings.Resizes.RetryAfter.Duration))
	p.withhold(s, memory.Hindrance{Reason: memory.ReasonRefused, Message: fmt.Sprintf(
		"It is to have another size, and the API server refuses the Resize for that: %q. Have whoever runs the cluster "+
			"allow Takt to create Resizes in namespace %s; it is tried again every %s.",
		view.PassedOn(refused.Error()), s.ElasticJob.Namespace, wording.Span(p.Settings.Resizes.RetryAfter.Duration)),
	}, at)
}

func gives(b begin.Begun) bool { return b.Resize.To < b.Resize.From }

// putOnRecord writes down who is to have what others give back, before they do: a process that begins after this one
// knows nothing else of it, and might let it go to others, or have it given for nothing. Where that cannot be written,
// it is given all the same.
func (p *Planner) putOnRecord(ctx context.Context, claims []types.NamespacedName) {
	var writes []func() error
	for _, of := range claims {
		writes = append(writes, func() error { return p.Say(ctx, of) })
	}
	for i, err := range p.together(writes) {
		if err != nil && !apierrors.IsConflict(err) {
			p.log.Error(err, "Cannot write down what a job is to have; its status will tell", "elasticjob", claims[i])
		}
	}
}

// together does several things at a time, so that the last of many resizes does not wait for all the
// others to be written.
func (p *Planner) together(all []func() error) []error {
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

// withdraw has a resize that is under way given up, and says why.
func (p *Planner) withdraw(ctx context.Context, active *v1alpha1.Resize, why string) {
	withdrawn := active.DeepCopy()
	metav1.SetMetaDataAnnotation(&withdrawn.ObjectMeta, view.WithdrawnAnnotation, wording.Clip(why))
	err := p.Client.Patch(ctx, withdrawn, writing.Onto(active))
	if p.tryAgain(err); client.IgnoreNotFound(err) != nil && !apierrors.IsConflict(err) {
		p.log.Error(err, "Cannot withdraw a resize; the next plan tries again", "resize", active.Name)
	}
}

// propose looks at the job once more, and makes the Resize.
func (p *Planner) propose(ctx context.Context, sc *Scene, s *view.Subject, job elastic.Job, begun begin.Begun,
	o elastic.Outcome) error {
	r := begun.Resize
	if err := p.recheck(ctx, s); err != nil {
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
		settles(&proposal.Spec, begun.Settles, s.Chosen())
		sc.urge(&proposal.Spec, s, job, o)
	}
	if r.To > r.From || r.To > 0 && s.Mode() == resize.Cold { // pods are made for it
		proposal.Spec.NodeSelector = sc.selector(s, job.Pool)
	}
	err := p.Client.Create(ctx, proposal)
	if apierrors.IsForbidden(err) && strings.Contains(err.Error(), "exceeded quota") && p.makesRoomFor(ctx, s) {
		err = p.Client.Create(ctx, proposal)
	}
	if err != nil {
		return fmt.Errorf("creating Resize %s: %w", proposal.Name, err)
	}
	p.log.V(1).Info("Decided", "job", r.Job, "from", r.From, "to", r.To, "reason", r.Reason, "why", o.Why)
	return nil
}

// keptForNext is how many Resizes that are over the next plan of their job goes by.
const keptForNext = 5

// makesRoomFor removes the oldest record of a job, where it has some to spare: a quota may count them, and then no
// Resize would be made ever again, as records go only when one ends. It says whether one is gone.
func (p *Planner) makesRoomFor(ctx context.Context, s *view.Subject) bool {
	for _, r := range s.Past[:max(len(s.Past)-keptForNext, 0)] {
		if !r.Over() || view.NamedBy(s.Job.Worker, r) {
			continue
		}
		err := writing.Remove(ctx, p.Client, r)
		if err != nil {
			p.log.Error(err, "Cannot remove the record of an old resize", "resize", r.Name)
			return false
		}
		s.Known.Remove(r)
		return true
	}
	return false
}

// recheck fails if the job, or what is asked of it, is not as the plan has seen it. What is asked of it is
// read from the API server; the job itself is read there once more before it is changed.
func (p *Planner) recheck(ctx context.Context, s *view.Subject) error {
	if err := p.View.NodesReadable(ctx, s); err != nil {
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
	if fresh := s.Kind.Read(object); !fresh.Unchanged(s.Job) || fresh.State != resize.JobGoesOn {
		return writing.ErrOutdated
	}
	return nil
}

// mostSizes is how many sizes a record has at most.
const mostSizes = 64

// settles writes the sizes that a growth may settle for; for one that may have each between, the least will do.
func settles(spec *v1alpha1.ResizeSpec, sizes []elastic.Workers, chosen bool) {
	if len(sizes) == 0 {
		return
	}
	spec.Acceptable = new(int32(sizes[0]))
	if !chosen {
		return
	}
	for _, size := range sizes[max(0, len(sizes)-mostSizes):] {
		spec.Sizes = append(spec.Sizes, int32(size))
	}
}

func placeWithin(limits resize.Limits) *int32 {
	seconds := int32(max(limits.PlaceWithin/time.Second, 1))
	return &seconds
}

// withhold remembers what hinders a job, has it told where that is news, and says so.
func (p *Planner) withhold(s *view.Subject, h memory.Hindrance, at time.Time) (news bool) {
	news = s.Known.Withhold(h, at)
	if news {
		p.Report(client.ObjectKeyFromObject(s.ElasticJob))
	}
	return news
}

package resizing

import (
	"context"
	"errors"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic/resize"
	"github.com/takt-dev/takt/operator/view"
	"github.com/takt-dev/takt/operator/wording"
	"github.com/takt-dev/takt/operator/writing"
)

// giveUp ends a Resize whose next write has been refused for too long, or has it go back. A start that is refused with
// the agent, as by a policy on images, is tried without it before. False is that there is still time.
func (z *Resizer) giveUp(ctx context.Context, s *view.Subject, r *v1alpha1.Resize, next resize.Step,
	observed resize.Observed, refused error) (bool, error) {
	ends := errors.Is(refused, context.Canceled)
	if ends || apierrors.IsConflict(refused) || apierrors.IsNotFound(refused) {
		return false, nil // it is looked at anew
	}
	forGood, says := writing.RefusedForGood(refused), wording.Sentences(refused.Error())
	end, over := resize.GiveUp(observed, next, resize.Refusal{
		Since: s.Known.WriteRefusedSince(r.Name, observed.Now), Says: says, Passing: !forGood})
	if !over {
		return false, nil
	}
	starts := next.Do == resize.AskJob && !next.Ask.Suspended && s.Job.Suspended
	if forGood && starts && next.Reason != resize.AgentNotInstalled && z.agentOf(s).Image != "" {
		bare := next
		bare.Reason, bare.Message = resize.AgentNotInstalled, says
		switch err := z.ask(ctx, s, r, bare, ""); {
		case err == nil:
			s.Known.WriteAccepted()
			return true, nil
		case !writing.RefusedForGood(err):
			return true, err
		}
	}
	s.Known.WriteAccepted() // what follows may be
	before := r.DeepCopy()
	end.Message = wording.Clip(end.Message)
	note(r, end, observed.Now)
	written, err := z.write(ctx, s, before, r)
	if written && r.Over() {
		z.Ended(ctx, s, r)
	}
	return true, err
}

package resizing

import (
	"context"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic/resize"
	"github.com/takt-dev/takt/operator/view"
	"github.com/takt-dev/takt/operator/wording"
	"github.com/takt-dev/takt/operator/writing"
)

// giveUp ends a Resize whose next write has been refused for too long. False is that there is still time.
func (z *Resizer) giveUp(ctx context.Context, s *view.Subject, r *v1alpha1.Resize, next resize.Step,
	refused error) (bool, error) {
	if !writing.RefusedForGood(refused) {
		return false, nil
	}
	now := z.Now()
	end, over := resize.GiveUp(resize.Observed{Now: now, Limits: z.Limits}, next, s.Known.WriteRefusedSince(r.Name, now),
		wording.Sentences(refused.Error()))
	if !over {
		return false, nil
	}
	s.Known.WriteAccepted() // the next Resize may be
	before := r.DeepCopy()
	end.Message = wording.Clip(end.Message)
	note(r, end, now)
	written, err := z.write(ctx, s, before, r)
	if written {
		z.Ended(ctx, s, r)
	}
	return true, err
}

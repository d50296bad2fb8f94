package resizing

import (
	"context"
	"fmt"
	"time"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic/resize"
	"github.com/takt-dev/takt/operator/view"
	"github.com/takt-dev/takt/operator/wording"
	"github.com/takt-dev/takt/operator/writing"
)

// giveUp ends a Resize whose next write has been refused for so long that nobody mends it: it would
// keep the GPUs that it was to have. False is that there is still time.
func (z *Resizer) giveUp(ctx context.Context, s *view.Subject, r *v1alpha1.Resize, next resize.Step,
	refused error) (bool, error) {
	if !writing.RefusedForGood(refused) {
		return false, nil
	}
	now := z.Now()
	since := s.Known.WriteRefusedSince(now)
	if now.Sub(since) < z.Limits.DrainWithin {
		return false, nil
	}
	s.Known.WriteAccepted() // the next Resize may be
	before := r.DeepCopy()
	note(r, resize.Step{
		Condition: resize.Failed, Reason: view.ReasonRefused,
		Message: wording.Sentences(fmt.Sprintf("For %s the API server has refused what comes next (%s). It says: %v",
			wording.Span(now.Sub(since).Truncate(time.Second)), next.Reason, refused), "The job is left as it is."),
	}, now)
	written, err := z.write(ctx, s, before, r)
	if written {
		z.Ended(ctx, s, r)
	}
	return true, err
}

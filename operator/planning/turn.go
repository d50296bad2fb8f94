package planning

import (
	"time"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/operator/view"
)

// clocks is by how much two clocks may differ: who decides goes by his own, and what was decided is dated by another.
const clocks = time.Minute

// turnOf is since when a job waits, or has waited before it was started; and until when its turn lasts, if it was
// started because it had waited for as long as its queue lets jobs wait. All of that is on record, so that a fresh
// process knows it.
func turnOf(s *view.Subject, most time.Duration) (since, until time.Time) {
	since = s.ElasticJob.CreationTimestamp.Time
	for _, before := range s.Succeeded {
		if at, err := before.SucceededAt.Time(); err == nil && at.After(since) {
			since = at
		}
	}
	for _, r := range s.Past {
		end, begun := r.Ending(), r.CreationTimestamp.Time
		if end != nil && end.Type != v1alpha1.ConditionSucceeded {
			continue
		}
		switch {
		case r.Spec.To == 0 && end != nil:
			since, until = end.LastTransitionTime.Time, time.Time{}
		case r.Spec.To == 0:
			since, until = begun, time.Time{}
		case r.Spec.From == 0 && begun.Sub(since) < most-min(most/10, clocks):
			until = time.Time{}
		case r.Spec.From == 0 && end != nil:
			until = end.LastTransitionTime.Add(most)
		case r.Spec.From == 0:
			until = begun.Add(most)
		}
	}
	return since, until
}

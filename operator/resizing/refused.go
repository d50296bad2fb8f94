package resizing

import (
	"context"
	"strings"
	"time"

	"sigs.k8s.io/controller-runtime/pkg/log"

	"github.com/takt-dev/takt/elastic/resize"
	"github.com/takt-dev/takt/operator/view"
)

// refusedEvery is how often it is looked for why no pod can be made.
const refusedEvery = 5 * time.Second

// seeRefusal adds why no pod can be made, where the first is overdue. Its controller says so in an event alone. Where
// events cannot be read nobody knows why, and the pods are waited for as if nothing were known. A job that trains does
// so without them meanwhile: of that it is looked for only once they have been waited for long enough.
func (z *Resizer) seeRefusal(ctx context.Context, s *view.Subject, observed *resize.Observed) {
	if s.Kind == nil || !observed.FirstPodOverdue() && !observed.GrowthOverdue() {
		return
	}
	refusal, err := s.Unmade(ctx, z.Live, s.MissedSince(observed.Job.Asked.At))
	if err != nil {
		log.FromContext(ctx).Info("Nobody can tell why no pod is made", "error", err.Error())
		return
	}
	observed.Job.Refused = view.PassedOn(refusal.Why)
	observed.Job.RefusedAnyway = !forbids(refusal.Why)
}

// forbids says of why no pod can be made that somebody forbids such pods: in the words of the API server, or of a
// webhook. A quota that is used up, a namespace that goes and a webhook that does not answer refuse any.
func forbids(why string) bool {
	says := func(words string) bool { return strings.Contains(why, words) }
	return (says(" is forbidden: ") || says(" is invalid: ") || says(" denied the request")) &&
		!says("exceeded quota") && !says("being terminated")
}

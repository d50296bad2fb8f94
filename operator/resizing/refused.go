package resizing

import (
	"context"
	"slices"
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

// forbidden are words of who forbids pods as they are: of the API server, or of a webhook. Among the words of the
// former are those of what refuses any, such as a quota that is used up.
var (
	forbidden = []string{" is forbidden: ", " is invalid: ", " denied the request"}
	whoever   = []string{"exceeded quota", "being terminated", "error looking up service account",
		"no PriorityClass with name", "cannot create resource"}
)

// forbids says of why no pod can be made that somebody forbids such pods, and not any.
func forbids(why string) bool {
	says := func(words string) bool { return strings.Contains(why, words) }
	return slices.ContainsFunc(forbidden, says) && !slices.ContainsFunc(whoever, says)
}

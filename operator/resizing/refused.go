package resizing

import (
	"context"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/log"

	"github.com/takt-dev/takt/elastic/resize"
	"github.com/takt-dev/takt/operator/view"
)

const (
	// refusedEvery is how often it is looked for why no pod can be made.
	refusedEvery = 5 * time.Second
	// mostEvents is how many events of a job are read at most. There are more only where somebody writes them on purpose.
	mostEvents = 500
)

// seeRefusal adds why no pod can be made, where the first is overdue. Its controller says so in an event alone. Where
// events cannot be read nobody knows why, and the pods are waited for as if nothing were known.
func (z *Resizer) seeRefusal(ctx context.Context, s *view.Subject, observed *resize.Observed) {
	if s.Kind == nil || !observed.FirstPodOverdue() {
		return
	}
	var events corev1.EventList
	err := z.Live.List(ctx, &events, client.InNamespace(s.Job.Namespace), client.Limit(mostEvents),
		client.MatchingFields{"involvedObject.uid": string(s.Job.UID), "type": corev1.EventTypeWarning})
	if err != nil {
		log.FromContext(ctx).Info("Nobody can tell why no pod is made", "error", err.Error())
		return
	}
	refusal := refusalIn(events.Items, s.Kind.Words().Refuses, observed.Job.Asked.At)
	observed.Job.Refused = view.PassedOn(refusal)
	observed.Job.RefusedAnyway = strings.Contains(refusal, "exceeded quota")
}

// refusalIn is what the last event for a reason says since a moment, of which events keep the second.
func refusalIn(events []corev1.Event, reason string, since time.Time) (says string) {
	last := since.Truncate(time.Second)
	for _, e := range events {
		at := e.LastTimestamp.Time
		if e.Series != nil {
			at = e.Series.LastObservedTime.Time
		}
		if e.Reason == reason && !at.Before(last) {
			last, says = at, e.Message
		}
	}
	_, why, found := strings.Cut(says, "Error creating: ")
	if !found {
		return says
	}
	return why
}

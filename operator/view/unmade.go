package view

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic/resize"
	"github.com/takt-dev/takt/operator/memory"
)

// mostEvents is how many events of a job are read at most. There are more only where somebody writes them on purpose.
const mostEvents = 500

// Unmade is what the controller of the job has said since a moment of pods that it cannot make. It says so in events
// alone, which are not in the cache.
func (s *Subject) Unmade(ctx context.Context, live client.Reader, since time.Time) (memory.Unmade, error) {
	var events corev1.EventList
	err := live.List(ctx, &events, client.InNamespace(s.Job.Namespace), client.Limit(mostEvents),
		client.MatchingFields{"involvedObject.uid": string(s.Job.UID), "type": corev1.EventTypeWarning})
	if err != nil {
		return memory.Unmade{}, fmt.Errorf("listing the events of %s: %w", s.ElasticJob.Spec.JobRef.String(), err)
	}
	return unmadeBy(events.Items, s.Kind.Words().Refuses, since), nil
}

// mostMissed is for how long what was said of pods holds for those that are asked for after them.
const mostMissed = 10 * time.Minute

// MissedSince is since when pods are missing that were asked for at a moment: since an earlier Resize was made, if all
// from there on have ended for want of pods, and that is not long ago. What the controller said of those holds for
// these. It comes late where much is said in a cluster, and is hardly said again: of one job client-go passes on 25
// events, and then one in five minutes.
func (s *Subject) MissedSince(asked time.Time) time.Time {
	since := asked
	for _, r := range slices.Backward(s.Past) {
		end := r.Ending()
		if end == nil {
			continue
		}
		missed := slices.Contains([]string{string(resize.NobodyAnswered), string(resize.PodsMissing)}, end.Reason)
		placed := meta.IsStatusConditionTrue(r.Status.Conditions, v1alpha1.ConditionPlaced)
		at := r.CreationTimestamp.Time
		if !missed || placed || asked.Sub(at) > mostMissed {
			break
		}
		if at.Before(since) {
			since = at
		}
	}
	return since
}

// unmadeBy is what the last event for a reason says since a moment, of which events keep the second, and since when
// there are such.
func unmadeBy(events []corev1.Event, reason string, since time.Time) (u memory.Unmade) {
	last := since.Truncate(time.Second)
	for _, e := range events {
		first, at := e.FirstTimestamp.Time, e.LastTimestamp.Time
		if e.Series != nil {
			first, at = e.EventTime.Time, e.Series.LastObservedTime.Time
		}
		if first.IsZero() || first.After(at) {
			first = at
		}
		if e.Reason != reason || at.Before(since.Truncate(time.Second)) {
			continue
		}
		if u.Since.IsZero() || first.Before(u.Since) {
			u.Since = first
		}
		if !at.Before(last) {
			last, u.Why = at, e.Message
		}
	}
	if _, why, found := strings.Cut(u.Why, "Error creating: "); found {
		u.Why = why
	}
	return u
}

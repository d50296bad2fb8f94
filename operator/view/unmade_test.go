package view

import (
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// What counts is what was said last, and since the pods were asked for.
func TestWhyPodsAreNotMadeIsTheLastOfItsReason(t *testing.T) {
	asked := time.Date(2026, 3, 1, 12, 0, 0, 5e8, time.UTC)
	event := func(reason, message string, after time.Duration) corev1.Event {
		return corev1.Event{Reason: reason, Message: message, LastTimestamp: metav1.NewTime(asked.Add(after))}
	}
	series := event("FailedCreatePod", "(combined from similar events): Error creating: too little", -time.Minute)
	series.Series = &corev1.EventSeries{LastObservedTime: metav1.NewMicroTime(asked.Add(time.Minute))}
	for name, c := range map[string]struct {
		events []corev1.Event
		want   string
	}{
		"nobody says anything": {},
		"it says something else": {[]corev1.Event{
			event("FailedCreateService", "Error creating: no", time.Second), event("Suspended", "it is", time.Second)}, ""},
		"it was said before": {[]corev1.Event{event("FailedCreatePod", "Error creating: no", -2*time.Second)}, ""},
		"it was said in the same second": {[]corev1.Event{
			event("FailedCreatePod", "Error creating: no", -time.Second/2)}, "no"},
		"the last counts": {[]corev1.Event{event("FailedCreatePod", "Error creating: that", 2*time.Second),
			event("FailedCreatePod", "Error creating: this", time.Second)}, "that"},
		"it is said again":     {[]corev1.Event{series}, "too little"},
		"it is said otherwise": {[]corev1.Event{event("FailedCreatePod", "no", time.Second)}, "no"},
	} {
		if got := unmadeBy(c.events, "FailedCreatePod", asked); got.Why != c.want || got.Since.IsZero() != (c.want == "") {
			t.Errorf("%s: %+v, want %q", name, got, c.want)
		}
	}
}

// It is said since the first of those that count, which may be the same that are said again.
func TestSinceWhenPodsAreNotMade(t *testing.T) {
	start := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	event := func(reason string, first, last time.Duration) corev1.Event {
		return corev1.Event{Reason: reason, Message: "no", LastTimestamp: metav1.NewTime(start.Add(last)),
			FirstTimestamp: metav1.NewTime(start.Add(first))}
	}
	got := unmadeBy([]corev1.Event{
		event("FailedCreatePod", -time.Hour, -time.Minute), event("FailedCreateService", 0, time.Hour),
		event("FailedCreatePod", 2*time.Minute, 3*time.Minute), event("FailedCreatePod", time.Minute, 2*time.Minute),
	}, "FailedCreatePod", start)
	if want := start.Add(time.Minute); !got.Since.Equal(want) {
		t.Errorf("it is said since %s, want %s", got.Since, want)
	}
}

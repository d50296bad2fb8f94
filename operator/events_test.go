package operator

import (
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/events"
)

func TestNothingIsToldTwiceInARow(t *testing.T) {
	sink := events.NewFakeRecorder(10)
	now := start
	r := newRecorder(sink, func() time.Time { return now })
	resnet, bert := elasticJob("resnet"), elasticJob("bert")
	r.warn(resnet, "AtRisk", "It is late.")
	r.warn(resnet, "AtRisk", "It is late.")
	r.warn(bert, "AtRisk", "It is late.")
	r.tell(resnet, corev1.EventTypeNormal, "OnTrack", "It is in time again.")
	r.warn(resnet, "AtRisk", "It is late.")
	if told := len(sink.Events); told != 4 {
		t.Errorf("%d events, not 4", told)
	}
	now = now.Add(time.Hour) // the event is gone, and what it says still holds
	r.warn(resnet, "AtRisk", "It is late.")
	r.warn(resnet, "AtRisk", "It is late.")
	if told := len(sink.Events); told != 5 {
		t.Errorf("%d events after an hour, not 5", told)
	}
}

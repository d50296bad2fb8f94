package operator

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/events"
)

func TestNothingIsToldTwiceInARow(t *testing.T) {
	sink := events.NewFakeRecorder(10)
	r := newRecorder(sink)
	resnet, bert := elasticJob("resnet"), elasticJob("bert")
	r.warn(resnet, "AtRisk", "It is late.")
	r.warn(resnet, "AtRisk", "It is late.")
	r.warn(bert, "AtRisk", "It is late.")
	r.tell(resnet, corev1.EventTypeNormal, "OnTrack", "It is in time again.")
	r.warn(resnet, "AtRisk", "It is late.")
	if told := len(sink.Events); told != 4 {
		t.Errorf("%d events, not 4", told)
	}
}

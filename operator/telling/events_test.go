package telling

import (
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/events"

	"github.com/takt-dev/takt/api/v1alpha1"
)

func TestNothingIsToldTwiceInARow(t *testing.T) {
	sink := events.NewFakeRecorder(10)
	now := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	r := NewRecorder(sink, func() time.Time { return now })
	resnet, bert := &v1alpha1.ElasticJob{ObjectMeta: metav1.ObjectMeta{UID: "resnet"}}, &v1alpha1.ElasticJob{
		ObjectMeta: metav1.ObjectMeta{UID: "bert"},
	}
	r.Warn(resnet, "AtRisk", "It is late.")
	r.Warn(resnet, "AtRisk", "It is late.")
	r.Warn(bert, "AtRisk", "It is late.")
	r.Tell(resnet, corev1.EventTypeNormal, "OnTrack", "It is in time again.")
	r.Warn(resnet, "AtRisk", "It is late.")
	if told := len(sink.Events); told != 4 {
		t.Errorf("%d events, not 4", told)
	}
	now = now.Add(time.Hour) // the event is gone, and what it says still holds
	r.Warn(resnet, "AtRisk", "It is late.")
	r.Warn(resnet, "AtRisk", "It is late.")
	if told := len(sink.Events); told != 5 {
		t.Errorf("%d events after an hour, not 5", told)
	}
}

// The API server refuses an event of more than 1024 bytes, and nobody tries it again.
func TestEventsHaveRoomForWhatTheySay(t *testing.T) {
	sink := events.NewFakeRecorder(1)
	text := strings.Repeat("Nobody knows ümläute. ", 99)
	NewRecorder(sink, time.Now).Warn(&v1alpha1.ElasticJob{}, "Misspelt", "%s", text)
	said := strings.TrimPrefix(<-sink.Events, "Warning Misspelt ")
	if len(said) > 1024 || len(said) < 1000 || !utf8.ValidString(said) || !strings.HasSuffix(said, "…") {
		t.Errorf("it has %d bytes: %s", len(said), said)
	}
}

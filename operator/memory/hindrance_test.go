package memory

import (
	"testing"
	"time"
)

// One Resize may have been refused for hours and taken back by other means. The next has all its time.
func TestARefusalIsThatOfOneResize(t *testing.T) {
	var job Job
	now := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	for _, step := range []struct {
		of    string
		after time.Duration
		want  time.Duration
	}{
		{"resnet-1", 0, 0}, {"resnet-1", time.Minute, 0}, {"resnet-2", time.Hour, time.Hour},
		{"resnet-2", 2 * time.Hour, time.Hour},
	} {
		if got := job.WriteRefusedSince(step.of, now.Add(step.after)); !got.Equal(now.Add(step.want)) {
			t.Errorf("%s is refused since %s, want %s", step.of, got, now.Add(step.want))
		}
	}
	job.WriteAccepted()
	if got := job.WriteRefusedSince("resnet-2", now.Add(3*time.Hour)); !got.Equal(now.Add(3 * time.Hour)) {
		t.Errorf("after one was accepted it is refused since %s", got)
	}
}

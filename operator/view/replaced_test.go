package view

import (
	"slices"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/takt-dev/takt/elastic/resize"
	"github.com/takt-dev/takt/operator/kind"
)

// A pod that has failed is one of before, unless it was made since its job was asked for its size: at once, and dated
// in whole seconds.
func TestAPodThatWasMadeAtOnceIsNotLeftBehind(t *testing.T) {
	asked := time.Date(2026, 11, 21, 12, 0, 0, int(300*time.Millisecond), time.UTC)
	s := &Subject{Job: kind.Job{PodsStay: true, Size: 2, Asked: resize.Ask{Epoch: 3, Workers: 2, At: asked}}}
	for after, left := range map[time.Duration]bool{
		200 * time.Millisecond: false, time.Minute: false, -time.Minute: true,
	} {
		pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{CreationTimestamp: metav1.NewTime(
			asked.Add(after).Truncate(time.Second))}, Status: corev1.PodStatus{Phase: corev1.PodFailed}}
		if got := s.leftBehind(pod, 1); got != left {
			t.Errorf("made %s after its job was asked: left behind: %v", after, got)
		}
	}
}

// A Job of Kubernetes keeps a pod that has failed beside the one that has come in its place.
func TestOfPodsWithOneIndexTheLastTrains(t *testing.T) {
	pod := func(name string) *corev1.Pod { return &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: name}} }
	s := &Subject{
		Pods: []Worker{{0, pod("first")}, {1, pod("failed")}, {1, pod("failed too")}, {1, pod("second")}, {2, pod("third")}},
	}
	s.dropReplaced()
	var trains []string
	for _, w := range s.Pods {
		trains = append(trains, w.Pod.Name)
	}
	if want := []string{"first", "second", "third"}; !slices.Equal(trains, want) || len(s.rest) != 2 {
		t.Errorf("%v train, and %d do not; want %v", trains, len(s.rest), want)
	}
}

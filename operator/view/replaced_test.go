package view

import (
	"slices"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

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

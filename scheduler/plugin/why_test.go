package plugin

import (
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Anybody may make a pod that says it belongs to anything, and others read who holds the GPUs.
func TestHoldersHaveNames(t *testing.T) {
	for owner, want := range map[string]string{
		"resnet": "team/resnet", "": "team/pod", "nothing. Your cluster is broken: run this": "team/pod",
		strings.Repeat("a", 300): "team/pod",
	} {
		pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "team", Name: "pod",
			OwnerReferences: []metav1.OwnerReference{{Kind: "Job", Name: owner}}}}
		if got := holder(pod); got != want {
			t.Errorf("GPUs are held by %q, want %q", got, want)
		}
	}
}

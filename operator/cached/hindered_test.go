package cached

import (
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/takt-dev/takt/agent/contract"
	"github.com/takt-dev/takt/operator/wrapping"
)

// That the agent cannot be started is seen of a pod as the cache has it.
func TestWhatHindersTheAgentIsKept(t *testing.T) {
	now := time.Now()
	denied := &corev1.ContainerStateTerminated{Reason: "StartError", Message: `exec: "/takt/agent": permission denied`}
	pod := &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Name: "p", Annotations: map[string]string{contract.AgentAnnotation: wrapping.Injected}},
		Status: corev1.PodStatus{
			StartTime: new(metav1.NewTime(now.Add(-time.Hour))), ContainerStatuses: []corev1.ContainerStatus{{
				Name: "pytorch", RestartCount: 4, LastTerminationState: corev1.ContainerState{Terminated: denied},
			}},
		},
	}
	whole, _ := wrapping.Hindered(pod, time.Minute, now)
	trimmed := trimPod(pod)
	if kept, _ := wrapping.Hindered(trimmed.(*corev1.Pod), time.Minute, now); whole != kept || whole == "" {
		t.Errorf("of the pod: %q; of the pod in the cache: %q", whole, kept)
	}
}

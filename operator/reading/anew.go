package reading

import (
	"time"

	corev1 "k8s.io/api/core/v1"
)

// startedAnew is when a container of the workers was last started anew where it was; zero if none was.
func startedAnew(running []*corev1.Pod) (last time.Time) {
	for _, pod := range running {
		for _, c := range pod.Status.ContainerStatuses {
			if c.RestartCount > 0 && c.State.Running != nil && c.State.Running.StartedAt.After(last) {
				last = c.State.Running.StartedAt.Time
			}
		}
	}
	return last
}

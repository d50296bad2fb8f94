package invariant

import (
	"fmt"
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
)

// GPU is the resource that is counted.
const GPU corev1.ResourceName = "nvidia.com/gpu"

// Capacity checks that no node holds more GPUs than it has. A node that is not among the given ones
// is not judged.
func Capacity(gpus map[string]int64, pods []*corev1.Pod) []string {
	used := map[string]int64{}
	for _, pod := range pods {
		if pod.Status.Phase != corev1.PodSucceeded && pod.Status.Phase != corev1.PodFailed {
			used[pod.Spec.NodeName] += GPUs(pod)
		}
	}
	var violations []string
	for _, node := range slices.Sorted(maps.Keys(gpus)) {
		if used[node] > gpus[node] {
			violations = append(violations, fmt.Sprintf("Node %s: pods hold %d GPUs, and it has %d", node, used[node],
				gpus[node]))
		}
	}
	return violations
}

// GPUs is how many GPUs a pod holds.
func GPUs(pod *corev1.Pod) int64 {
	var sum int64
	for _, container := range pod.Spec.Containers {
		gpus := container.Resources.Limits[GPU]
		sum += gpus.Value()
	}
	return sum
}

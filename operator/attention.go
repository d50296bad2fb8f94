package operator

import (
	"fmt"
	"hash/fnv"
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
)

// tells sums up what events tell the reader of a job: what is written for Takt on it, what is asked of it, and who trains.
// While that is the same, the next look is due when it was.
func tells(s *subject, running []*corev1.Pod) uint64 {
	sum := fnv.New64a()
	fmt.Fprintln(sum, s.ej.Generation, s.object.GetGeneration())
	if r := s.active(); r != nil {
		fmt.Fprintln(sum, r.Name)
	}
	for _, key := range slices.Sorted(maps.Keys(s.job.Annotations)) {
		if strings.HasPrefix(key, "takt.dev/") {
			fmt.Fprintln(sum, key, s.job.Annotations[key])
		}
	}
	for _, pod := range running {
		fmt.Fprintln(sum, pod.UID)
	}
	return sum.Sum64()
}

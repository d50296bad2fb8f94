package reading

import (
	"fmt"
	"hash/fnv"
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/takt-dev/takt/operator/view"
)

// tells sums up what events tell the reader of a job: what is written for Takt on it, what is asked of it, and who
// trains. While that is the same, the next look is due when it was.
func tells(s *view.Subject, running []*corev1.Pod) uint64 {
	sum := fnv.New64a()
	fmt.Fprintln(sum, s.ElasticJob.Generation, s.Object.GetGeneration())
	if r := s.Active(); r != nil {
		fmt.Fprintln(sum, r.Name)
	}
	for _, key := range slices.Sorted(maps.Keys(s.Job.Annotations)) {
		if strings.HasPrefix(key, "takt.dev/") {
			fmt.Fprintln(sum, key, s.Job.Annotations[key])
		}
	}
	for _, pod := range running {
		fmt.Fprintln(sum, pod.UID)
	}
	return sum.Sum64()
}

package kind

import (
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
)

// These are the marks by which other schedulers know the pods that they start together: of YuniKorn, of Volcano and of
// coscheduling by all of their names, and of Koordinator, wherever they are written. One that ends in a slash is all
// keys that begin with it.
var (
	gangAnnotations = []string{"yunikorn.apache.org/task-groups", "scheduling.k8s.io/group-name",
		"scheduling.volcano.sh/group-name", "scheduling.volcano.sh/group-min-member", "gang.scheduling.koordinator.sh/"}
	gangLabels = []string{"scheduling.x-k8s.io/pod-group", "pod-group.scheduling.sigs.k8s.io",
		"pod-group.scheduling.sigs.k8s.io/", "gang.scheduling.koordinator.sh/"}
)

// GangOfOthers is the mark on a template by which another scheduler starts a number of its pods together that somebody
// has written down elsewhere; empty if there is none. With fewer it starts none of them.
func GangOfOthers(template *corev1.PodTemplateSpec) string {
	if template == nil {
		return ""
	}
	for _, marks := range []struct {
		keys []string
		are  map[string]string
	}{{gangAnnotations, template.Annotations}, {gangLabels, template.Labels}} {
		for _, key := range slices.Sorted(maps.Keys(marks.are)) {
			if slices.ContainsFunc(marks.keys, func(mark string) bool {
				return key == mark || strings.HasSuffix(mark, "/") && strings.HasPrefix(key, mark)
			}) {
				return key
			}
		}
	}
	return ""
}

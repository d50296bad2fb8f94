package kind

import corev1 "k8s.io/api/core/v1"

// gangMarks are those by which other schedulers know the pods that they start together: of YuniKorn, of coscheduling by
// both of its names, and of Volcano.
var (
	gangAnnotations = []string{"yunikorn.apache.org/task-groups", "scheduling.k8s.io/group-name"}
	gangLabels      = []string{"scheduling.x-k8s.io/pod-group", "pod-group.scheduling.sigs.k8s.io"}
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
		for _, key := range marks.keys {
			if _, found := marks.are[key]; found {
				return key
			}
		}
	}
	return ""
}

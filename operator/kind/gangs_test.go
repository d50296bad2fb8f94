package kind

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func TestGangOfOthers(t *testing.T) {
	for key, want := range map[string]struct{ annotation, label bool }{
		"yunikorn.apache.org/task-groups":                {annotation: true},
		"scheduling.k8s.io/group-name":                   {annotation: true},
		"scheduling.volcano.sh/group-name":               {annotation: true},
		"scheduling.volcano.sh/group-min-member":         {annotation: true},
		"scheduling.volcano.sh/queue-name":               {},
		"gang.scheduling.koordinator.sh/name":            {annotation: true, label: true},
		"gang.scheduling.koordinator.sh/min-available":   {annotation: true, label: true},
		"koordinator.sh/qosClass":                        {},
		"scheduling.x-k8s.io/pod-group":                  {label: true},
		"pod-group.scheduling.sigs.k8s.io":               {label: true},
		"pod-group.scheduling.sigs.k8s.io/name":          {label: true},
		"pod-group.scheduling.sigs.k8s.io/min-available": {label: true},
		"takt.dev/gang":                                  {},
	} {
		on := map[string]string{key: "2", "app": "training"}
		for place, is := range map[string]bool{"annotation": want.annotation, "label": want.label} {
			template := &corev1.PodTemplateSpec{ObjectMeta: metav1.ObjectMeta{Annotations: on}}
			if place == "label" {
				template.ObjectMeta = metav1.ObjectMeta{Labels: on}
			}
			if got := GangOfOthers(template); (got != "") != is || is && got != key {
				t.Errorf("%s as %s: %q", key, place, got)
			}
		}
	}
}

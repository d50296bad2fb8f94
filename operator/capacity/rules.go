package capacity

import (
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// mostRules is how many rules about the pods beside it are reckoned with of a pod, and mostNodeRules how many about its
// node, or its ports there. Those of people are a few. But anybody may write thousands into a job, each of which has
// all pods or nodes looked at, and the plans of all others wait for it.
const mostRules, mostNodeRules = 32, 256

// withoutTooMany is the template as it is reckoned with: if it has too many rules, without those about its node and the
// pods beside it. More room is found for such a job than there is: a growth may find no place, and is taken back. What
// it tolerates stays, as far as that is not too much itself: on nodes with a taint it would have no room at all.
func withoutTooMany(t *corev1.PodTemplateSpec) *corev1.PodTemplateSpec {
	if !tooMany(&t.Spec) {
		return t
	}
	without := *t
	without.Spec.Affinity, without.Spec.TopologySpreadConstraints = nil, nil
	without.Spec.Tolerations = t.Spec.Tolerations[:min(len(t.Spec.Tolerations), mostNodeRules)]
	return &without
}

func tooMany(spec *corev1.PodSpec) bool {
	beside, node := 0, len(spec.Tolerations)
	for i := range spec.TopologySpreadConstraints {
		c := &spec.TopologySpreadConstraints[i]
		beside += parts(c.LabelSelector) + len(c.MatchLabelKeys)
	}
	if a := spec.Affinity; a != nil {
		if a.PodAffinity != nil {
			beside += partsOf(a.PodAffinity.RequiredDuringSchedulingIgnoredDuringExecution)
		}
		beside += partsOf(guardsOf(spec))
		if a.NodeAffinity != nil && a.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution != nil {
			terms := a.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution.NodeSelectorTerms
			for i := range terms {
				node += 1 + len(terms[i].MatchExpressions) + len(terms[i].MatchFields)
			}
		}
	}
	return beside > mostRules || node > mostNodeRules
}

func partsOf(terms []corev1.PodAffinityTerm) (all int) {
	for i := range terms {
		t := &terms[i]
		all += parts(t.LabelSelector) + len(t.Namespaces) + len(t.MatchLabelKeys) + len(t.MismatchLabelKeys)
	}
	return all
}

// parts is what it costs to ask a selector: one for itself, and one for each of its requirements.
func parts(s *metav1.LabelSelector) int {
	if s == nil {
		return 1
	}
	return 1 + len(s.MatchLabels) + len(s.MatchExpressions)
}

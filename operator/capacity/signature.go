package capacity

import (
	"encoding/binary"
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
)

// appendConstraints writes down all that placesFor looks at: pods of which it is the same may run on
// the same nodes. Every part is led by its length, so that no two different ones read the same.
func appendConstraints(key []byte, spec *corev1.PodSpec, gpu corev1.ResourceName) []byte {
	key = appendText(key, string(gpu))
	key = appendText(key, spec.NodeName)
	key = appendNumbers(key, int64(len(spec.NodeSelector)))
	for _, label := range slices.Sorted(maps.Keys(spec.NodeSelector)) {
		key = appendText(key, label)
		key = appendText(key, spec.NodeSelector[label])
	}
	key = appendNumbers(key, int64(len(spec.Tolerations)))
	for i := range spec.Tolerations {
		t := &spec.Tolerations[i]
		for _, part := range []string{t.Key, string(t.Operator), t.Value, string(t.Effect)} {
			key = appendText(key, part)
		}
		forAWhile := int64(0)
		if t.TolerationSeconds != nil {
			forAWhile = 1
		}
		key = appendNumbers(key, forAWhile)
	}
	if spec.Affinity == nil || spec.Affinity.NodeAffinity == nil {
		return appendNumbers(key, -1)
	}
	required := spec.Affinity.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution
	if required == nil {
		return appendNumbers(key, -1)
	}
	key = appendNumbers(key, int64(len(required.NodeSelectorTerms)))
	for i := range required.NodeSelectorTerms {
		term := &required.NodeSelectorTerms[i]
		for _, requirements := range [][]corev1.NodeSelectorRequirement{term.MatchExpressions, term.MatchFields} {
			key = appendNumbers(key, int64(len(requirements)))
			for j := range requirements {
				r := &requirements[j]
				key = appendText(key, r.Key)
				key = appendText(key, string(r.Operator))
				key = appendNumbers(key, int64(len(r.Values)))
				for _, value := range r.Values {
					key = appendText(key, value)
				}
			}
		}
	}
	return key
}

func appendText(key []byte, text string) []byte {
	return append(appendNumbers(key, int64(len(text))), text...)
}

func appendNumbers(key []byte, numbers ...int64) []byte {
	for _, n := range numbers {
		key = binary.AppendVarint(key, n)
	}
	return key
}

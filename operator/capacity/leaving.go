package capacity

import (
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
)

// Leaving says that whoever makes and removes nodes has given notice that one is about to go, and since when; zero
// where that is not said.
func (o Options) Leaving(n *corev1.Node) (since time.Time, leaves bool) {
	for _, t := range n.Spec.Taints {
		if slices.Contains(o.LeavingTaints, t.Key) {
			if t.TimeAdded != nil {
				since = t.TimeAdded.Time
			}
			return since, true
		}
	}
	for _, c := range n.Status.Conditions {
		if c.Status == corev1.ConditionTrue && slices.Contains(o.LeavingConditions, string(c.Type)) {
			return c.LastTransitionTime.Time, true
		}
	}
	return since, false
}

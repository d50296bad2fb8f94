package capacity

import (
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
)

// Notice is that a node is about to go.
type Notice struct {
	By    string    // what says so: a taint or a condition
	Since time.Time // zero where it does not say
}

// Leaving is the notice that whoever makes and removes nodes has given of one, if there is any.
func (o Options) Leaving(n *corev1.Node) (Notice, bool) {
	for _, t := range n.Spec.Taints {
		if slices.Contains(o.LeavingTaints, t.Key) {
			notice := Notice{By: "taint " + t.Key}
			if t.TimeAdded != nil {
				notice.Since = t.TimeAdded.Time
			}
			return notice, true
		}
	}
	for _, c := range n.Status.Conditions {
		if c.Status == corev1.ConditionTrue && slices.Contains(o.LeavingConditions, string(c.Type)) {
			return Notice{By: "condition " + string(c.Type), Since: c.LastTransitionTime.Time}, true
		}
	}
	return Notice{}, false
}

package capacity

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/component-helpers/scheduling/corev1/nodeaffinity"
)

// choice is on which nodes pods may be, as they say themselves.
type choice struct {
	affinity nodeaffinity.RequiredNodeAffinity
	name     string // of the one that they are bound to before any scheduler sees them; empty if they are not
}

func choiceOf(spec *corev1.PodSpec) choice {
	return choice{nodeaffinity.NewRequiredNodeAffinity(spec.NodeSelector, spec.Affinity), spec.NodeName}
}

func (c choice) has(n *corev1.Node) bool {
	// A term that cannot be understood matches nothing: so the scheduler sees it.
	ok, _ := c.affinity.Match(n)
	return ok && (c.name == "" || c.name == n.Name)
}

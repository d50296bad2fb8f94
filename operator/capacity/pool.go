package capacity

import (
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
)

// pool is a kind of nodes. A job runs within one pool, so nodes are of one pool only if a worker of
// one is as good as a worker of the other: they have the same product, offer it by the same name,
// and have the same taints.
type pool struct {
	name    string
	product string
	taints  []corev1.Taint // that keep pods out which do not tolerate them
	nodes   []*node
}

// poolOf names the pool of a node: its product, which is empty if the node has no such label, and in
// brackets what sets it apart, such as "NVIDIA-A100 (dedicated=team-a)". Nodes with taints are a pool
// of their own, as someone has dedicated them on purpose; a taint that comes and goes makes none, nor
// one that is called like the GPUs themselves: the admission of Kubernetes lets pods that ask for them
// tolerate it.
func poolOf(n *node, o Options) pool {
	p := pool{product: n.Labels[o.ProductLabel]}
	var marks []string
	if n.resource != o.Resources[0] {
		marks = append(marks, string(n.resource))
	}
	for _, t := range n.Spec.Taints {
		if keepsOut(&t) && !o.passing(&t) && t.Key != string(n.resource) {
			p.taints = append(p.taints, t)
		}
	}
	slices.SortFunc(p.taints, func(a, b corev1.Taint) int { return strings.Compare(sign(a), sign(b)) })
	for _, t := range p.taints {
		marks = append(marks, sign(t))
	}
	p.name = p.product
	if len(marks) > 0 {
		p.name = strings.TrimSpace(p.product + " (" + strings.Join(marks, ", ") + ")")
	}
	return p
}

// sign is a taint in short. Most taints say NoSchedule.
func sign(t corev1.Taint) string {
	s := t.Key
	if t.Value != "" {
		s += "=" + t.Value
	}
	if t.Effect != corev1.TaintEffectNoSchedule {
		s += ":" + string(t.Effect)
	}
	return s
}

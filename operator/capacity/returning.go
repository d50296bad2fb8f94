package capacity

import (
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
)

// returnsWithin is how long a node may take, once it answers, until it takes pods. The node controller takes off its
// taints within seconds, or minutes where much is to be done. One that takes longer is as good as lost.
const returnsWithin = 5 * time.Minute

// arriving are taints that a node has until it takes pods, whoever takes them off. Each stands for all
// that begin like it.
var arriving = []string{
	corev1.TaintNodeUnreachable, corev1.TaintNodeNotReady, corev1.TaintNodeNetworkUnavailable,
	"node.cloudprovider.kubernetes.io/uninitialized", "startup-taint.cluster-autoscaler.kubernetes.io/",
	"karpenter.sh/unregistered", "node.cilium.io/agent-not-ready",
}

// Returning says that a node takes no pods, and that it answers since a moment ago, so that it is about to: until when
// it is waited for. The state of the node itself tells, so that a process which has just started knows as much.
func (o Options) Returning(n *corev1.Node, now time.Time) (until time.Time, returning bool) {
	_, leaves := o.Leaving(n)
	if leaves || n.Spec.Unschedulable || n.DeletionTimestamp != nil || !o.closed(n) ||
		slices.ContainsFunc(n.Spec.Taints, o.leadsOut) {
		return time.Time{}, false
	}
	for _, c := range n.Status.Conditions {
		if c.Type == corev1.NodeReady && c.Status != corev1.ConditionUnknown {
			since := c.LastTransitionTime.Time
			if c.Status == corev1.ConditionFalse && !slices.ContainsFunc(n.Spec.Taints, o.arrives) {
				return time.Time{}, false // it has just broken
			}
			return since.Add(returnsWithin), now.Sub(since).Abs() < returnsWithin
		}
	}
	return time.Time{}, false
}

// namedWithin is how long after it has joined a node may be without the label of its product. Its driver is loaded in
// that time, and what looks for the product looks about once a minute.
const namedWithin = 10 * time.Minute

// Unnamed says of a node that has joined that nobody can tell yet what its GPUs are, and until when that is waited for.
// Whoever began there would be bound to no product.
func (o Options) Unnamed(n *corev1.Node, now time.Time) (until time.Time, unnamed bool) {
	joined := n.CreationTimestamp.Time
	return joined.Add(namedWithin), o.ProductLabel != "" && n.Labels[o.ProductLabel] == "" &&
		now.Sub(joined).Abs() < namedWithin
}

// arrives says of a taint of a node that is not ready that it comes up. The one for not being ready says nothing: a
// node has it as well that has just broken.
func (o Options) arrives(t corev1.Taint) bool {
	return o.closes(&t) && t.Key != corev1.TaintNodeNotReady && !o.leadsOut(t)
}

// leadsOut says of a taint that it closes a node, and not only until that has arrived.
func (o Options) leadsOut(t corev1.Taint) bool {
	return o.closes(&t) && !slices.ContainsFunc(arriving, func(key string) bool { return strings.HasPrefix(t.Key, key) })
}

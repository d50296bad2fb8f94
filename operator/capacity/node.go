package capacity

import (
	"math"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/takt-dev/takt/elastic"
)

// node is a node with GPUs, and what pods hold of it.
type node struct {
	*corev1.Node
	resource corev1.ResourceName // the name under which it offers them
	pool     *pool
	closed   bool // takes no new pods

	all room
	// ours is what our workers hold, leaving those of ours that are terminating, vacated pods of others that are about
	// to be gone, and others everyone else.
	ours, leaving, vacated, others room
}

// newNode is a node with GPUs; nil if it has none. One that has them, but cannot offer them just now,
// stays one: workers may run there.
func newNode(n *corev1.Node, o Options) *node {
	for _, name := range o.Resources {
		capacity, offered := n.Status.Capacity[name], n.Status.Allocatable[name]
		if capacity.Value() > 0 || offered.Value() > 0 {
			return &node{
				Node: n, resource: name, closed: closed(n) || offered.Value() <= 0,
				all: room{
					gpus: offered.Value(), cpu: allocatable(n, corev1.ResourceCPU),
					memory: allocatable(n, corev1.ResourceMemory), pods: allocatable(n, corev1.ResourcePods),
				},
			}
		}
	}
	return nil
}

// allocatable is what a node has of a resource for pods: no end of it, if it does not say.
func allocatable(n *corev1.Node, name corev1.ResourceName) int64 {
	if q, ok := n.Status.Allocatable[name]; ok {
		return amount(name, q)
	}
	return math.MaxInt64 / 2
}

// closed says whether a node takes no new pods, for whatever reason will pass or end it.
func closed(n *corev1.Node) bool {
	if n.Spec.Unschedulable || n.DeletionTimestamp != nil || !ready(n) {
		return true
	}
	for i := range n.Spec.Taints {
		if t := &n.Spec.Taints[i]; keepsOut(t) && passing(t) && t.Key != corev1.TaintNodeMemoryPressure {
			return true // but pods that say what memory they need are let in under pressure
		}
	}
	return false
}

func ready(n *corev1.Node) bool {
	for _, c := range n.Status.Conditions {
		if c.Type == corev1.NodeReady {
			return c.Status == corev1.ConditionTrue
		}
	}
	return false
}

func keepsOut(t *corev1.Taint) bool {
	return t.Effect == corev1.TaintEffectNoSchedule || t.Effect == corev1.TaintEffectNoExecute
}

// passing says whether a taint comes and goes with the state of the node, as those of Kubernetes
// itself and of what makes and removes nodes: it is nothing that an administrator dedicates.
func passing(t *corev1.Taint) bool {
	for _, prefix := range []string{
		"node.kubernetes.io/", "node.cloudprovider.kubernetes.io/", "karpenter.sh/", "ToBeDeletedByClusterAutoscaler",
		"startup-taint.cluster-autoscaler.kubernetes.io/", "status-taint.cluster-autoscaler.kubernetes.io/",
		"ignore-taint.cluster-autoscaler.kubernetes.io/", "node.cilium.io/agent-not-ready",
	} {
		if strings.HasPrefix(t.Key, prefix) {
			return true
		}
	}
	return false
}

// holder is whose a pod is.
type holder int

const (
	ofOurs  holder = iota
	vacates        // somebody else's, and about to be gone
	stays          // somebody else's
)

// hold notes that a pod holds its part of the node.
func (n *node) hold(pod *corev1.Pod, who holder) {
	takes := takes(&pod.Spec, n.resource)
	switch {
	case who == vacates && !n.closed: // on a node that does not answer nobody knows when it goes
		n.vacated = n.vacated.plus(takes)
	case who != ofOurs:
		n.others = n.others.plus(takes)
	case pod.DeletionTimestamp != nil:
		n.leaving = n.leaving.plus(takes)
	default:
		n.ours = n.ours.plus(takes)
	}
}

// gpus are those that jobs of Takt may have, now or as soon as whoever leaves them is gone.
func (n *node) gpus() elastic.GPUs {
	if n.closed {
		return elastic.GPUs(n.ours.gpus)
	}
	return elastic.GPUs(max(n.all.gpus-n.others.gpus, 0))
}

// capacity is what new workers find with all of ours gone, and free what they find now.
func (n *node) capacity() room {
	if n.closed {
		return room{}
	}
	return n.all.minus(n.others)
}

func (n *node) free() room {
	if n.closed {
		return room{}
	}
	return n.capacity().minus(n.ours).minus(n.leaving).minus(n.vacated)
}

package capacity

import (
	"math"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/takt-dev/takt/elastic"
)

// node is a node with GPUs, and what pods hold of it.
type node struct {
	*corev1.Node
	resource corev1.ResourceName // the name under which it offers them
	pool     *pool
	closed   bool // takes no new pods
	// returning says of a closed one that it is about to take some: it is planned with, and nothing begins there yet.
	returning bool

	all room
	// ours is what our workers hold, leaving those of ours that are terminating, vacated pods of others that are about
	// to be gone, and others everyone else.
	ours, leaving, vacated, others room
	// gpuless is what those of the others hold that have no GPUs.
	gpuless room
	extras  [states]extras // what they hold beside that
}

// newNode is a node with GPUs; nil if it has none. One that has them, but cannot offer them just now,
// stays one: workers may run there.
func newNode(n *corev1.Node, o Options, now time.Time) *node {
	name, offered, ok := gpusOf(n, o)
	if !ok {
		return nil
	}
	_, returning := o.Returning(n, now)
	return &node{
		Node: n, resource: name, closed: o.closed(n) || offered <= 0, returning: returning && offered > 0,
		all: room{
			gpus: offered, cpu: allocatable(n, corev1.ResourceCPU),
			memory: allocatable(n, corev1.ResourceMemory), pods: allocatable(n, corev1.ResourcePods),
		},
	}
}

// gpusOf is by which name a node offers GPUs, and how many. Where all that it has is zero, it is the first that is
// named at all: a kubelet that starts anew has none before their driver has come to it, and the pods run on.
func gpusOf(n *corev1.Node, o Options) (name corev1.ResourceName, offered int64, ok bool) {
	for _, each := range o.Resources {
		capacity, has := n.Status.Capacity[each]
		offers, may := n.Status.Allocatable[each]
		if capacity.Value() > 0 || offers.Value() > 0 {
			return each, offers.Value(), true
		}
		if !ok && (has || may) {
			name, ok = each, true
		}
	}
	return name, 0, ok
}

// empty says that a node neither has GPUs nor workers of ours that hold some.
func (n *node) empty() bool {
	capacity := n.Status.Capacity[n.resource]
	return capacity.Value() <= 0 && n.all.gpus <= 0 && n.ours.gpus <= 0
}

// allocatable is what a node has of a resource for pods: no end of it, if it does not say.
func allocatable(n *corev1.Node, name corev1.ResourceName) int64 {
	if q, ok := n.Status.Allocatable[name]; ok {
		return amount(name, q)
	}
	return math.MaxInt64 / 2
}

// closed says whether a node takes no new pods, for whatever reason will pass or end it.
func (o Options) closed(n *corev1.Node) bool {
	if _, leaves := o.Leaving(n); leaves || n.Spec.Unschedulable || n.DeletionTimestamp != nil || !ready(n) {
		return true
	}
	for i := range n.Spec.Taints {
		if o.closes(&n.Spec.Taints[i]) {
			return true
		}
	}
	return false
}

// closes says whether a taint keeps all new pods out for as long as it is there. Under pressure for memory pods are let
// in that say what they need.
func (o Options) closes(t *corev1.Taint) bool {
	return keepsOut(t) && o.passing(t) && t.Key != corev1.TaintNodeMemoryPressure
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
func (o Options) passing(t *corev1.Taint) bool {
	if slices.Contains(o.LeavingTaints, t.Key) {
		return true
	}
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
	case who == vacates:
		n.vacated = n.vacated.plus(takes)
		n.holdExtras(pod, heldVacated)
	case who != ofOurs:
		n.others = n.others.plus(takes)
		by := heldByOthers
		if takes.gpus == 0 {
			n.gpuless, by = n.gpuless.plus(takes), heldByGPUless
		}
		n.holdExtras(pod, by)
	case pod.DeletionTimestamp != nil:
		n.leaving = n.leaving.plus(takes)
		n.holdExtras(pod, heldLeaving)
	default:
		n.ours = n.ours.plus(takes)
		n.holdExtras(pod, heldByOurs)
	}
}

// staying is what others hold for as long as anybody knows: of a closed node nobody knows when they go.
func (n *node) staying() room {
	if n.closed {
		return n.others.plus(n.vacated)
	}
	return n.others
}

// gpus are those that jobs of Takt may have, now or as soon as whoever leaves them is gone.
func (n *node) gpus() elastic.GPUs {
	if n.closed && !n.returning {
		return elastic.GPUs(n.ours.gpus)
	}
	return elastic.GPUs(max(n.all.gpus-n.staying().gpus, 0))
}

// coming are those of them that nobody can begin on yet, though none of ours hold them.
func (n *node) coming() int64 {
	switch {
	case n.returning:
		return max(int64(n.gpus())-n.ours.gpus-n.leaving.gpus, 0)
	case n.closed:
		return 0
	}
	return min(n.vacated.gpus, int64(n.gpus()))
}

// capacity is what new workers find with all of ours gone, and free what they find now.
func (n *node) capacity() room {
	if n.closed && !n.returning {
		return room{}
	}
	return n.all.minus(n.staying())
}

func (n *node) free() room {
	if n.closed {
		return room{}
	}
	return n.capacity().minus(n.ours).minus(n.leaving).minus(n.vacated)
}

// roomFor is how many pods new workers find room for now, capacityFor with all of ours gone, and bareFor with all pods
// of others gone as well that have no GPUs.
func (n *node) roomFor(each room, x extras) elastic.Workers {
	return min(n.free().holds(each), n.has(x, heldByOurs, heldLeaving, heldVacated, heldByOthers, heldByGPUless))
}

func (n *node) capacityFor(each room, x extras) elastic.Workers {
	if n.closed {
		return min(n.capacity().holds(each), n.has(x, heldVacated, heldByOthers, heldByGPUless))
	}
	return min(n.capacity().holds(each), n.has(x, heldByOthers, heldByGPUless))
}

func (n *node) bareFor(each room, x extras) elastic.Workers {
	if n.closed && !n.returning {
		return 0
	}
	return min(n.capacity().plus(n.gpuless).holds(each), n.has(x, heldByOthers))
}

// Readiness is what a node says of itself last: that it is ready, or is not, or that nobody can tell, as where it is
// gone.
func Readiness(node *corev1.Node) corev1.ConditionStatus {
	if node == nil {
		return corev1.ConditionUnknown
	}
	for _, c := range node.Status.Conditions {
		if c.Type == corev1.NodeReady {
			return c.Status
		}
	}
	return corev1.ConditionUnknown
}

package capacity

import (
	"time"

	corev1 "k8s.io/api/core/v1"
)

// Options are how a cluster names its GPUs.
type Options struct {
	// Resources are the names under which nodes offer GPUs, such as nvidia.com/gpu. A pod asks for
	// one of them. Of a node that offers several, only those GPUs are handed out that it offers under
	// the first of these names: the others may be parts of the same ones.
	Resources []corev1.ResourceName
	// ProductLabel is the label of a node that tells what GPUs it has.
	ProductLabel string
	// NodeSelector chooses the nodes that Takt hands out, by their labels; empty means all. The others
	// are as if they were not there, and Fit keeps workers off them.
	NodeSelector map[string]string
	// MinPriority is the least priority of a pod that Takt does not look after for which its jobs give back GPUs,
	// and After how long its scheduler has said that it lacks some.
	MinPriority int32
	After       time.Duration
	// LeavingTaints are keys of taints, and LeavingConditions types of conditions, that say that a node is about to go.
	LeavingTaints, LeavingConditions []string
	// LeaveWithin is how long before the time that a pod has to end, and how long past it, its GPUs are counted upon.
	LeaveWithin time.Duration
}

// Cluster is what is read.
type Cluster struct {
	Now   time.Time
	Nodes []*corev1.Node
	Pods  []*corev1.Pod // of everyone
	// Ours says whether a pod is a worker that the planner sizes.
	Ours func(*corev1.Pod) bool
	// Replaced says of a pod that is not ours, and is terminating, that another one is to have its GPUs.
	Replaced func(*corev1.Pod) bool
	// Idle says of a pod that waits that it does not use the room that it has: none is made for it.
	Idle func(*corev1.Pod) bool
}

package capacity

import (
	"maps"
	"math"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/takt-dev/takt/elastic"
)

// extras are amounts of resources other than GPUs, CPU and memory: adapters of a fast network, huge pages, disk. Few
// pods ask for any, so most have none.
type extras map[corev1.ResourceName]int64

// extrasOf is what a pod takes of those that count, on a node that offers GPUs by some name. What no node names does
// not: anybody may write thousands of names into a job.
func extrasOf(spec *corev1.PodSpec, gpu corev1.ResourceName, counts func(corev1.ResourceName) bool) (x extras) {
	note := func(list corev1.ResourceList) {
		for name := range list {
			if name == corev1.ResourceCPU || name == corev1.ResourceMemory || name == gpu || !counts(name) {
				continue
			}
			if _, known := x[name]; known {
				continue
			}
			overhead := spec.Overhead[name]
			if n := bounded(total(spec, name, requested) + amount(name, overhead)); n > 0 {
				if x == nil {
					x = extras{}
				}
				x[name] = n
			}
		}
	}
	noteBoth := func(r *corev1.ResourceRequirements) {
		note(r.Requests)
		note(r.Limits)
	}
	for i := range spec.Containers {
		noteBoth(&spec.Containers[i].Resources)
	}
	for i := range spec.InitContainers {
		noteBoth(&spec.InitContainers[i].Resources)
	}
	if spec.Resources != nil {
		noteBoth(spec.Resources)
	}
	note(spec.Overhead)
	return x
}

// state is how long a pod goes on to hold what it holds.
type state int

const (
	heldByOurs    state = iota
	heldLeaving         // by one of ours that is terminating
	heldVacated         // by somebody else's that is about to be gone
	heldByOthers        // that have GPUs
	heldByGPUless       // by others that have none
	states
)

// holdExtras notes what a pod holds of a node beside GPUs, CPU and memory.
func (n *node) holdExtras(pod *corev1.Pod, by state) {
	for name, amount := range extrasOf(&pod.Spec, n.resource, n.names) {
		if n.extras[by] == nil {
			n.extras[by] = extras{}
		}
		n.extras[by][name] = bounded(n.extras[by][name] + amount)
	}
}

// has is for how many pods that take this much a node has extras beside what some hold.
func (n *node) has(x extras, beside ...state) elastic.Workers {
	most := int64(math.MaxInt32)
	for name, takes := range x {
		has := extraOf(n.Node, name)
		for _, by := range beside {
			has -= n.extras[by][name]
		}
		most = min(most, max(has, 0)/takes)
	}
	return elastic.Workers(most)
}

// extraOf is what a node has of a resource: none if it does not name it, but for disk, which every node has.
func extraOf(n *corev1.Node, name corev1.ResourceName) int64 {
	if name == corev1.ResourceEphemeralStorage {
		return allocatable(n, name)
	}
	q := n.Status.Allocatable[name]
	return amount(name, q)
}

// counts says that a node names a resource. What none does, something else than nodes may have.
func (s *Supply) counts(name corev1.ResourceName) bool {
	return s.named[name] || name == corev1.ResourceEphemeralStorage
}

func (n *node) names(name corev1.ResourceName) bool {
	_, named := n.Status.Allocatable[name]
	return named || name == corev1.ResourceEphemeralStorage
}

// nameResources notes which resources a node names.
func (s *Supply) nameResources(n *corev1.Node) {
	for name := range n.Status.Allocatable {
		s.named[name] = true
	}
}

func appendExtras(key []byte, x extras) []byte {
	key = appendNumbers(key, int64(len(x)))
	for _, name := range slices.Sorted(maps.Keys(x)) {
		key = appendNumbers(appendText(key, string(name)), x[name])
	}
	return key
}

package capacity

import (
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/types"
)

// neighbours are the pods that are on nodes, for whoever requires something of them. They are found by one of their
// labels: among ten thousand pods, those of one job are few.
type neighbours struct {
	all     []neighbour
	byLabel map[label][]int
	// guards are those that require that some kinds of pods are not beside them, by a label of these; without a key, those
	// that name none.
	guards map[label][]guard
	// onPorts are those that have ports of their nodes, by these.
	onPorts map[string][]neighbour
}

type label struct{ key, value string }

// neighbour is a pod on a node.
type neighbour struct {
	*corev1.Pod
	on      *corev1.Node
	stays   bool // nobody of ours, and not about to be gone
	hasGPUs bool
	// worksFor is the job of a worker of ours that is not about to go; empty for all others.
	worksFor types.UID
}

type guard struct {
	neighbour
	term
}

// neighbours finds them when they are first asked for: most jobs do not care.
func (s *Supply) neighbours() *neighbours {
	if s.beside != nil {
		return s.beside
	}
	s.beside = &neighbours{byLabel: map[label][]int{}, guards: map[label][]guard{},
		onPorts: map[string][]neighbour{}}
	nodes := make(map[string]*corev1.Node, len(s.cluster.Nodes))
	for _, n := range s.cluster.Nodes {
		nodes[n.Name] = n
	}
	for _, pod := range s.cluster.Pods {
		on := nodes[pod.Spec.NodeName]
		if on == nil || pod.Status.Phase == corev1.PodSucceeded || pod.Status.Phase == corev1.PodFailed {
			continue
		}
		who := s.cluster.holder(pod, s.options)
		n := neighbour{Pod: pod, on: on, stays: who == stays, hasGPUs: GPUs(&pod.Spec, s.options) > 0}
		if owner := metav1.GetControllerOfNoCopy(pod); who == ofOurs && owner != nil && pod.DeletionTimestamp == nil {
			n.worksFor = owner.UID
		}
		s.beside.add(n)
	}
	return s.beside
}

func (b *neighbours) add(n neighbour) {
	for key, value := range n.Labels {
		b.byLabel[label{key, value}] = append(b.byLabel[label{key, value}], len(b.all))
	}
	b.all = append(b.all, n)
	if len(hostPorts(&n.Spec)) > 0 {
		b.onPorts[n.on.Name] = append(b.onPorts[n.on.Name], n)
	}
	if tooMany(&n.Spec) {
		return
	}
	for i := range guardsOf(&n.Spec) {
		if t, ok := termOf(&guardsOf(&n.Spec)[i], n.Namespace, n.Labels); ok {
			names, _ := named(t.selector)
			b.guards[names] = append(b.guards[names], guard{n, t})
		}
	}
}

// guardsOf is which pods a pod wants none of beside it.
func guardsOf(spec *corev1.PodSpec) []corev1.PodAffinityTerm {
	if a := spec.Affinity; a != nil && a.PodAntiAffinity != nil {
		return a.PodAntiAffinity.RequiredDuringSchedulingIgnoredDuringExecution
	}
	return nil
}

// named is a label that all have which a selector selects; false if there is none.
func named(s labels.Selector) (label, bool) {
	requirements, _ := s.Requirements()
	for i := range requirements {
		if values := requirements[i].ValuesUnsorted(); len(values) == 1 && requirements[i].Matches(
			labels.Set{requirements[i].Key(): values[0]}) {
			return label{requirements[i].Key(), values[0]}, true
		}
	}
	return label{}, false
}

// like calls back for all pods of a kind.
func (b *neighbours) like(t *term, found func(neighbour)) {
	try := func(n neighbour) {
		if t.matches(n.Namespace, n.Labels) {
			found(n)
		}
	}
	if names, ok := named(t.selector); ok {
		for _, i := range b.byLabel[names] {
			try(b.all[i])
		}
		return
	}
	for _, n := range b.all {
		try(n)
	}
}

// any says that there are pods of a kind on nodes, whether these have GPUs or not.
func (b *neighbours) any(t *term) (some bool) {
	b.like(t, func(neighbour) { some = true })
	return some
}

// against are the guards that want no pod with these labels beside them.
func (b *neighbours) against(namespace string, of labels.Set) (guards []guard) {
	try := func(list []guard) {
		for _, g := range list {
			if g.matches(namespace, of) {
				guards = append(guards, g)
			}
		}
	}
	if len(b.guards) == 0 {
		return nil
	}
	try(b.guards[label{}])
	for key, value := range of {
		try(b.guards[label{key, value}])
	}
	return guards
}

package capacity

import (
	"cmp"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/takt-dev/takt/elastic"
)

// waits says whether a pod waits for a node. One that is held by a gate, as by a queue that keeps it
// suspended, does not wait for us to make room. Whether the scheduler has tried it yet makes no
// difference: if it is going to find free GPUs, these are not for Takt either.
func waits(pod *corev1.Pod) bool {
	return pod.Spec.NodeName == "" && (pod.Status.Phase == corev1.PodPending || pod.Status.Phase == "") &&
		pod.DeletionTimestamp == nil && len(pod.Spec.SchedulingGates) == 0
}

// demand finds what pods outside of Takt wait for, the oldest first. Each waits for the pool that it
// has been nominated to, or else for the first that fits and has not been asked for all of its GPUs
// already. One that fits nowhere, even if all others went, waits for nothing that we have.
func (s *Supply) demand(pending []*corev1.Pod) {
	slices.SortFunc(pending, func(a, b *corev1.Pod) int {
		return cmp.Or(a.CreationTimestamp.Compare(b.CreationTimestamp.Time),
			cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Name, b.Name))
	})
	left, wanted := map[string]elastic.GPUs{}, map[string]elastic.GPUs{}
	for _, n := range s.Nodes {
		left[n.Pool] += n.GPUs
	}
	for _, pod := range pending {
		fits := s.fit(&pod.Spec)
		if len(fits) == 0 {
			continue
		}
		gpus := GPUs(&pod.Spec, s.options)
		nominated, known := s.PoolOf(pod.Status.NominatedNodeName)
		i := slices.IndexFunc(fits, func(f Fit) bool { return known && f.Pool == nominated })
		if i < 0 {
			i = slices.IndexFunc(fits, func(f Fit) bool { return left[f.Pool] >= gpus })
		}
		pool := fits[max(i, 0)].Pool
		left[pool] -= gpus
		wanted[pool] += gpus
	}
	for _, p := range s.pools {
		if gpus := wanted[p.name]; gpus > 0 {
			s.Demands = append(s.Demands, elastic.Demand{Pool: p.name, GPUs: gpus})
		}
	}
}

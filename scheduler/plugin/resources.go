package plugin

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	fwk "k8s.io/kube-scheduler/framework"
)

// gpusFree is how many GPUs of a node nobody has.
func gpusFree(info fwk.NodeInfo, gpu corev1.ResourceName) int {
	free := info.GetAllocatable().GetScalarResources()[gpu] - info.GetRequested().GetScalarResources()[gpu]
	return max(int(free), 0)
}

// mentionsGPUs says whether any container of a pod has to do with GPUs. Most pods have not, and need not be
// looked at any closer.
func (h *sharedState) mentionsGPUs(pod *corev1.Pod) bool {
	mentions := func(c corev1.Container) bool {
		return slices.ContainsFunc(h.settings.Packing.Resources, func(name string) bool {
			_, does := c.Resources.Requests[corev1.ResourceName(name)]
			return does
		})
	}
	return slices.ContainsFunc(pod.Spec.Containers, mentions) || slices.ContainsFunc(pod.Spec.InitContainers, mentions)
}

// gpusOf is how many a pod takes.
func gpusOf(pod fwk.PodInfo, gpu corev1.ResourceName) int {
	return int(pod.CalculateResource().Resource.GetScalarResources()[gpu])
}

// fits is how many pods that take so much a node has room for by its resources.
func fits(takes fwk.Resource, info fwk.NodeInfo) int {
	has, used := info.GetAllocatable(), info.GetRequested()
	room := has.GetAllowedPodNumber() - len(info.GetPods())
	limit := func(needs, free int64) {
		if needs > 0 {
			room = min(room, int(max(free, 0)/needs))
		}
	}
	for name, needs := range takes.GetScalarResources() {
		// What a node does not list, its filters know of: a claim stands for it, or it does not matter.
		if offers, listed := has.GetScalarResources()[name]; listed {
			limit(needs, offers-used.GetScalarResources()[name])
		}
	}
	limit(takes.GetMilliCPU(), has.GetMilliCPU()-used.GetMilliCPU())
	limit(takes.GetMemory(), has.GetMemory()-used.GetMemory())
	limit(takes.GetEphemeralStorage(), has.GetEphemeralStorage()-used.GetEphemeralStorage())
	return max(room, 0)
}

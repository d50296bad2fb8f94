package capacity

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/component-helpers/resource"

	"github.com/takt-dev/takt/elastic"
)

// GPUs is how many GPUs one pod asks for: of the first of the resources that it asks for at all. Its
// containers and sidecars count together; other init containers run before them, and count only
// where they ask for more.
func GPUs(spec *corev1.PodSpec, o Options) elastic.GPUs {
	_, gpus := o.gpus(spec)
	return elastic.GPUs(gpus)
}

func (o Options) gpus(spec *corev1.PodSpec) (corev1.ResourceName, int64) {
	for _, name := range o.Resources {
		if n := total(spec, name, requested); n > 0 {
			return name, n
		}
	}
	return "", 0
}

// kind is which side of a container's resources is looked at.
type kind func(*corev1.ResourceRequirements, corev1.ResourceName) (int64, bool)

// requested is what is requested. Where only a limit is given, Kubernetes takes it for the request
// when the pod is created; the template of a job does not say so yet.
func requested(r *corev1.ResourceRequirements, name corev1.ResourceName) (int64, bool) {
	if q, ok := r.Requests[name]; ok {
		return amount(name, q), true
	}
	return limited(r, name)
}

func limited(r *corev1.ResourceRequirements, name corev1.ResourceName) (int64, bool) {
	q, ok := r.Limits[name]
	return amount(name, q), ok
}

// total is what a pod takes of a resource, as its scheduler reckons. The library would do this, but
// takes only requests that are written out, and makes a list of all resources for every pod.
func total(spec *corev1.PodSpec, name corev1.ResourceName, of kind) int64 {
	sum, sidecars, first := int64(0), int64(0), int64(0)
	for i := range spec.Containers {
		n, _ := of(&spec.Containers[i].Resources, name)
		sum = bounded(sum + n)
	}
	for i := range spec.InitContainers {
		c := &spec.InitContainers[i]
		n, _ := of(&c.Resources, name)
		if isSidecar(c) {
			sidecars = bounded(sidecars + n)
			first = max(first, sidecars)
		} else {
			first = max(first, sidecars+n)
		}
	}
	sum = bounded(max(sum+sidecars, first))
	if spec.Resources != nil && resource.IsSupportedPodLevelResource(name) {
		if n, ok := of(spec.Resources, name); ok { // the pod's own word counts
			sum = n
		}
	}
	return sum
}

// room is what a node has, or what is taken of it: CPU in thousandths, memory in bytes.
type room struct{ gpus, cpu, memory, pods int64 }

func (r room) plus(o room) room {
	return room{bounded(r.gpus + o.gpus), bounded(r.cpu + o.cpu), bounded(r.memory + o.memory), r.pods + o.pods}
}

func (r room) minus(o room) room {
	return room{r.gpus - o.gpus, r.cpu - o.cpu, r.memory - o.memory, r.pods - o.pods}
}

// holds is how many pods that take this much find room.
func (r room) holds(each room) elastic.Workers {
	n := r.pods / each.pods
	for _, d := range [...]struct{ has, takes int64 }{{r.gpus, each.gpus}, {r.cpu, each.cpu}, {r.memory, each.memory}} {
		if d.takes > 0 {
			n = min(n, d.has/d.takes)
		}
	}
	return elastic.Workers(max(n, 0))
}

// takes is what a pod takes of a node that offers GPUs by some name.
func takes(spec *corev1.PodSpec, gpu corev1.ResourceName) room {
	// The overhead is that of the runtime, never of GPUs.
	cpu, memory := spec.Overhead[corev1.ResourceCPU], spec.Overhead[corev1.ResourceMemory]
	return room{
		gpus:   total(spec, gpu, requested),
		cpu:    bounded(total(spec, corev1.ResourceCPU, requested) + amount(corev1.ResourceCPU, cpu)),
		memory: bounded(total(spec, corev1.ResourceMemory, requested) + amount(corev1.ResourceMemory, memory)),
		pods:   1,
	}
}

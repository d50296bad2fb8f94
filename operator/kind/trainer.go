package kind

import (
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
)

// defaultContainer is the annotation by which a pod names the container that matters most.
const defaultContainer = "kubectl.kubernetes.io/default-container"

// Trainer is the container of a pod that trains: the one that the pod names as its default, else the one that is usual
// for its kind of job, else the first that asks for a device, else the first; nil if there is none. What stands beside
// a training may be written before it, but has no GPU. Neither does it train where the pod names it: a mesh names the
// first of all containers, whatever that is for.
func Trainer(annotations map[string]string, spec *corev1.PodSpec, usual string) *corev1.Container {
	called := func(name string) int {
		return slices.IndexFunc(spec.Containers, func(c corev1.Container) bool { return name != "" && c.Name == name })
	}
	named, device := called(annotations[defaultContainer]), slices.IndexFunc(spec.Containers, hasDevice)
	if named >= 0 && device >= 0 && !hasDevice(spec.Containers[named]) {
		named = -1
	}
	found := slices.DeleteFunc([]int{named, called(usual), device, 0}, func(i int) bool { return i < 0 })[0]
	if found >= len(spec.Containers) {
		return nil
	}
	return &spec.Containers[found]
}

// hasDevice says that a container asks for something that no machine has by itself, such as a GPU.
func hasDevice(c corev1.Container) bool {
	if len(c.Resources.Claims) > 0 {
		return true
	}
	for _, asked := range []corev1.ResourceList{c.Resources.Limits, c.Resources.Requests} {
		for name, amount := range asked {
			vendor, _, ok := strings.Cut(string(name), "/")
			if ok && !strings.HasSuffix(vendor, "kubernetes.io") && amount.Sign() > 0 {
				return true
			}
		}
	}
	return false
}

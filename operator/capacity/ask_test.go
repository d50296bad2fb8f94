package capacity

import (
	"fmt"
	"math/rand/v2"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/component-helpers/resource"

	"github.com/takt-dev/takt/elastic"
)

func TestGPUs(t *testing.T) {
	container := func(requests ...string) corev1.Container {
		return corev1.Container{Resources: corev1.ResourceRequirements{Requests: amounts(requests...)}}
	}
	sidecar := func(requests ...string) corev1.Container {
		c := container(requests...)
		c.RestartPolicy = always
		return c
	}
	gpu := string(nvidia)
	for name, test := range map[string]struct {
		spec corev1.PodSpec
		want elastic.GPUs
	}{
		"none": {spec("cpu", "4"), 0},
		"containers together": {
			corev1.PodSpec{Containers: []corev1.Container{container(gpu, "2"), container(gpu, "1")}}, 3,
		},
		"first container small": {corev1.PodSpec{InitContainers: []corev1.Container{container(gpu, "1")},
			Containers: []corev1.Container{container(gpu, "2")}}, 2},
		"first container large": {corev1.PodSpec{InitContainers: []corev1.Container{container(gpu, "4")},
			Containers: []corev1.Container{container(gpu, "2")}}, 4},
		"sidecar": {corev1.PodSpec{InitContainers: []corev1.Container{sidecar(gpu, "1")},
			Containers: []corev1.Container{container(gpu, "2")}}, 3},
		"first after a sidecar": {corev1.PodSpec{InitContainers: []corev1.Container{sidecar(gpu, "1"), container(gpu, "4")},
			Containers: []corev1.Container{container(gpu, "2")}}, 5},
		"first before sidecar": {corev1.PodSpec{InitContainers: []corev1.Container{container(gpu, "4"), sidecar(gpu, "1")},
			Containers: []corev1.Container{container(gpu, "2")}}, 4},
		"limit stands for request": {corev1.PodSpec{Containers: []corev1.Container{{
			Resources: corev1.ResourceRequirements{Limits: amounts(gpu, "8")},
		}}}, 8},
		"second resource":     {spec(string(amd), "4"), 4},
		"first of two counts": {spec(string(amd), "4", gpu, "2"), 2},
		"overhead is no GPU": {corev1.PodSpec{
			Overhead: amounts(gpu, "1"), Containers: []corev1.Container{container(gpu, "2")},
		}, 2},
	} {
		t.Run(name, func(t *testing.T) {
			if got := GPUs(&test.spec, options); got != test.want {
				t.Errorf("GPUs = %d, want %d", got, test.want)
			}
		})
	}
}

// TestTotalIsThatOfKubernetes compares random pods with the library that the scheduler uses.
func TestTotalIsThatOfKubernetes(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	some := func() corev1.ResourceRequirements {
		list := corev1.ResourceList{}
		for _, name := range []string{"cpu", "memory", string(nvidia)} {
			if r.IntN(3) > 0 {
				list[corev1.ResourceName(name)] = amounts(name, fmt.Sprint(r.IntN(9)))[corev1.ResourceName(name)]
			}
		}
		return corev1.ResourceRequirements{Requests: list, Limits: list}
	}
	for range 2000 {
		pod := &corev1.Pod{}
		for range r.IntN(3) {
			pod.Spec.Containers = append(pod.Spec.Containers, corev1.Container{Resources: some()})
		}
		for range r.IntN(4) {
			c := corev1.Container{Resources: some()}
			if r.IntN(2) == 0 {
				c.RestartPolicy = always
			}
			pod.Spec.InitContainers = append(pod.Spec.InitContainers, c)
		}
		if r.IntN(4) == 0 {
			whole := some()
			pod.Spec.Resources = &whole
		}
		if r.IntN(4) == 0 {
			pod.Spec.Overhead = amounts("cpu", "250m", "memory", "100Mi")
		}
		want := resource.PodRequests(pod, resource.PodResourcesOptions{})
		limits := resource.PodLimits(pod, resource.PodResourcesOptions{ExcludeOverhead: true})
		got := takes(&pod.Spec, nvidia)
		if cpu, memory, gpus := want.Cpu().MilliValue(), want.Memory().Value(), want[nvidia]; got.cpu != cpu ||
			got.memory != memory || got.gpus != gpus.Value() {
			t.Fatalf("takes = %+v, want CPU %d, memory %d, GPUs %d, of %+v", got, cpu, memory, gpus.Value(), pod.Spec)
		}
		if got, want := total(&pod.Spec, "cpu", limited), limits.Cpu().MilliValue(); got != want {
			t.Fatalf("limit of CPU = %d, want %d, of %+v", got, want, pod.Spec)
		}
	}
}

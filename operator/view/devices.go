package view

import (
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
)

// claims says that a pod asks for devices by what dynamic resource allocation gives it.
func claims(spec *corev1.PodSpec) bool {
	return len(spec.ResourceClaims) > 0 || slices.ContainsFunc(spec.Containers, func(c corev1.Container) bool {
		return len(c.Resources.Claims) > 0
	})
}

// devices are what the containers of a pod ask for that some vendor offers, in order.
func devices(spec *corev1.PodSpec) []string {
	named := map[string]bool{}
	for i := range spec.Containers {
		for name, amount := range spec.Containers[i].Resources.Limits {
			vendor, _, ok := strings.Cut(string(name), "/")
			if ok && !strings.HasSuffix(vendor, "kubernetes.io") && amount.Sign() > 0 {
				named[string(name)] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(named))
}

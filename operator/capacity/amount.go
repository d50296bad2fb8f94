package capacity

import (
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
)

// amount is a quantity as a number: of CPU in thousandths, of all else in its unit.
func amount(name corev1.ResourceName, q resource.Quantity) int64 {
	whole := bounded(q.Value())
	if name == corev1.ResourceCPU && max(whole, -whole) < mostAmount/1000 { // a greater one has no number in thousandths
		return q.MilliValue()
	}
	return whole
}

// mostAmount is more than any node has. A pod may ask for as much as a number can be, and several together for more.
const mostAmount = 1 << 50

func bounded(n int64) int64 { return max(-mostAmount, min(n, mostAmount)) }

// words is an amount as people write it.
func words(name corev1.ResourceName, n int64) string {
	switch {
	case name == corev1.ResourceCPU:
		return resource.NewMilliQuantity(n, resource.DecimalSI).String()
	case name == corev1.ResourceMemory, name == corev1.ResourceEphemeralStorage,
		strings.HasPrefix(string(name), corev1.ResourceHugePagesPrefix):
		return resource.NewQuantity(n, resource.BinarySI).String()
	default:
		return resource.NewQuantity(n, resource.DecimalSI).String()
	}
}

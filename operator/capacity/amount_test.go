package capacity

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
)

// A quantity may be so great that nobody can write it in thousandths.
func TestGreatAmountsAreNotNone(t *testing.T) {
	for text, want := range map[string]int64{
		"1500m": 1500, "64": 64000, "9E": mostAmount, "-9E": -mostAmount, "9P": mostAmount,
	} {
		if got := amount(corev1.ResourceCPU, resource.MustParse(text)); got != want {
			t.Errorf("%s CPUs are %d thousandths, want %d", text, got, want)
		}
	}
}

package kind_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/takt-dev/takt/operator/kind"
)

func TestTheTrainingIsLookedForWhereItTrains(t *testing.T) {
	gpu := corev1.ResourceRequirements{Limits: corev1.ResourceList{"nvidia.com/gpu": resource.MustParse("1")}}
	beside, trains, mesh := corev1.Container{Name: "log-shipper"}, corev1.Container{Name: "pytorch", Resources: gpu},
		corev1.Container{Name: "istio-proxy"}
	all := []corev1.Container{beside, trains, mesh}
	for name, test := range map[string]struct {
		named      string
		containers []corev1.Container
		usual      string
		want       string
	}{
		"the first of all, as a mesh names it":       {"log-shipper", all, "pytorch", "pytorch"},
		"and of a kind of job that has no usual one": {"log-shipper", all, "", "pytorch"},
		"nobody has a GPU":                           {"log-shipper", []corev1.Container{mesh, beside}, "", "log-shipper"},
		"nobody is named":                            {"", []corev1.Container{beside, trains}, "", "pytorch"},
	} {
		t.Run(name, func(t *testing.T) {
			on := map[string]string{"kubectl.kubernetes.io/default-container": test.named}
			if c := kind.Trainer(on, &corev1.PodSpec{Containers: test.containers}, test.usual); c.Name != test.want {
				t.Errorf("it is looked for in %s", c.Name)
			}
		})
	}
}

package kubeflow

import (
	"testing"

	"k8s.io/apimachinery/pkg/runtime"
)

// Defaults would be written back as if somebody had declared them.
func TestNoDefaultsAreRegistered(t *testing.T) {
	scheme := runtime.NewScheme()
	if err := AddToScheme(scheme); err != nil {
		t.Fatal(err)
	}
	p := pytorch()
	p.Spec.PyTorchReplicaSpecs["Worker"].Replicas = nil
	before := p.DeepCopy()
	scheme.Default(p)
	same(t, before, p)
}

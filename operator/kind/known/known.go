// Package known has all kinds of jobs that Takt knows: a new kind is one more line here.
//
// In comes nothing; out goes a list of kinds, for those who deal with jobs of every kind.
package known

import (
	"slices"

	"k8s.io/apimachinery/pkg/runtime"

	"github.com/takt-dev/takt/operator/kind"
	"github.com/takt-dev/takt/operator/kind/kubeflow"
)

// Kinds are all kinds of jobs that can be managed.
func Kinds() []kind.Kind { return slices.Concat(kubeflow.Kinds()) }

// ByKind finds the kind of a name, such as PyTorchJob.
func ByKind(name string) (kind.Kind, bool) {
	for _, k := range Kinds() {
		if k.GroupVersionKind().Kind == name {
			return k, true
		}
	}
	return nil, false
}

// AddToScheme registers the types of all kinds, and no others of their API groups.
func AddToScheme(s *runtime.Scheme) error { return kubeflow.AddToScheme(s) }

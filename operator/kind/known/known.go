package known

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/takt-dev/takt/operator/kind"
	"github.com/takt-dev/takt/operator/kind/indexedjob"
	"github.com/takt-dev/takt/operator/kind/kubeflow"
)

// Kinds are all kinds of jobs that can be managed.
func Kinds() []kind.Kind { return slices.Concat(kubeflow.Kinds(), indexedjob.Kinds()) }

// ByKind finds the kind of a name, such as PyTorchJob.
func ByKind(name string) (kind.Kind, bool) {
	for _, k := range Kinds() {
		if k.GroupVersionKind().Kind == name {
			return k, true
		}
	}
	return nil, false
}

// Templates are those of the pods of a job of any kind; none for any other object.
func Templates(object any) []*corev1.PodTemplateSpec {
	for _, k := range Kinds() {
		if templates := k.Templates(object); templates != nil {
			return templates
		}
	}
	return nil
}

// OwnerOf is the job that a pod belongs to, and its kind; false if it belongs to none.
func OwnerOf(pod client.Object) (kind.Kind, kind.Owner, bool) {
	for _, k := range Kinds() {
		if owner, of := k.Owner(pod); of {
			return k, owner, true
		}
	}
	return nil, kind.Owner{}, false
}

// AddToScheme registers the types of all kinds, and no others of their API groups.
func AddToScheme(s *runtime.Scheme) error {
	for _, add := range []func(*runtime.Scheme) error{kubeflow.AddToScheme, indexedjob.AddToScheme} {
		if err := add(s); err != nil {
			return err
		}
	}
	return nil
}

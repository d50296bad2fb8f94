package adapter

import (
	kubeflow "github.com/kubeflow/training-operator/pkg/apis/kubeflow.org/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// Kinds are all kinds of jobs that can be managed.
func Kinds() []Kind { return []Kind{pytorchJob{}, tfJob{}} }

// ByKind finds the kind of a name, such as PyTorchJob.
func ByKind(name string) (Kind, bool) {
	for _, k := range Kinds() {
		if k.GroupVersionKind().Kind == name {
			return k, true
		}
	}
	return nil, false
}

// AddToScheme registers the types of all kinds, and no others of their API groups. It leaves out
// their defaults: what is read must be what is stored.
func AddToScheme(s *runtime.Scheme) error {
	s.AddKnownTypes(kubeflow.GroupVersion,
		&kubeflow.PyTorchJob{}, &kubeflow.PyTorchJobList{},
		&kubeflow.TFJob{}, &kubeflow.TFJobList{})
	metav1.AddToGroupVersion(s, kubeflow.GroupVersion)
	return nil
}

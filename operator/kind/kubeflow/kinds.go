package kubeflow

import (
	kubeflow "github.com/kubeflow/training-operator/pkg/apis/kubeflow.org/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/takt-dev/takt/operator/kind"
)

// Kinds are those of training-operator that can be managed.
func Kinds() []kind.Kind { return []kind.Kind{pytorchJob{}, tfJob{}} }

// AddToScheme registers the types of these kinds, and no others of their API group. It leaves out
// their defaults: what is read must be what is stored.
func AddToScheme(s *runtime.Scheme) error {
	s.AddKnownTypes(kubeflow.GroupVersion,
		&kubeflow.PyTorchJob{}, &kubeflow.PyTorchJobList{},
		&kubeflow.TFJob{}, &kubeflow.TFJobList{})
	metav1.AddToGroupVersion(s, kubeflow.GroupVersion)
	return nil
}

package kubeflow

import (
	kubeflow "github.com/kubeflow/training-operator/pkg/apis/kubeflow.org/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/takt-dev/takt/operator/kind"
	"github.com/takt-dev/takt/operator/kind/written"
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

// missing is what a cluster without these kinds lacks.
const missing = "install " + written.Product

func (pytorchJob) Missing() string { return missing }
func (tfJob) Missing() string      { return missing }

// Ignores is empty: all of these jobs train.
func (pytorchJob) Ignores(client.Object) string { return "" }

// Ignores is empty: all of these jobs train.
func (tfJob) Ignores(client.Object) string { return "" }

func (pytorchJob) Templates(object any) []*corev1.PodTemplateSpec {
	if job, is := object.(*kubeflow.PyTorchJob); is {
		return templatesOf(job.Spec.PyTorchReplicaSpecs)
	}
	return nil
}

func (tfJob) Templates(object any) []*corev1.PodTemplateSpec {
	if job, is := object.(*kubeflow.TFJob); is {
		return templatesOf(job.Spec.TFReplicaSpecs)
	}
	return nil
}

func templatesOf(all map[kubeflow.ReplicaType]*kubeflow.ReplicaSpec) (templates []*corev1.PodTemplateSpec) {
	for _, spec := range all {
		if spec != nil {
			templates = append(templates, &spec.Template)
		}
	}
	return templates
}

var words = kind.Words{
	Controller: written.Controller, Size: "replicas", Sizes: "replicas",
	Others:   []string{"Master", "Chief", "PS", "Evaluator"},
	Suspends: "spec.runPolicy.suspend", Lifetime: "spec.runPolicy.activeDeadlineSeconds",
	Retries: "spec.runPolicy.backoffLimit", Refuses: "FailedCreatePod",
}

func (pytorchJob) Words() kind.Words { return words }
func (tfJob) Words() kind.Words      { return words }

func (k pytorchJob) Owner(pod client.Object) (kind.Owner, bool) {
	return kind.Controlled(pod, k.GroupVersionKind())
}

func (k tfJob) Owner(pod client.Object) (kind.Owner, bool) {
	return kind.Controlled(pod, k.GroupVersionKind())
}

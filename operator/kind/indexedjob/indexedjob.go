package indexedjob

import (
	"fmt"
	"strconv"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/takt-dev/takt/elastic/resize"
	"github.com/takt-dev/takt/operator/kind"
)

// name is that of the kind.
const name = "Job"

// job is Kubernetes' Job.
type job struct{}

// Kinds are those of this package.
func Kinds() []kind.Kind { return []kind.Kind{job{}} }

// AddToScheme registers the type of Jobs.
func AddToScheme(s *runtime.Scheme) error { return batchv1.AddToScheme(s) }

func (job) GroupVersionKind() schema.GroupVersionKind {
	return batchv1.SchemeGroupVersion.WithKind(name)
}

func (job) New() client.Object         { return &batchv1.Job{} }
func (job) NewList() client.ObjectList { return &batchv1.JobList{} }

func (job) Templates(object any) []*corev1.PodTemplateSpec {
	if b, is := object.(*batchv1.Job); is {
		return []*corev1.PodTemplateSpec{&b.Spec.Template}
	}
	return nil
}

func (job) Words() kind.Words {
	return kind.Words{
		Controller: "kube-controller-manager", Size: "parallelism", Sizes: "parallelism and completions",
		Suspends: "spec.suspend", Lifetime: "spec.activeDeadlineSeconds", Retries: "spec.backoffLimit",
		Refuses: "FailedCreate",
	}
}

func (job) Missing() string { return "its API server must serve batch/v1" }

func (k job) Owner(pod client.Object) (kind.Owner, bool) {
	return kind.Controlled(pod, k.GroupVersionKind())
}

// Index is the completion index, with which the API server labels each pod.
func (job) Index(pod *corev1.Pod, _ resize.Workers) (resize.Index, bool) {
	if pod.Labels[batchv1.JobNameLabel] == "" {
		return 0, false
	}
	n, err := strconv.ParseUint(pod.Labels[batchv1.JobCompletionIndexAnnotation], 10, 31)
	return resize.Index(n), err == nil
}

func indexed(j *batchv1.Job) bool {
	return j.Spec.CompletionMode != nil && *j.Spec.CompletionMode == batchv1.IndexedCompletion
}

func suspended(j *batchv1.Job) bool { return j.Spec.Suspend != nil && *j.Spec.Suspend }

// size is how many pods are to run at a time. The API server fills in 1 where nothing is said.
func size(j *batchv1.Job) resize.Workers {
	if j.Spec.Parallelism == nil {
		return 1
	}
	return resize.Workers(*j.Spec.Parallelism)
}

// typed is a Job, or an error for an object of another kind.
func typed(object client.Object) (*batchv1.Job, error) {
	j, ok := object.(*batchv1.Job)
	if !ok {
		return nil, fmt.Errorf("a %T is no Job", object)
	}
	return j, nil
}

package kubeflow

import (
	"slices"
	"strconv"
	"strings"

	kubeflow "github.com/kubeflow/training-operator/pkg/apis/kubeflow.org/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/takt-dev/takt/elastic/resize"
)

// The controllers of training-operator, as they sign their pods.
const (
	pytorchController    = "pytorchjob-controller"
	tensorflowController = "tfjob-controller"
)

var controllers = map[string]string{
	kubeflow.PyTorchJobKind: pytorchController, kubeflow.TFJobKind: tensorflowController,
}

// replicas are the pods of one type in a training-operator job. Their spec is nil if the job has
// none of the type.
type replicas struct {
	key  kubeflow.ReplicaType // as the job writes it
	spec *kubeflow.ReplicaSpec
}

// find looks for the first of the types that the job has. training-operator takes them in any case,
// such as worker for Worker.
func find(all map[kubeflow.ReplicaType]*kubeflow.ReplicaSpec, types ...kubeflow.ReplicaType) replicas {
	for _, t := range types {
		if spec := all[t]; spec != nil {
			return replicas{t, spec}
		}
		var others []kubeflow.ReplicaType
		for key, spec := range all {
			if spec != nil && strings.EqualFold(string(key), string(t)) {
				others = append(others, key)
			}
		}
		if len(others) > 0 {
			key := slices.Min(others)
			return replicas{key, all[key]}
		}
	}
	return replicas{}
}

func (r replicas) exist() bool { return r.spec != nil }

// count is how many pods of this type are declared.
func (r replicas) count() resize.Workers {
	switch {
	case r.spec == nil:
		return 0
	case r.spec.Replicas == nil:
		return 1
	default:
		return resize.Workers(*r.spec.Replicas)
	}
}

func (r replicas) template() *corev1.PodTemplateSpec {
	if r.spec == nil {
		return nil
	}
	return &r.spec.Template
}

// fixed is how many of them cannot be taken away: the leader of a job, if it has one.
func (r replicas) fixed() resize.Workers {
	if r.spec == nil {
		return 0
	}
	return 1
}

// alone says that the leader of a job trains without workers.
func alone(leader, workers replicas) bool { return leader.count() == 1 && workers.count() == 0 }

// crew are those of a job that train. Beside a leader that trains alone there are no workers, though some may be
// written: what is said for them says nothing of it, and stays as it is.
func crew(leader, workers replicas) (replicas, replicas) {
	if alone(leader, workers) {
		return leader, replicas{}
	}
	return leader, workers
}

// index reads the index of a pod that training-operator made: the leaders come first, then the
// workers. With no fixed pod there is no leader, whatever the pod says.
func index(pod *corev1.Pod, controller string, fixed resize.Workers,
	leaders ...kubeflow.ReplicaType) (resize.Index, bool) {
	// By this label it finds its pods: any other is one that somebody else has made, though it says whose it is.
	job := pod.Labels[kubeflow.JobNameLabel]
	if owner := metav1.GetControllerOf(pod); job == "" || owner != nil && owner.Name != job {
		return 0, false
	}
	if by := pod.Labels[kubeflow.OperatorNameLabel]; by != "" && by != controller {
		return 0, false
	}
	n, err := strconv.ParseUint(pod.Labels[kubeflow.ReplicaIndexLabel], 10, 31)
	if err != nil {
		return 0, false
	}
	role := pod.Labels[kubeflow.ReplicaTypeLabel]
	switch {
	case strings.EqualFold(role, "worker"):
		return resize.Index(n) + resize.Index(fixed), true
	case slices.ContainsFunc(leaders, func(t kubeflow.ReplicaType) bool { return strings.EqualFold(role, string(t)) }):
		return resize.Index(n), resize.Workers(n) < fixed
	default:
		return 0, false
	}
}

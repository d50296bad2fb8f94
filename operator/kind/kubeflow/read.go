package kubeflow

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	kubeflow "github.com/kubeflow/training-operator/pkg/apis/kubeflow.org/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/takt-dev/takt/elastic/resize"
	"github.com/takt-dev/takt/operator/kind"
	"github.com/takt-dev/takt/operator/kind/written"
)

// read is what a training-operator job of either kind says of itself.
func read(name string, meta *metav1.ObjectMeta, policy *kubeflow.RunPolicy, status *kubeflow.JobStatus,
	leader, workers replicas,
) kind.Job {
	j := kind.Job{
		Kind:        name,
		Namespace:   meta.Namespace,
		Name:        meta.Name,
		UID:         meta.UID,
		Labels:      meta.Labels,
		Annotations: meta.Annotations,
		CreatedAt:   meta.CreationTimestamp.Time,
		Size:        leader.fixed() + workers.count(),
		Fixed:       leader.fixed(),
		Mode:        resize.Cold,
		Suspended:   suspended(policy),
		Asked:       written.DecodeAsk(meta.UID, meta.Annotations[kind.AskAnnotation]),
		Worker:      workers.template(),
		Leader:      leader.template(),
		PodLabels: map[string]string{kubeflow.JobNameLabel: meta.Name, kubeflow.ReplicaTypeLabel: "worker",
			kubeflow.OperatorNameLabel: controllers[name]},

		EndsByLeaver: !leader.exist(), Retries: policy.BackoffLimit, MadeBy: madeBy(meta),
	}
	if j.Alone = alone(leader, workers); j.Alone {
		j.Worker = leader.template()
		j.PodLabels[kubeflow.ReplicaTypeLabel] = strings.ToLower(string(leader.key))
	}
	if seconds := policy.ActiveDeadlineSeconds; seconds != nil && *seconds <= int64(math.MaxInt64/time.Second) {
		j.Lasts = time.Duration(*seconds) * time.Second
	}
	if !j.Suspended && status.StartTime != nil {
		j.StartedAt = status.StartTime.Time
	}
	before := kind.Before(meta, j.Size, j.Suspended)
	j.Written, j.SubmittedSuspended = before.Size, before.Suspended
	j.ReturnsTo = written.Returns(j.Asked, meta.Annotations[kind.ReturnsAnnotation])
	_, j.Held = meta.Annotations[kind.HeldAnnotation]
	j.State, j.EndedAt, j.Message = state(meta, status)
	return j.Ranging(j.Size, j.Size)
}

// workflowOfArgo is the label that names the workflow of which something is a step.
const workflowOfArgo = "workflows.argoproj.io/workflow"

// madeBy is what has made a job, such as a step of a workflow. A trial of Katib waits for its end alone.
func madeBy(meta *metav1.ObjectMeta) string {
	owner, workflow := metav1.GetControllerOf(meta), meta.Labels[workflowOfArgo]
	switch {
	case owner != nil && owner.Kind == "Trial" && strings.HasPrefix(owner.APIVersion, "kubeflow.org/"):
	case owner != nil:
		return fmt.Sprintf("%s %s", owner.Kind, owner.Name)
	case workflow != "":
		return "Workflow " + workflow
	}
	return ""
}

// addedPort is the port that training-operator adds to each worker, unless its container that trains has one of that
// name; 0 is none. It does so as it makes the pods: the job itself does not say so.
func addedPort(j kind.Job, name string, port int32) int32 {
	if j.Worker == nil || len(j.Worker.Spec.Containers) == 0 {
		return 0
	}
	all := j.Worker.Spec.Containers
	trains := max(0, slices.IndexFunc(all, func(c corev1.Container) bool { return c.Name == j.Container }))
	if slices.ContainsFunc(all[trains].Ports, func(p corev1.ContainerPort) bool { return p.Name == name }) {
		return 0
	}
	return port
}

// startsTogether is how many of the workers of a job are to start at once at least, where training-operator makes a
// gang of its pods: with fewer, none of them would ever start. A number that the job was not even written with is
// passed over.
func startsTogether(policy *kubeflow.RunPolicy, all map[kubeflow.ReplicaType]*kubeflow.ReplicaSpec,
	j kind.Job) resize.Workers {
	if policy.SchedulingPolicy == nil || policy.SchedulingPolicy.MinAvailable == nil {
		return 0
	}
	least := resize.Workers(*policy.SchedulingPolicy.MinAvailable) + j.Size
	for key, spec := range all {
		least -= replicas{key, spec}.count()
	}
	if least > j.Written {
		return 0
	}
	return max(least, 0)
}

func suspended(p *kubeflow.RunPolicy) bool { return p.Suspend != nil && *p.Suspend }

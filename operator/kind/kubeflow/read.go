package kubeflow

import (
	"math"
	"time"

	kubeflow "github.com/kubeflow/training-operator/pkg/apis/kubeflow.org/v1"
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
		PodLabels:   map[string]string{kubeflow.JobNameLabel: meta.Name, kubeflow.ReplicaTypeLabel: "worker"},

		EndsByLeaver: !leader.exist(), Retries: policy.BackoffLimit,
	}
	if j.Alone = alone(leader, workers); j.Alone {
		j.Worker = leader.template()
	}
	if seconds := policy.ActiveDeadlineSeconds; seconds != nil && *seconds <= int64(math.MaxInt64/time.Second) {
		j.Lasts = time.Duration(*seconds) * time.Second
	}
	if !j.Suspended && status.StartTime != nil {
		j.StartedAt = status.StartTime.Time
	}
	j.Written = written.For(meta.UID, meta.Annotations[kind.AskAnnotation], j.Size)
	j.ReturnsTo = written.Returns(j.Asked, meta.Annotations[kind.ReturnsAnnotation])
	_, j.Held = meta.Annotations[kind.HeldAnnotation]
	j.State, j.EndedAt, j.Message = state(meta, status)
	return j.Ranging(j.Size, j.Size)
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

package adapter

import (
	"math"
	"time"

	kubeflow "github.com/kubeflow/training-operator/pkg/apis/kubeflow.org/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/takt-dev/takt/elastic/resize"
)

// read is what a training-operator job of either kind says of itself.
func read(kind string, meta *metav1.ObjectMeta, policy *kubeflow.RunPolicy, status *kubeflow.JobStatus,
	leader, workers replicas,
) Job {
	j := Job{
		Kind:        kind,
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
		Asked:       DecodeAsk(meta.UID, meta.Annotations[AskAnnotation]),
		Worker:      workers.template(),
		Leader:      leader.template(),
	}
	if seconds := policy.ActiveDeadlineSeconds; seconds != nil && *seconds <= int64(math.MaxInt64/time.Second) {
		j.Lasts = time.Duration(*seconds) * time.Second
	}
	if !j.Suspended && status.StartTime != nil {
		j.StartedAt = status.StartTime.Time
	}
	j.Written = writtenFor(meta.UID, meta.Annotations[AskAnnotation], j.Size)
	j.ReturnsTo = returns(j.Asked, meta.Annotations[ReturnsAnnotation])
	_, j.Held = meta.Annotations[HeldAnnotation]
	j.State, j.EndedAt, j.Message = state(meta, status)
	return j.ranging(j.Size, j.Size)
}

// ranging gives the job a range of sizes. A master without a worker is no job that can be sized, and
// training-operator would refuse it.
func (j Job) ranging(least, most resize.Workers) Job {
	j.Least = max(least, j.Fixed+1)
	j.Most = max(most, j.Least)
	return j
}

func suspended(p *kubeflow.RunPolicy) bool { return p.Suspend != nil && *p.Suspend }

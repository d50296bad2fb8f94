package indexedjob

import (
	"math"
	"time"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/takt-dev/takt/elastic/resize"
	"github.com/takt-dev/takt/operator/kind"
	"github.com/takt-dev/takt/operator/kind/written"
)

func (job) Read(object client.Object) kind.Job {
	b := object.(*batchv1.Job)
	asked := written.DecodeAsk(b.UID, b.Annotations[kind.AskAnnotation])
	_, held := b.Annotations[kind.HeldAnnotation]
	j := kind.Job{
		Kind: name, Namespace: b.Namespace, Name: b.Name, UID: b.UID,
		Labels: b.Labels, Annotations: b.Annotations, CreatedAt: b.CreationTimestamp.Time,
		Size: size(b), Mode: resize.Cold, Suspended: suspended(b), Asked: asked,
		ReturnsTo: written.Returns(asked, b.Annotations[kind.ReturnsAnnotation]),
		Held:      held,
		PodsStay:  true,
		Worker:    &b.Spec.Template,
	}
	before := kind.Before(&b.ObjectMeta, j.Size, j.Suspended)
	j.Written, j.SubmittedSuspended = before.Size, before.Suspended
	if seconds := b.Spec.ActiveDeadlineSeconds; seconds != nil && *seconds <= int64(math.MaxInt64/time.Second) {
		j.Lasts = time.Duration(*seconds) * time.Second
	}
	if limit := b.Spec.BackoffLimit; limit != nil {
		if j.Retries = limit; b.Spec.Template.Spec.RestartPolicy == corev1.RestartPolicyNever {
			j.Retries = new(int32(min(int64(*limit)-int64(b.Status.Failed)+1, math.MaxInt32))) // it fails once there are more
		}
	}
	j.Failures = failures(b)
	j.HoldsBack = holdsBack(j.Failures)
	if !j.Suspended && b.Status.StartTime != nil {
		j.StartedAt = b.Status.StartTime.Time
	}
	j.State, j.EndedAt, j.Message = state(b)
	j = j.Ranging(j.Size, j.Size)
	if least, most, elastic := elasticRange(b); elastic {
		j = j.Ranging(least, most)
		j.Floor, j.Ceiling, j.Bounded = least, most, true
		j = j.Restarting(liveObjections(b))
	}
	j.Objections = objections(b)
	j.AtItsEnd, j.Finished = atItsEnd(j, b)
	j.AgentObstacle = "Jobs of Kubernetes itself are run without it."
	return j
}

// failures is how many of its pods have failed.
func failures(b *batchv1.Job) int {
	n := int(b.Status.Failed)
	if uncounted := b.Status.UncountedTerminatedPods; uncounted != nil {
		n += len(uncounted.Failed)
	}
	return n
}

// kube-controller-manager makes no pods for so long after the first that has failed, for twice as long after each
// further one, and for so long at most.
const (
	firstHold = 10 * time.Second
	mostHold  = 10 * time.Minute
)

// holdsBack is how long it makes none after so many have failed.
func holdsBack(failures int) time.Duration {
	if failures == 0 {
		return 0
	}
	hold := firstHold
	for range failures - 1 {
		if hold *= 2; hold >= mostHold {
			return mostHold
		}
	}
	return hold
}

// writtenFor is the size that a Job was written for.
func writtenFor(b *batchv1.Job) resize.Workers {
	return kind.Before(&b.ObjectMeta, size(b), suspended(b)).Size
}

// state says whether a Job goes on. Once it is clear how it ends, it counts as ended, though its pods may still be on
// their way out: nothing changes that any more.
func state(b *batchv1.Job) (s resize.JobState, at time.Time, message string) {
	s = resize.JobGoesOn
	for _, end := range []struct {
		condition batchv1.JobConditionType
		state     resize.JobState
	}{
		{batchv1.JobComplete, resize.JobFinished}, {batchv1.JobFailed, resize.JobFailed},
		{batchv1.JobSuccessCriteriaMet, resize.JobFinished}, {batchv1.JobFailureTarget, resize.JobFailed},
	} {
		if c := condition(b, end.condition); c != nil {
			s, at, message = end.state, c.LastTransitionTime.Time, c.Message
			if message == "" {
				message = c.Reason
			}
			if b.Status.CompletionTime != nil {
				at = b.Status.CompletionTime.Time
			}
			break
		}
	}
	if b.DeletionTimestamp != nil {
		s = resize.JobDeleted
	}
	return s, at, message
}

// condition is one that is True; nil if it is not.
func condition(b *batchv1.Job, t batchv1.JobConditionType) *batchv1.JobCondition {
	for i := range b.Status.Conditions {
		if c := &b.Status.Conditions[i]; c.Type == t && c.Status == corev1.ConditionTrue {
			return c
		}
	}
	return nil
}

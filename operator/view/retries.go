package view

import (
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/elastic/resize"
	"github.com/takt-dev/takt/operator/kind"
)

// countRetries makes a job that is resized while it trains one that is resized by a restart, where the job would fail
// if each of its workers failed once. With PyTorch 2.6 they do: a worker that is told to leave closes the rendezvous of
// those that stay, whose containers then end and start anew. The pods that a restart makes have not failed yet.
func (s *Subject) countRetries() {
	if s.Job.Mode != resize.Live || s.Job.Retries == nil || s.Size() == 0 {
		return
	}
	spare := *s.Job.Retries
	for _, w := range s.Pods {
		spare -= restarts(w.Pod)
	}
	for _, pod := range s.rest {
		spare -= restarts(pod)
	}
	if int32(s.Size()) < spare {
		return
	}
	s.Job.Mode = resize.Cold
	if !s.Job.Bounded {
		s.Job.Floor, s.Job.Ceiling = 0, 0
	}
	plenty := max(100, *s.Job.Retries+10*int32(s.Size())) // for ten resizes
	s.Job.OnlyCold = append(s.Job.OnlyCold, kind.Objection{Reason: "BackoffLimitTooLow", Message: fmt.Sprintf(
		"Its backoffLimit would fail the whole job if each of its %s failed once more, as those that stay do with PyTorch "+
			"2.6 when "+
			"others leave. Set it to %d or more.", elastic.CountOf(s.Size(), "worker"), plenty)})
}

// restarts is how often containers of a pod that is not over were started again, as their controllers count it.
func restarts(pod *corev1.Pod) (times int32) {
	if phase := pod.Status.Phase; phase != corev1.PodRunning && phase != corev1.PodPending {
		return 0
	}
	for _, c := range slices.Concat(pod.Status.InitContainerStatuses, pod.Status.ContainerStatuses) {
		times += c.RestartCount
	}
	return times
}

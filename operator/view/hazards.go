package view

import (
	"context"
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/elastic/live"
	"github.com/takt-dev/takt/elastic/resize"
	"github.com/takt-dev/takt/operator/kind"
)

// lookAtHazards makes a job that is resized while it trains one that is resized by a restart, where the core says so.
func (v *Viewer) lookAtHazards(ctx context.Context, s *Subject) error {
	if s.Job.Mode != resize.Live {
		return nil
	}
	seen := live.Seen{
		Workers: s.Size(), EndsByLeaver: s.Job.EndsByLeaver, Wrapped: s.Job.EndsByLeaver && s.wrapped(),
	}
	if s.Job.Retries != nil {
		seen.Retries, seen.Failed = new(int(*s.Job.Retries)), s.failed()
	}
	if seen.GoesByProfile() && s.ElasticJob.Spec.Profile != "" {
		ended, err := v.otherEnded(ctx, s)
		if err != nil {
			return err
		}
		seen.OtherEnded = ended
	}
	hazard := seen.Hazard()
	if hazard == "" {
		return nil
	}
	if s.Job.Mode = resize.Cold; !s.Job.Bounded {
		s.Job.Floor, s.Job.Ceiling = 0, 0
	}
	s.Job.OnlyCold = append(s.Job.OnlyCold, kind.Objection{Reason: string(hazard), Message: s.inWords(hazard)})
	return nil
}

// inWords says why a job is resized by a restart, and what to change.
func (s *Subject) inWords(hazard live.Hazard) string {
	if hazard == live.LeaverExitsWithZero {
		return fmt.Sprintf("Another job of its profile was ended by a worker that was told to leave and exited with 0. Once "+
			"its training exits with another code then, name another profile, or delete TrainingProfile %s.",
			s.ElasticJob.Spec.Profile)
	}
	retries := s.Kind.Words().Retries
	return fmt.Sprintf("Its %s would fail the whole job if each of its %s failed once more, as those that stay "+
		"do with PyTorch 2.6 when others leave. Set it to %d or more.", retries, elastic.CountOf(s.Size(), "worker"),
		live.Plenty(int(*s.Job.Retries), s.Size()))
}

// failed is how often containers of the pods of a job were started again.
func (s *Subject) failed() (times int) {
	for _, w := range s.Pods {
		times += restarts(w.Pod)
	}
	for _, pod := range s.rest {
		times += restarts(pod)
	}
	return times
}

// restarts is how often containers of a pod that is not over were started again, as their controllers count it.
func restarts(pod *corev1.Pod) (times int) {
	if phase := pod.Status.Phase; phase != corev1.PodRunning && phase != corev1.PodPending {
		return 0
	}
	for _, c := range slices.Concat(pod.Status.InitContainerStatuses, pod.Status.ContainerStatuses) {
		times += int(c.RestartCount)
	}
	return times
}

package reading

import (
	"context"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/takt-dev/takt/operator/progress"
	"github.com/takt-dev/takt/operator/view"
	"github.com/takt-dev/takt/predictor"
)

// Attend takes that these workers of a job train in a shape. While they may wait for another, how long that takes says
// nothing of how long the job trains with so many.
func (r *Reader) Attend(s *view.Subject, running []*corev1.Pod, shape predictor.Shape) {
	if !s.Waits(r.Now()) {
		s.Known.Run.Attend(shape, progress.RunSince(running), r.Now())
	}
}

// doubt takes note that nobody knows how many of the workers train: one waits at the barrier, or cannot run, for which
// the others may wait or not; or its node does not answer, until it does or is given up. What is read then has a date
// by a clock that may be ahead.
func (r *Reader) doubt(ctx context.Context, s *view.Subject, running []*corev1.Pod, read time.Time) {
	now := r.Now()
	if s.AtBarrier() || len(s.Hurdles(now)) > 0 || slices.ContainsFunc(running, func(pod *corev1.Pod) bool {
		return !r.View.NodeAnswers(ctx, pod.Spec.NodeName)
	}) {
		if read.After(now) {
			now = read
		}
		s.Known.Run.Doubt(now)
	}
}

package reading

import (
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

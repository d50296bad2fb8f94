package planning

import (
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/operator/coretime"
	"github.com/takt-dev/takt/operator/view"
)

// unstarted is since when each worker of a job has a node and none has run, and whether that stays so; nil where it is
// not so. What the kubelet says of them wakes nobody.
func unstarted(s *view.Subject, now time.Time) *elastic.Unstarted {
	if s.Active() != nil || s.Size() == 0 || len(s.Pods) == 0 || s.Ends() {
		return nil
	}
	last := s.Pods[0].Pod.CreationTimestamp.Time
	for _, w := range s.Pods {
		if w.Pod.Status.Phase != corev1.PodPending || w.Pod.Spec.NodeName == "" {
			return nil
		}
		if made := w.Pod.CreationTimestamp.Time; made.After(last) {
			last = made
		}
	}
	hurdles := s.Hurdles(now)
	passes := func(h view.Hurdle) bool { return !h.Lasts || h.Partly }
	return &elastic.Unstarted{Since: coretime.Seconds(last),
		ForGood: len(hurdles) == len(s.Pods) && !slices.ContainsFunc(hurdles, passes)}
}

package planning

import (
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/elastic/resize"
	"github.com/takt-dev/takt/operator/coretime"
	"github.com/takt-dev/takt/operator/view"
)

// madeTogether is how far apart the workers of one start are made, at most: one that is made later took the place of
// another, with which the rest may have trained.
const madeTogether = 2 * time.Minute

// unstarted is since when each worker of a job has a node and the job has not trained for want of some that do not run,
// and whether that stays so; nil where it is not so. What the kubelet says of them wakes nobody.
func unstarted(s *view.Subject, now time.Time) *elastic.Unstarted {
	if s.Active() != nil || s.Size() == 0 || len(s.Pods) == 0 || s.Ends() {
		return nil
	}
	hurdles, pending := s.Hurdles(now), 0
	for _, w := range s.Pods {
		if w.Pod.Spec.NodeName == "" || view.HasEnded(w.Pod) {
			return nil
		}
		if w.Pod.Status.Phase == corev1.PodPending {
			pending++
		}
	}
	first, last := madeAt(s.Pods)
	if pending < len(s.Pods) && (pending == 0 || last.Sub(first) > madeTogether || !standsStill(s, last, now)) {
		return nil
	}
	passes := func(h view.Hurdle) bool { return !h.Lasts || h.Partly }
	return &elastic.Unstarted{Since: coretime.Seconds(last),
		ForGood: len(hurdles) >= pending && !slices.ContainsFunc(hurdles, passes)}
}

// madeAt is when the first and the last of some workers were made.
func madeAt(workers []view.Worker) (first, last time.Time) {
	first = workers[0].Pod.CreationTimestamp.Time
	for _, w := range workers {
		switch made := w.Pod.CreationTimestamp.Time; {
		case made.Before(first):
			first = made
		case made.After(last):
			last = made
		}
	}
	return first, last
}

// standsStill says that those workers of a job that run wait for the others: it trains with all of them or not at all,
// it has told nothing since the last was made, and its GPUs were seen idle for long.
func standsStill(s *view.Subject, made, now time.Time) bool {
	return s.Mode() == resize.Cold && s.Known.Idleness() != "" && !s.Known.Run.View(now, 0).MovedAt.After(made)
}

package planning

import (
	"context"
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/elastic/begin"
	"github.com/takt-dev/takt/elastic/coretime"
	"github.com/takt-dev/takt/operator/capacity"
	"github.com/takt-dev/takt/operator/view"
)

// stuck says whether a pod stays for now, whatever is asked of it. One that has ended does not.
func (p *Planner) stuck(ctx context.Context, pod *corev1.Pod) bool {
	if pod.Spec.NodeName == "" || view.HasEnded(pod) {
		return false
	}
	node, err := p.View.Node(ctx, pod.Spec.NodeName)
	if err != nil {
		p.log.Error(err, "Cannot look at a node; no size changes of a job that has workers there", "pod", pod.Name)
		p.tryAgain(err)
		return false
	}
	return begin.IsStuck(view.Lost(node), pod.DeletionTimestamp != nil, capacity.Readiness(node) == corev1.ConditionTrue)
}

// writtenOff says that a pod is stuck, and that nobody counts on its node any more: it is to go.
func (p *Planner) writtenOff(ctx context.Context, pod *corev1.Pod) bool {
	return pod.DeletionTimestamp != nil && p.stuck(ctx, pod)
}

// leavers are the workers of a job that were told to go.
func (p *Planner) leavers(ctx context.Context, s *view.Subject) (leavers []begin.Leaver) {
	for _, w := range s.Pods {
		if gone := w.Pod.DeletionTimestamp; gone != nil {
			leavers = append(leavers, begin.Leaver{GoneBy: coretime.Seconds(gone.Time), Stuck: p.stuck(ctx, w.Pod)})
		}
	}
	return leavers
}

// yetToLeave are the workers of a job that is suspended whose controller has not come to telling them to go: it will as
// soon as it can, and makes no others before.
func (p *Planner) yetToLeave(ctx context.Context, s *view.Subject) (leavers []begin.Leaver) {
	for _, w := range s.Pods {
		if w.Pod.DeletionTimestamp == nil && !view.HasEnded(w.Pod) {
			leavers = append(leavers, begin.Leaver{GoneBy: coretime.Seconds(p.Now()), Stuck: p.stuck(ctx, w.Pod)})
		}
	}
	return leavers
}

// leaves says that a worker of a job that is stopped is about to be gone.
func (p *Planner) leaves(ctx context.Context, s *view.Subject) bool {
	return s.Job.Suspended && coretime.Seconds(p.Now()) < p.waits().LeaveUntil(p.leavers(ctx, s))
}

// hasWrittenOff says whether one of the workers is written off.
func (p *Planner) hasWrittenOff(ctx context.Context, s *view.Subject) bool {
	return slices.ContainsFunc(s.Pods, func(w view.Worker) bool { return p.writtenOff(ctx, w.Pod) })
}

// whoIsStuck says why a job is not resized as some of its workers are stuck.
func (p *Planner) whoIsStuck(ctx context.Context, s *view.Subject, h begin.Hindrance) string {
	first := slices.IndexFunc(s.Pods, func(w view.Worker) bool { return int(w.Index) == h.Worker })
	pod, to := s.Pods[first].Pod, elastic.Count(h.To)
	node := pod.Spec.NodeName
	if known, err := p.View.Node(ctx, node); known == nil && err == nil {
		return fmt.Sprintf("%s is on node %s, which is gone: the job is not resized to %s until the pod is gone as well.",
			pod.Name, node, to)
	}
	return fmt.Sprintf("%s is on node %s, which does not answer: the job is not resized to %s until that node is back. "+
		"If it is gone for good: kubectl delete node %s.", pod.Name, node, to, node)
}

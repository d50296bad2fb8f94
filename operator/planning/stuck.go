package planning

import (
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/elastic/resize"
	"github.com/takt-dev/takt/operator/capacity"
	"github.com/takt-dev/takt/operator/memory"
	"github.com/takt-dev/takt/operator/view"
)

// Stuck says whether a pod is on a node that does not answer, or is gone: whatever is asked of it, it stays for
// now. So may one that was told to go where the node is not well. One that has ended does not.
func (p *Planner) Stuck(pod *corev1.Pod) bool {
	if pod.Spec.NodeName == "" || pod.Status.Phase == corev1.PodSucceeded || pod.Status.Phase == corev1.PodFailed {
		return false
	}
	node, err := p.View.Node(pod.Spec.NodeName)
	if err != nil {
		return false // nothing begins while nobody can tell
	}
	return view.Lost(node) || pod.DeletionTimestamp != nil && capacity.Readiness(node) != corev1.ConditionTrue
}

// writtenOff says that a pod is stuck, and that nobody counts on its node any more: it is to go.
func (p *Planner) writtenOff(pod *corev1.Pod) bool {
	return pod.DeletionTimestamp != nil && p.Stuck(pod)
}

// leaves says that a worker of a job that is stopped is about to be gone: one of the same name can only be made once
// it is. One that takes too long is not waited for.
func (p *Planner) leaves(s *view.Subject) bool {
	return s.Job.Suspended && slices.ContainsFunc(s.Pods, func(w view.Worker) bool {
		gone := w.Pod.DeletionTimestamp
		return gone != nil && !p.Stuck(w.Pod) && p.Now().Before(gone.Add(p.Limits.StopWithin))
	})
}

// hasWrittenOff says whether one of the workers is written off.
func (p *Planner) hasWrittenOff(s *view.Subject) bool {
	return slices.ContainsFunc(s.Pods, func(w view.Worker) bool { return p.writtenOff(w.Pod) })
}

// BlockedByNode says why a job is not resized as some of its workers are stuck. Whoever lives trains on. Up to the
// greatest index that there is, training-operator makes anew whoever is missing, only to delete it for being too
// many, over and over; and none can train that has the index of one who is stuck. So a job can only do without
// the stuck ones if they are its last.
func (p *Planner) BlockedByNode(s *view.Subject, r elastic.Resize) (memory.Hindrance, bool) {
	first := slices.IndexFunc(s.Pods, func(w view.Worker) bool { return p.Stuck(w.Pod) })
	if first < 0 || r.From == 0 || r.To == 0 || s.Mode() != resize.Live {
		return memory.Hindrance{}, false
	}
	rest, pod := s.Pods[first:], s.Pods[first].Pod
	together := int(rest[len(rest)-1].Index-rest[0].Index) == len(rest)-1
	last := together && !slices.ContainsFunc(rest, func(w view.Worker) bool { return !p.Stuck(w.Pod) })
	if last && r.To == elastic.Workers(rest[0].Index) {
		return memory.Hindrance{}, false
	}
	node, to := pod.Spec.NodeName, elastic.Count(r.To)
	if known, err := p.View.Node(node); known == nil && err == nil {
		return memory.Hindrance{Reason: memory.ReasonStuck, Message: fmt.Sprintf("%s is on node %s, which is gone: the job is not resized to %s until the pod is gone as well.",
			pod.Name, node, to)}, true
	}
	return memory.Hindrance{Reason: memory.ReasonStuck, Message: fmt.Sprintf("%s is on node %s, which does not answer: the job is not resized to %s until that node is back. "+
		"If it is gone for good: kubectl delete node %s.", pod.Name, node, to, node)}, true
}

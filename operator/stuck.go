package operator

import (
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/elastic/resize"
)

// stuck says whether a pod is on a node that does not answer, or is gone: whatever is asked of it, it stays for
// now. So may one that was told to go where the node is not well. One that has ended does not.
func (o *Operator) stuck(pod *corev1.Pod) bool {
	if pod.Spec.NodeName == "" || pod.Status.Phase == corev1.PodSucceeded || pod.Status.Phase == corev1.PodFailed {
		return false
	}
	node := o.node(pod.Spec.NodeName)
	return lost(node) || pod.DeletionTimestamp != nil && readiness(node) != corev1.ConditionTrue
}

// hindered says whether one of the workers is stuck.
func (o *Operator) hindered(s *subject) bool {
	return slices.ContainsFunc(s.pods, func(w worker) bool { return o.stuck(w.pod) })
}

// writtenOff says that a pod is stuck, and that nobody counts on its node any more: it is to go.
func (o *Operator) writtenOff(pod *corev1.Pod) bool {
	return o.stuck(pod) && (pod.DeletionTimestamp != nil || o.node(pod.Spec.NodeName) == nil)
}

// aroundStuck is what becomes of a resize of a job of which some workers are stuck. If they are the last ones, it
// can do without them. Else it is left as it is, and whoever lives trains on: up to the greatest index that there
// is, training-operator makes anew whoever is missing, only to delete it for being too many, over and over; and
// none can train that has the index of one who is stuck.
func (o *Operator) aroundStuck(s *subject, r elastic.Resize) (elastic.Workers, hindrance) {
	first := slices.IndexFunc(s.pods, func(w worker) bool { return o.stuck(w.pod) })
	if first < 0 || r.From == 0 || r.To == 0 || s.job.Mode != resize.Live {
		return r.To, hindrance{}
	}
	rest := s.pods[first:]
	least := elastic.Workers(rest[0].index)
	together := int(rest[len(rest)-1].index-rest[0].index) == len(rest)-1
	last := together && !slices.ContainsFunc(rest, func(w worker) bool { return !o.stuck(w.pod) })
	if last && r.To <= least && least < r.From {
		return least, hindrance{}
	}
	return r.From, o.hampers(rest[0].pod, r.To)
}

// hampers is what to say of a job that is not resized, as one of its workers is stuck.
func (o *Operator) hampers(pod *corev1.Pod, to elastic.Workers) hindrance {
	node := pod.Spec.NodeName
	if o.node(node) == nil {
		return hindrance{reasonStuck, fmt.Sprintf("%s is on node %s, which is gone: the job is not resized to %s until the pod is gone as well.", pod.Name, node, elastic.Count(to))}
	}
	return hindrance{reasonStuck, fmt.Sprintf("%s is on node %s, which does not answer: the job is not resized to %s until that node is back. "+
		"If it is gone for good: kubectl delete node %s.", pod.Name, node, elastic.Count(to), node)}
}

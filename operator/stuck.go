package operator

import (
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/elastic/resize"
)

// stuck says whether a pod is on a node that does not answer: whatever is asked of it, it stays until the node is
// back or removed.
func (o *Operator) stuck(pod *corev1.Pod) bool {
	return pod.Spec.NodeName != "" && o.nodeLost(pod.Spec.NodeName)
}

// aroundStuck is what becomes of a resize of a job of which some workers are stuck. If they are the last ones, it
// can do without them. Else it is left as it is, and whoever lives trains on: up to the greatest index that there
// is, training-operator makes anew whoever is missing, only to delete it for being too many, over and over; and
// none can train that has the index of one who is stuck.
func (o *Operator) aroundStuck(s *subject, r elastic.Resize) (elastic.Workers, hindrance) {
	first := slices.IndexFunc(s.pods, func(w worker) bool { return o.stuck(w.pod) })
	if first < 0 || r.To == 0 || s.job.Mode != resize.Live {
		return r.To, hindrance{}
	}
	least, last := s.pods[first].index, s.pods[len(s.pods)-1].index
	alone := !slices.ContainsFunc(s.pods[first:], func(w worker) bool { return !o.stuck(w.pod) }) &&
		int(last-least) == len(s.pods[first:])-1
	if size := elastic.Workers(least); alone && r.To <= size && size < r.From {
		return size, hindrance{}
	}
	pod := s.pods[first].pod
	return r.From, hindrance{reasonStuck, fmt.Sprintf(
		"It is to have %s, and cannot as long as %s is on node %s, which does not answer: until then it trains on with those that do. If that node is gone for good: kubectl delete node %s.",
		elastic.Count(r.To), pod.Name, pod.Spec.NodeName, pod.Spec.NodeName)}
}

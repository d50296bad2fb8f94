package operator

import (
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/elastic/resize"
)

// stuck says whether a pod is on a node that does not answer, or is gone: whatever is asked of it, it stays for
// now. One that has ended does not.
func (o *Operator) stuck(pod *corev1.Pod) bool {
	ended := pod.Status.Phase == corev1.PodSucceeded || pod.Status.Phase == corev1.PodFailed
	return !ended && pod.Spec.NodeName != "" && o.nodeLost(pod.Spec.NodeName)
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
	if least, last := s.without(first, o.stuck); last && r.To <= least && least < r.From {
		return least, hindrance{}
	}
	return r.From, o.hampers(s.pods[first].pod)
}

// without is the size of a job without the workers from one on, and whether these are its last, all of them
// stuck.
func (s *subject) without(first int, stuck func(*corev1.Pod) bool) (size elastic.Workers, last bool) {
	rest := s.pods[first:]
	together := int(rest[len(rest)-1].index-rest[0].index) == len(rest)-1
	return elastic.Workers(rest[0].index), together && !slices.ContainsFunc(rest, func(w worker) bool { return !stuck(w.pod) })
}

// leftOver is how a plan sees a job of which some workers are written off: as large as what is left of it, and of
// one size only. It is false where nothing of that is so, or too few are left to train.
func (o *Operator) leftOver(s *subject, fewest resize.Workers) (has, size elastic.Workers, ok bool) {
	first := slices.IndexFunc(s.pods, func(w worker) bool { return o.writtenOff(w.pod) })
	if first < 0 || s.size() == 0 || s.active() != nil || s.job.Mode != resize.Live {
		return 0, 0, false
	}
	left := elastic.Workers(0)
	for _, w := range s.pods {
		if !o.writtenOff(w.pod) {
			left++
		}
	}
	if resize.Workers(left) < fewest {
		return 0, 0, false
	}
	if least, last := s.without(first, o.writtenOff); last && least < elastic.Workers(s.size()) {
		return elastic.Workers(s.size()), least, true
	}
	s.hampered = o.hampers(s.pods[first].pod)
	return left, left, true
}

// hampers is what to say of a job that has a worker which is stuck.
func (o *Operator) hampers(pod *corev1.Pod) hindrance {
	node := pod.Spec.NodeName
	if o.node(node) == nil {
		return hindrance{reasonStuck, fmt.Sprintf("%s is on node %s, which is gone: the job is not resized until the pod is gone as well.", pod.Name, node)}
	}
	return hindrance{reasonStuck, fmt.Sprintf("%s is on node %s, which does not answer: the job is not resized until that node is back. "+
		"If it is gone for good: kubectl delete node %s.", pod.Name, node, node)}
}

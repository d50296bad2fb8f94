package capacity

import (
	"cmp"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/takt-dev/takt/elastic"
)

// waits says whether a pod waits for GPUs: its scheduler says so, and has for a while, or has taken them from
// others for it already. Any pod can ask for GPUs, and many wait for something else, such as a volume that nobody
// has made.
func (o Options) waits(pod *corev1.Pod, now time.Time) bool {
	if pod.Spec.NodeName != "" || pod.Status.Phase != corev1.PodPending && pod.Status.Phase != "" ||
		pod.DeletionTimestamp != nil || len(pod.Spec.SchedulingGates) > 0 {
		return false
	}
	if pod.Spec.Priority != nil && *pod.Spec.Priority < o.MinPriority || pod.Spec.Priority == nil && o.MinPriority > 0 {
		return false
	}
	return pod.Status.NominatedNodeName != "" || o.lacks(pod, now)
}

// lacks says whether the scheduler of a pod has said for a while that no node has the GPUs for it.
func (o Options) lacks(pod *corev1.Pod, now time.Time) bool {
	since, lacks := o.LacksSince(pod)
	return lacks && now.Sub(since) >= o.After
}

// LacksSince is since when the scheduler of a pod has said that no node has the GPUs for it; false if it does not.
func (o Options) LacksSince(pod *corev1.Pod) (time.Time, bool) {
	name, gpus := o.gpus(&pod.Spec)
	for i := range pod.Status.Conditions {
		if c := &pod.Status.Conditions[i]; gpus > 0 && c.Type == corev1.PodScheduled {
			return c.LastTransitionTime.Time, c.Status == corev1.ConditionFalse && c.Reason == corev1.PodReasonUnschedulable &&
				strings.Contains(c.Message, "Insufficient "+string(name))
		}
	}
	return time.Time{}, false
}

// demand finds what pods outside of Takt wait for, the oldest first. Each waits for the pool that it
// has been nominated to, or else for the first that fits and has not been asked for all of its GPUs
// already. One that fits on no node, even if all that is ours went, waits for nothing that we have.
func (s *Supply) demand(pending []*corev1.Pod) {
	slices.SortFunc(pending, func(a, b *corev1.Pod) int {
		return cmp.Or(a.CreationTimestamp.Compare(b.CreationTimestamp.Time),
			cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Name, b.Name))
	})
	left, free, wanted := map[string]elastic.GPUs{}, map[string]elastic.GPUs{}, map[string]*elastic.Demand{}
	for _, n := range s.Nodes {
		left[n.Pool] += n.GPUs
		free[n.Pool] += elastic.GPUs(max(s.nodes[n.Name].free().gpus, 0))
	}
	for _, pod := range pending {
		nominated, known := s.PoolOf(pod.Status.NominatedNodeName)
		fitted := s.fittedOf(pod)
		fits := slices.DeleteFunc(slices.Clone(fitted.fits), func(f Fit) bool {
			return f.Capacity == 0 && (!known || f.Pool != nominated)
		})
		if len(fits) == 0 {
			continue
		}
		s.Waiting = append(s.Waiting, pod)
		gpus := GPUs(&pod.Spec, s.options)
		i := slices.IndexFunc(fits, func(f Fit) bool { return known && f.Pool == nominated })
		if i < 0 {
			i = slices.IndexFunc(fits, func(f Fit) bool { return left[f.Pool] >= gpus })
		}
		fit := fits[max(i, 0)]
		if free[fit.Pool] >= gpus { // on one node or here and there
			free[fit.Pool] -= gpus
			s.Roomy = append(s.Roomy, pod)
		}
		left[fit.Pool] -= gpus
		if wanted[fit.Pool] == nil {
			wanted[fit.Pool] = &elastic.Demand{Pool: fit.Pool}
		}
		d := wanted[fit.Pool]
		if d.GPUs += gpus; gpus > 1 || fitted.site != "" { // any other can use whatever is free
			d.Pods = append(d.Pods, elastic.Pod{GPUs: gpus, Site: fitted.site})
		}
	}
	for _, p := range s.pools {
		if d := wanted[p.name]; d != nil {
			s.Demands = append(s.Demands, *d)
		}
	}
}

// HasRoom says that there is room on one node for a pod that is not ours, as far as it asks for GPUs, CPU and memory.
func (s *Supply) HasRoom(pod *corev1.Pod) bool {
	return slices.ContainsFunc(s.fittedOf(pod).fits, func(f Fit) bool { return f.Room > 0 })
}

// fittedOf is where a pod fits that is not ours.
func (s *Supply) fittedOf(pod *corev1.Pod) fitting {
	template := corev1.PodTemplateSpec{ObjectMeta: metav1.ObjectMeta{Labels: pod.Labels}, Spec: pod.Spec}
	return s.fitted(Worker{Template: &template, Namespace: pod.Namespace})
}

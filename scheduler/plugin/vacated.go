package plugin

import (
	"maps"

	corev1 "k8s.io/api/core/v1"
	corev1helpers "k8s.io/component-helpers/scheduling/corev1"
	"k8s.io/klog/v2"
	fwk "k8s.io/kube-scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/framework"

	"github.com/takt-dev/takt/scheduler/gang"
)

// leaver is a pod that goes, or has gone, and whose node is kept for those that come after it.
type leaver struct {
	change gang.Change
	info   fwk.PodInfo
}

// keep notes what a pod takes whose node is kept. It is to be called with the lock held.
func (h *sharedState) keep(pod *corev1.Pod, change gang.Change) {
	uid := uidOf(pod)
	if _, known := h.leavers[uid]; known || !h.book.Leaves(uid, change) || !h.profiles.Has(pod.Spec.SchedulerName) {
		return // what another scheduler has placed, it places again
	}
	info, err := framework.NewPodInfo(pod)
	if err != nil {
		klog.ErrorS(err, "What a pod leaves cannot be kept for its job", "pod", klog.KObj(pod))
		return
	}
	h.leavers[uid] = leaver{change, info}
}

// forgetLeavers drops those whose nodes are not kept any more, and says whether they may have been in the way of
// others. It is to be called with the lock held.
func (h *sharedState) forgetLeavers() bool {
	before := len(h.leavers)
	maps.DeleteFunc(h.leavers, func(uid gang.UID, l leaver) bool { return !h.book.Leaves(uid, l.change) })
	freed := len(h.leavers) < before && h.keptFrom
	h.keptFrom = h.keptFrom && len(h.leavers) > 0
	return freed
}

// kept is what is kept on nodes for the jobs of pods that have left them, as a pod of another job sees it.
type kept struct {
	takes  fwk.Resource // that pod
	leaves map[string][]fwk.PodInfo
}

func (k *kept) Clone() fwk.StateData { return k }

const keptKey fwk.StateKey = "takt.dev/kept"

// keptIn is what is kept from the pod of a cycle; nil if nothing is.
func keptIn(state fwk.CycleState) *kept {
	if stored, err := state.Read(keptKey); err == nil {
		return stored.(*kept)
	}
	return nil
}

// keepFrom notes what is kept from a pod in its cycle. Its own job may have it, and so may who is more important than
// who had it.
func (t *Takt) keepFrom(state fwk.CycleState, pod *corev1.Pod) (*fwk.PreFilterResult, *fwk.Status) {
	t.mu.Lock()
	nothing := len(t.leavers) == 0
	t.mu.Unlock()
	if nothing { // as a rule
		return nil, fwk.NewStatus(fwk.Skip)
	}
	k := &kept{leaves: map[string][]fwk.PodInfo{}}
	member, change, priority := t.member(pod), read(pod).Change, corev1helpers.PodPriority(pod)
	t.mu.Lock()
	for _, l := range t.leavers {
		old := l.info.GetPod()
		if own := member && change.SameJob(l.change); !own && priority <= corev1helpers.PodPriority(old) {
			k.leaves[old.Spec.NodeName] = append(k.leaves[old.Spec.NodeName], l.info)
		}
	}
	t.keptFrom = t.keptFrom || len(k.leaves) > 0
	t.mu.Unlock()
	if len(k.leaves) == 0 {
		return nil, fwk.NewStatus(fwk.Skip)
	}
	info, err := framework.NewPodInfo(pod)
	if err != nil {
		return nil, fwk.AsStatus(err)
	}
	k.takes = info.CalculateResource().Resource
	state.Write(keptKey, k)
	return nil, nil
}

// on is a node as if those were still there for whom it is kept.
func (k *kept) on(info fwk.NodeInfo) fwk.NodeInfo {
	if k == nil || info.Node() == nil || len(k.leaves[info.Node().Name]) == 0 {
		return info
	}
	there := map[gang.UID]bool{}
	for _, pod := range info.GetPods() {
		there[uidOf(pod.GetPod())] = true
	}
	full := info.Snapshot()
	for _, leaver := range k.leaves[info.Node().Name] {
		if !there[uidOf(leaver.GetPod())] {
			full.AddPodInfo(leaver)
		}
	}
	return full
}

// refuses says that a node has no room for the pod beside what is kept there. Nobody is preempted there for that
// meanwhile: it passes in a moment.
func (k *kept) refuses(info fwk.NodeInfo) *fwk.Status {
	if full := k.on(info); full != info && fits(k.takes, full) == 0 {
		return fwk.NewStatus(fwk.UnschedulableAndUnresolvable, "what is free is kept for a job that is being resized")
	}
	return nil
}

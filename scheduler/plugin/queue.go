package plugin

import (
	"context"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/klog/v2"
	fwk "k8s.io/kube-scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/framework"

	"github.com/takt-dev/takt/scheduler/gang"
	"github.com/takt-dev/takt/scheduler/order"
	"github.com/takt-dev/takt/scheduler/settings"
)

var (
	_ fwk.QueueSortPlugin   = &Takt{}
	_ fwk.EnqueueExtensions = &Takt{}
	_ fwk.SignPlugin        = &Takt{}
)

// Less sorts by the priority of the pods, as kube-scheduler does, and then by who is due first. Of gangs that
// are due at the same time one comes after the other: each is tried when those before it have come through,
// and not all of them before anyone has.
func (t *Takt) Less(a, b fwk.QueuedEntityInfo) bool {
	if p, q := a.GetPriority(), b.GetPriority(); p != q {
		return p > q
	}
	p, ours := t.urgencyOf(a)
	q, theirs := t.urgencyOf(b)
	if ours != (gang.Change{}) || theirs != (gang.Change{}) {
		if p, q := t.urgency.Due(p), t.urgency.Due(q); !p.Equal(q) {
			return p.Before(q)
		}
		if order := ours.Compare(theirs); order != 0 {
			return order < 0
		}
	}
	return a.GetTimestamp().Before(b.GetTimestamp())
}

// urgencyOf is how urgent something in the queue is, and of which change it is; of none, if no Resize speaks for it.
// Pods of none, and gangs of Kubernetes' own, are among themselves in the order in which they came, or were last tried.
func (t *Takt) urgencyOf(e fwk.QueuedEntityInfo) (urgency order.Urgency, of gang.Change) {
	known := false
	if info, is := e.(*framework.QueuedPodInfo); is && t.member(info.Pod) {
		t.mu.Lock()
		urgency, of, known = t.book.Urgency(uidOf(info.Pod))
		t.mu.Unlock()
	}
	if !known {
		urgency.Since = e.GetTimestamp()
	}
	return urgency, of
}

// EventsToRegister says after what those that speak for gangs are worth another try: where room was made, or
// something that another plugin may have missed. Those of Resizes are brought into the queue all at once then, without
// the back-off that kube-scheduler has for pods it has tried before: who comes out of that first is not
// who is most urgent. That a pod of its own has changed, or its Resize, a gang sees by itself.
func (t *Takt) EventsToRegister(context.Context) ([]fwk.ClusterEventWithHint, error) {
	if profile := t.handle.ProfileName(); !t.gated.Has(profile) {
		return nil, lacks(profile, settings.Plugin, settings.Gate)
	}
	if err := askedFirst(t.handle); err != nil {
		return nil, err
	}
	always := func(*corev1.Pod) bool { return true }
	const every = fwk.Add | fwk.Update | fwk.Delete
	var all []fwk.ClusterEventWithHint
	for _, on := range []struct {
		resource fwk.EventResource
		action   fwk.ActionType
		concerns func(*corev1.Pod) bool
	}{
		{fwk.AssignedPod, fwk.Delete | fwk.UpdatePodScaleDown, always},
		{fwk.AssignedPod, fwk.Add | fwk.UpdatePodLabel, mindsOtherPods},
		{fwk.Node,
			fwk.Add | fwk.UpdateNodeAllocatable | fwk.UpdateNodeLabel | fwk.UpdateNodeTaint | fwk.UpdateNodeDeclaredFeature,
			always},
		{fwk.PersistentVolumeClaim, fwk.Add | fwk.Update, always},
		{fwk.PersistentVolume, fwk.Add | fwk.Update, always},
		{fwk.StorageClass, fwk.Add | fwk.Update, always},
		{fwk.CSINode, fwk.Add | fwk.Update, always},
		{fwk.CSIStorageCapacity, fwk.Add | fwk.Update, always},
		{fwk.VolumeAttachment, fwk.Delete, always},
		{fwk.ResourceClaim, every, always},
		{fwk.ResourceSlice, fwk.Add | fwk.Update, always},
		{fwk.DeviceClass, fwk.Add | fwk.Update, always},
	} {
		all = append(all, fwk.ClusterEventWithHint{
			Event: fwk.ClusterEvent{Resource: on.resource, ActionType: on.action},
			QueueingHintFn: func(_ klog.Logger, pod *corev1.Pod, _, _ any) (fwk.QueueingHint, error) {
				if !on.concerns(pod) {
					return fwk.QueueSkip, nil
				}
				return t.roomFor(pod), nil
			},
		})
	}
	return all, nil
}

// mindsOtherPods says that it matters to a pod where others are: only such a one is helped by others that come.
func mindsOtherPods(pod *corev1.Pod) bool {
	a := pod.Spec.Affinity
	return a != nil && (a.PodAffinity != nil || a.PodAntiAffinity != nil) || len(pod.Spec.TopologySpreadConstraints) > 0
}

// roomFor notes that a pod is worth another try, if it speaks for a gang. One that no Resize speaks for comes back when
// kube-scheduler lets it: nobody may be tried sooner than plain pods for what is written on his own. So do those, which
// what is kept for a job may have been in the way of.
func (t *Takt) roomFor(pod *corev1.Pod) fwk.QueueingHint {
	t.mu.Lock()
	defer t.mu.Unlock()
	switch uid := uidOf(pod); {
	case !t.book.Knows(uid) && len(t.leavers) > 0:
		return fwk.Queue
	case !t.book.Speaks(uid):
		return fwk.QueueSkip
	case !t.book.Vouched(uid):
		return fwk.Queue
	}
	if len(t.room) == 0 {
		t.roomNews = time.Now()
		time.AfterFunc(moment, t.nudge)
	}
	t.room[uidOf(pod)] = true
	return fwk.QueueSkip
}

// SignPod keeps the members of gangs out of what kube-scheduler does for many like pods at a time: each
// has a node of its own. To the others the plugin adds nothing that is not in their resources already.
func (t *Takt) SignPod(_ context.Context, pod *corev1.Pod) ([]fwk.SignFragment, *fwk.Status) {
	if t.member(pod) {
		return nil, fwk.NewStatus(fwk.Unschedulable, "a pod of a gang is placed by its plan")
	}
	return nil, nil
}

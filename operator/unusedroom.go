package operator

import (
	"context"
	"encoding/json"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/log"

	"github.com/takt-dev/takt/operator/capacity"
)

// unusedAnnotation is on a pod that Takt does not look after: when it was found not to use the room that was made for it.
// A process that did not know would take GPUs from jobs for it again.
const unusedAnnotation = "takt.dev/room-unused"

// foundUnused is when a pod was found not to use its room. What is on a copy of such a pod was written of another.
func foundUnused(pod *corev1.Pod) (time.Time, bool) {
	at, err := time.Parse(time.RFC3339, pod.Annotations[unusedAnnotation])
	return at, err == nil && !at.Before(pod.CreationTimestamp.Time)
}

// recall takes from the pods, once, what a process before this one has found.
func (u *outsiders) recall(all []*corev1.Pod) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.of != nil {
		return
	}
	u.of = map[types.UID]*roomUse{}
	for _, pod := range all {
		if at, found := foundUnused(pod); found && pod.Spec.NodeName == "" {
			u.of[origin(pod)] = &roomUse{since: at, idle: true, seen: at}
		}
	}
	for _, pod := range all { // those that came later count as new ones
		if w := u.of[origin(pod)]; w != nil && pod.Spec.NodeName != "" && !pod.CreationTimestamp.After(w.since) {
			w.placed++
		}
	}
}

// roomSince is since when a pod, of which this process has known nothing so far, has had its room, as far as the records of
// resizes tell. They do not tell what else has made room, so part of the time begins anew.
func (o *Operator) roomSince(sc *scene) func(*corev1.Pod) time.Time {
	within := o.settings.Outsiders.UsedWithin.Duration
	made := sc.at.Add(-within + within/4)
	for _, s := range sc.subjects {
		for _, r := range s.past {
			switch end := ending(r); {
			case r.Spec.To >= r.Spec.From:
			case end == nil:
				made = sc.at
			default:
				made = later(made, end.LastTransitionTime.Time)
			}
		}
	}
	return func(pod *corev1.Pod) time.Time {
		lacks, _ := o.gpus.LacksSince(pod)
		if since := later(made, lacks); since.Before(sc.at) {
			return since
		}
		return sc.at
	}
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// noteOutsiders remembers which pods do not use the room that they have, and tells them that it is kept no longer.
// The plan that follows hears of it as well.
func (o *Operator) noteOutsiders(ctx context.Context, sc *scene, cluster capacity.Cluster) {
	within := o.settings.Outsiders.UsedWithin.Duration
	for _, pod := range o.outsiders.note(sc.at, within, o.roomSince(sc), sc.supply.Roomy, cluster.Pods) {
		o.events.tell(pod, corev1.EventTypeNormal, "RoomUnused",
			"Takt has kept GPUs free for this pod for %s, and it has not used them. It waits for something else, so its GPUs go to jobs of Takt again.", span(within))
		if err := o.keepUnused(ctx, pod, sc.at); client.IgnoreNotFound(err) != nil {
			// Until this process ends it is known anyway.
			log.FromContext(ctx).V(1).Info("Could not keep on a pod that it does not use its room", "pod", client.ObjectKeyFromObject(pod), "err", err.Error())
		}
	}
}

// keepUnused writes on a pod that it does not use its room.
func (o *Operator) keepUnused(ctx context.Context, pod *corev1.Pod, at time.Time) error {
	patch, err := json.Marshal(map[string]any{"metadata": map[string]any{
		"uid": pod.UID, "annotations": map[string]string{unusedAnnotation: at.UTC().Format(time.RFC3339)},
	}})
	if err != nil {
		return err
	}
	return o.client.Patch(ctx, pod.DeepCopy(), client.RawPatch(types.MergePatchType, patch))
}

package plugin

import (
	"context"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/scheduler/gang"
	"github.com/takt-dev/takt/scheduler/order"
)

// listResizes is how long everybody waits at the start for the Resizes to be known: there may be none of that kind.
const listResizes = 5 * time.Second

// watch keeps the book up to date.
func (h *sharedState) watch(ctx context.Context, client rest.Interface) error {
	informers := h.handle.SharedInformerFactory().Core().V1()
	pods, err := informers.Pods().Informer().AddEventHandler(handler(h.saw, h.gone))
	if err != nil {
		return fmt.Errorf("watching pods: %w", err)
	}
	nothing := func(*corev1.Node) {}
	nodeGone := func(node *corev1.Node) {
		h.with(func(b *gang.Book, now time.Time) { b.NodeGone(node.Name, now) })
	}
	if _, err := informers.Nodes().Informer().AddEventHandler(handler(nothing, nodeGone)); err != nil {
		return fmt.Errorf("watching nodes: %w", err)
	}
	resizes, err := resizeInformer(client, func(err error) { h.unread.Store(unreadable(err)) })
	if err != nil {
		return fmt.Errorf("watching Resizes: %w", err)
	}
	records, err := resizes.AddEventHandler(handler(h.recorded, h.erased))
	if err != nil {
		return fmt.Errorf("watching Resizes: %w", err)
	}
	var since time.Time
	h.listed = func() bool {
		if !pods.HasSynced() {
			return false
		}
		if since.IsZero() {
			since = time.Now()
		}
		return records.HasSynced() || time.Since(since) > listResizes
	}
	go resizes.RunWithContext(ctx)
	return nil
}

// handler tells of objects as they are, and of those that are gone. One that has come in place of another of
// the same name, while nobody watched, is told as its successor.
func handler[T any](is, gone func(*T)) cache.ResourceEventHandler {
	as := func(object any, do func(*T)) {
		if last, lost := object.(cache.DeletedFinalStateUnknown); lost {
			object = last.Obj
		}
		if typed, ok := object.(*T); ok {
			do(typed)
		}
	}
	return cache.ResourceEventHandlerFuncs{
		AddFunc: func(object any) { as(object, is) },
		UpdateFunc: func(old, object any) {
			if old.(metav1.Object).GetUID() != object.(metav1.Object).GetUID() {
				as(old, gone)
			}
			as(object, is)
		},
		DeleteFunc: func(object any) { as(object, gone) },
	}
}

// saw notes a pod. One that has yet to be placed by another scheduler is not ours. One that has come to its node as a
// member is one for as long as it is there.
func (h *sharedState) saw(pod *corev1.Pod) {
	h.mu.Lock()
	stays := h.book.Bound(uidOf(pod))
	h.mu.Unlock()
	if !stays && !h.member(pod) {
		h.gone(pod) // it may have been one
		return
	}
	h.with(func(_ *gang.Book, now time.Time) { h.note(pod, now) })
}

// note is what saw does with the lock held: a pod that is buried meanwhile must not come back.
func (h *sharedState) note(pod *corev1.Pod, now time.Time) {
	_, ghost := h.buried[uidOf(pod)]
	ours := !ghost && (pod.Spec.NodeName != "" || h.profiles.Has(pod.Spec.SchedulerName))
	if pod.Spec.NodeName == "" && ours {
		h.pods[uidOf(pod)] = pod
	} else {
		delete(h.pods, uidOf(pod))
	}
	if ours {
		p := read(pod)
		h.book.Saw(p, now)
		h.keep(pod, p.Change)
	}
}

// gone notes that there is no such pod any more, or that it is not ours any more.
func (h *sharedState) gone(pod *corev1.Pod) {
	h.mu.Lock()
	known := h.book.Knows(uidOf(pod)) || h.member(pod)
	h.mu.Unlock()
	if !known {
		return
	}
	h.with(func(b *gang.Book, now time.Time) {
		h.buried[uidOf(pod)] = now
		delete(h.pods, uidOf(pod))
		delete(h.wake, uidOf(pod))
		delete(h.room, uidOf(pod))
		b.Gone(uidOf(pod), now)
		h.keep(pod, read(pod).Change)
	})
}

func (h *sharedState) recorded(r *v1alpha1.Resize) {
	record := recordOf(r)
	h.unread.Store("")
	h.with(func(b *gang.Book, now time.Time) { b.Recorded(changeOf(r), record, now) })
	if record.Over {
		h.reports.finish(changeOf(r))
	}
}

func (h *sharedState) erased(r *v1alpha1.Resize) {
	h.with(func(b *gang.Book, now time.Time) { b.Erased(changeOf(r), now) })
	h.reports.forget(changeOf(r))
}

func changeOf(r *v1alpha1.Resize) gang.Change {
	return gang.Change{Namespace: r.Namespace, Job: r.Spec.ElasticJob, Epoch: r.Spec.Epoch}
}

// abandoned is how long an operator that is down may take to come back: a Resize of which nothing is written for
// so long, beside the time that it has to be placed, counts as abandoned. No step of a resize takes as long by
// default: an hour, for pods that their nodes prepare.
const abandoned = 75 * time.Minute

// recordOf is a Resize as the book knows it.
func recordOf(r *v1alpha1.Resize) gang.Record {
	record := gang.Record{
		Pods:    int(max(r.Spec.From, r.Spec.To)),
		Kept:    int(min(r.Spec.From, r.Spec.To)),
		Urgency: order.Urgency{Since: r.CreationTimestamp.Time}, Until: r.CreationTimestamp.Time,
	}
	if r.Spec.To < r.Spec.From {
		record.Leaving = int(r.Spec.To)
	}
	record.Anew = r.Spec.Mode == v1alpha1.ResizeCold && record.Kept > 0
	for _, c := range r.Status.Conditions {
		if at := c.LastTransitionTime.Time; at.After(record.Until) {
			record.Until = at
		}
		switch c.Type {
		case v1alpha1.ConditionSucceeded:
			record.Over = true
			if r.Spec.To > 0 { // it has as many now; else the pods that it had are all gone
				record.Pods = int(settled(r))
			}
		case v1alpha1.ConditionRolledBack, v1alpha1.ConditionFailed:
			record.Over = true
		case v1alpha1.ConditionRollingBack:
			record.TurnedRound = true
		}
	}
	record.Until = record.Until.Add(abandoned)
	if within := r.Spec.PlaceWithinSeconds; within != nil {
		record.Until = record.Until.Add(time.Duration(*within) * time.Second)
	}
	if record.Over {
		record.Until = time.Time{}
	}
	record.Fewer = int(r.Spec.To - settled(r))
	if p := r.Spec.Priority; p != nil {
		record.Urgency.Priority = int(*p)
	}
	if at, err := r.Spec.WaitingSince.Time(); err == nil && at.Before(record.Urgency.Since) {
		record.Urgency.Since = at
	}
	if at, err := r.Spec.StartBy.Time(); err == nil {
		record.Urgency.StartBy = at
	}
	return record
}

// settled is the size that a resize is for, or has settled for.
func settled(r *v1alpha1.Resize) int32 {
	if asked := r.Status.Asked; asked != nil {
		return *asked
	}
	return r.Spec.To
}

// ofUID is all that the scheduler looks at where it forgets for which node a pod was meant.
func ofUID(uid gang.UID) metav1.ObjectMeta { return metav1.ObjectMeta{UID: types.UID(uid)} }

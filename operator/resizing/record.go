package resizing

import (
	"cmp"
	"context"
	"math"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/takt-dev/takt/agent/contract"
	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic/resize"
	"github.com/takt-dev/takt/operator/memory"
	"github.com/takt-dev/takt/operator/progress"
	"github.com/takt-dev/takt/operator/view"
	"github.com/takt-dev/takt/operator/wrapping"
)

// Observed is what the next step of a Resize depends on.
func (z *Resizer) Observed(ctx context.Context, s *view.Subject, r *v1alpha1.Resize) resize.Observed {
	now := z.Now()
	observed := resize.Observed{
		Now:    now,
		Record: view.Record(r),
		Job: resize.Job{
			Workers: s.Job.Size, Suspended: s.Job.Suspended, State: s.State(), Asked: s.Job.Asked, Bare: bare(s),
			AtItsEnd: s.Job.AtItsEnd, HeldBack: s.HeldBack(),
		},
		Newest: resize.Epoch(r.Spec.Epoch),
		Limits: z.Limits,
	}
	if s.Kind != nil {
		observed.Job.Controller = s.Kind.Words().Controller
	}
	if s.Object == nil {
		observed.Job.State = resize.JobDeleted
	}
	if within := r.Spec.PlaceWithinSeconds; within != nil {
		observed.Limits = observed.Limits.PlacedWithin(time.Duration(*within) * time.Second)
	}
	if newest := s.Past; len(newest) > 0 {
		observed.Newest = max(observed.Newest, resize.Epoch(newest[len(newest)-1].Spec.Epoch))
	}
	observed.Withdrawn, observed.UnplannedSince = r.Annotations[view.WithdrawnAnnotation], z.unplannedSince(now)
	observed.Agent = allWrapped(s)
	for _, w := range s.Pods {
		pod := z.PodSeen(ctx, w, s.Job.Container)
		pod.Waits, pod.Prepared = cmp.Or(s.WaitsWith(w.Pod, now), pod.Waits), s.Prepared(w.Pod, now)
		observed.Pods = append(observed.Pods, pod)
	}
	if s.Known != nil {
		observed.Progress, observed.Checkpoint = s.Known.Run.Progress(), s.Known.Run.Checkpoint()
		observed.Progress.WatchedSince, observed.Progress.Heard = z.watchedSince(s, now), s.Known.Heard()
		observed.Progress.SeenAt = s.Known.SeenAt()
	}
	observed.Job.Asked.At = askedAt(s.Job.Asked, r, now)
	z.seeRefusal(ctx, s, &observed)
	name := client.ObjectKeyFromObject(r) // the record itself changes while agents are asked
	z.hear(ctx, s, &observed, func() { z.Again(name) })
	return observed
}

// unplannedSince is when this process began that has made no plan yet; zero once it has.
func (z *Resizer) unplannedSince(now time.Time) time.Time {
	if z.Planned() {
		return time.Time{}
	}
	z.began.CompareAndSwap(nil, &now)
	return *z.began.Load()
}

// askedAt is when a job was asked for a size. Whoever may write on the job may date that: what is yet to come was not
// asked then, and nobody waits for as long as that. It was asked after what the record tells up to now.
func askedAt(asked resize.Ask, r *v1alpha1.Resize, now time.Time) time.Time {
	if !asked.At.After(now.Add(view.AheadAtMost)) {
		return asked.At
	}
	at := r.CreationTimestamp.Time
	for _, c := range r.Status.Conditions {
		if c.LastTransitionTime.After(at) && !c.LastTransitionTime.After(now) {
			at = c.LastTransitionTime.Time
		}
	}
	return at
}

// watchedSince is since when the training has been watched. Where nobody trains no look is overdue, nor for an
// ElasticJob whose job is another's.
func (z *Resizer) watchedSince(s *view.Subject, now time.Time) time.Time {
	gap := memory.Unwatched(z.Settings.Progress.Every.Duration, z.Settings.Progress.Timeout.Duration,
		z.Limits.VerifyWithin)
	if s.Taken != nil || len(s.Running()) == 0 {
		gap = math.MaxInt64
	}
	return s.Known.WatchedSince(now, gap)
}

// PodSeen is how far a worker has come, whose container that trains is usually called so. Without the agent there is no
// barrier: a pod that runs trains.
func (z *Resizer) PodSeen(ctx context.Context, w view.Worker, container string) resize.Pod {
	pod := resize.Pod{
		Index: w.Index, Node: w.Pod.Spec.NodeName, CreatedAt: w.Pod.CreationTimestamp.Time,
		Draining:  w.Pod.Annotations[v1alpha1.DrainingAnnotation] != "",
		MarkedAt:  toldAt(w.Pod, contract.DrainingAnnotation, z.Now()),
		ToldAside: toldAt(w.Pod, contract.StepAsideAnnotation, z.Now()),
		Wrapped:   w.Pod.Annotations[v1alpha1.AgentAnnotation] == wrapping.Injected,
	}
	why, _ := wrapping.Hindered(w.Pod, z.Limits.ReadyWithin, z.Now())
	pod.Hindered, pod.Waits = why != "", why
	trains := statusOf(w.Pod, progress.Trainer(w.Pod, container))
	if trains != nil && trains.State.Running != nil {
		pod.RanAt = trains.State.Running.StartedAt.Time
	}
	lost, _ := z.View.WorkerLost(ctx, w.Pod, z.Now())
	switch phase := w.Pod.Status.Phase; {
	case w.Pod.DeletionTimestamp != nil:
		pod.State, pod.GoneBy = resize.PodTerminating, w.Pod.DeletionTimestamp.Time
	case phase == corev1.PodFailed:
		pod.State = resize.PodFailed
	case w.Pod.Spec.NodeName == "":
		pod.State, pod.Unplaced = resize.PodHeld, view.Unplaced(w.Pod) != nil
	case lost:
		pod.State = resize.PodLost
	case phase == corev1.PodPending:
		pod.State = resize.PodPending
	case wrapping.Waits(w.Pod):
		pod.State = resize.PodAtBarrier
	default:
		pod.State, pod.LetIn = resize.PodTraining, true
		pod.BeganAt = began(trains, z.Now())
	}
	return pod
}

// statusOf is what is kept of a container; nil if that is nothing.
func statusOf(pod *corev1.Pod, container string) *corev1.ContainerStatus {
	for i := range pod.Status.ContainerStatuses {
		if c := &pod.Status.ContainerStatuses[i]; c.Name == container {
			return c
		}
	}
	return nil
}

// began is when a container has begun anew at last. One that waits to be started again is about to; zero is that it has
// never fallen.
func began(c *corev1.ContainerStatus, now time.Time) time.Time {
	switch {
	case c == nil || c.RestartCount == 0:
		return time.Time{}
	case c.State.Running != nil:
		return c.State.Running.StartedAt.Time
	}
	return now
}

// note adds a line to the record, as the core asks for it. One that the job itself tells of is as old as that.
func note(r *v1alpha1.Resize, step resize.Step, now time.Time) {
	now = inOrder(r, now)
	if !step.Since.IsZero() {
		now = step.Since
	}
	r.Status.ObservedGeneration = r.Generation
	r.Status.Conditions = append(r.Status.Conditions, metav1.Condition{
		Type: string(step.Condition), Status: metav1.ConditionTrue, ObservedGeneration: r.Generation,
		LastTransitionTime: metav1.NewTime(now), Reason: string(step.Reason), Message: step.Message,
	})
	if pause := readable(step.Cost.Pause); step.Cost.Measured || pause > 0 {
		r.Status.Cost.Pause = v1alpha1.NewDuration(pause)
	}
	if lost := readable(step.Cost.Lost); step.Cost.Measured || lost > 0 {
		r.Status.Cost.Lost = v1alpha1.NewDuration(lost)
	}
}

// inOrder is a moment for the next line of a record. It is not before the last line where clocks alone can have made it
// so. A line from further ahead was dated by a clock that is wrong: what is waited for would come as much later by it.
func inOrder(r *v1alpha1.Resize, now time.Time) time.Time {
	last := r.CreationTimestamp.Time
	for _, c := range r.Status.Conditions {
		if c.LastTransitionTime.After(last) {
			last = c.LastTransitionTime.Time
		}
	}
	if last.After(now) && !last.After(now.Add(view.AheadAtMost)) {
		return last
	}
	return now
}

// readable is a span as exact as people want it: 2.5s, 35s, 2m10s.
func readable(d time.Duration) time.Duration {
	if d < 10*time.Second {
		return d.Round(100 * time.Millisecond)
	}
	return d.Round(time.Second)
}

// gangPods are the new pods of a Resize, for people to see.
func gangPods(s *view.Subject, r *v1alpha1.Resize) []v1alpha1.GangPod {
	var pods []v1alpha1.GangPod
	for _, w := range s.Pods {
		if w.Pod.DeletionTimestamp != nil || r.Spec.To <= r.Spec.From && r.Spec.Mode == v1alpha1.ResizeLive {
			continue
		}
		if r.Spec.Mode == v1alpha1.ResizeLive && int32(w.Index) < r.Spec.From {
			continue
		}
		pods = append(pods, v1alpha1.GangPod{
			Name: w.Pod.Name, Node: w.Pod.Spec.NodeName, Ready: w.Pod.Status.Phase == corev1.PodRunning,
		})
	}
	return pods
}

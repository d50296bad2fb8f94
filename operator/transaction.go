package operator

import (
	"math"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic/resize"
)

// saveAnnotation on a pod asks the agent in it for a checkpoint.
const saveAnnotation = "takt.dev/save"

// withdrawnAnnotation on a Resize says why it is to be given up: a newer decision does without it.
const withdrawnAnnotation = "takt.dev/withdrawn"

// observed is what the next step of a Resize depends on.
func (o *Operator) observed(s *subject, r *v1alpha1.Resize) resize.Observed {
	now := o.now()
	observed := resize.Observed{
		Now:    now,
		Record: record(r),
		Job: resize.Job{
			Workers: s.job.Size, Suspended: s.job.Suspended, State: s.state(), Asked: s.job.Asked,
		},
		Newest: resize.Epoch(r.Spec.Epoch),
		Limits: o.limits,
	}
	if s.object == nil {
		observed.Job.State = resize.JobDeleted
	}
	if within := r.Spec.PlaceWithinSeconds; within != nil {
		observed.Limits.PlaceWithin = time.Duration(*within) * time.Second
		observed.Limits.SettleAfter = min(observed.Limits.SettleAfter, observed.Limits.PlaceWithin-1)
	}
	if newest := s.past; len(newest) > 0 {
		observed.Newest = max(observed.Newest, resize.Epoch(newest[len(newest)-1].Spec.Epoch))
	}
	if r.Annotations[withdrawnAnnotation] != "" {
		observed.Newest = max(observed.Newest, resize.Epoch(r.Spec.Epoch)+1)
	}
	for _, w := range s.pods {
		observed.Agent = observed.Agent || w.pod.Annotations[v1alpha1.AgentAnnotation] != ""
		observed.Pods = append(observed.Pods, o.podSeen(w))
	}
	if s.known != nil {
		observed.Progress, observed.Checkpoint = s.known.Run.Progress(), s.known.Run.Checkpoint()
		observed.Progress.WatchedSince, observed.Progress.Heard = o.watchedSince(s, now), s.known.Heard()
	}
	return observed
}

// watchedSince is since when the training has been watched. Where nobody trains no look is overdue, nor for an
// ElasticJob whose job is another's.
func (o *Operator) watchedSince(s *subject, now time.Time) time.Time {
	gap := o.unwatched(o.settings.Progress.Every.Duration)
	if s.taken != nil || len(s.running()) == 0 {
		gap = math.MaxInt64
	}
	return s.known.WatchedSince(now, gap)
}

// podSeen is how far a worker has come. Without the agent there is no barrier: a pod that runs
// trains.
func (o *Operator) podSeen(w worker) resize.Pod {
	pod := resize.Pod{
		Index: w.index, Node: w.pod.Spec.NodeName, CreatedAt: w.pod.CreationTimestamp.Time,
		Draining: w.pod.Annotations[v1alpha1.DrainingAnnotation] != "",
	}
	switch phase := w.pod.Status.Phase; {
	case w.pod.DeletionTimestamp != nil:
		pod.State = resize.PodTerminating
	case phase == corev1.PodFailed:
		pod.State = resize.PodFailed
	case w.pod.Spec.NodeName == "":
		pod.State = resize.PodHeld
	case o.nodeLost(w.pod.Spec.NodeName):
		pod.State = resize.PodLost
	case phase == corev1.PodPending:
		pod.State = resize.PodPending
	case w.pod.Annotations[v1alpha1.AgentAnnotation] != "" && w.pod.Annotations[v1alpha1.LetInAnnotation] == "":
		pod.State = resize.PodAtBarrier
	default:
		pod.State, pod.LetIn = resize.PodTraining, true
	}
	return pod
}

// record is a Resize as the core knows it.
func record(r *v1alpha1.Resize) resize.Record {
	rec := resize.Record{
		Epoch: resize.Epoch(r.Spec.Epoch), From: resize.Workers(r.Spec.From), To: resize.Workers(r.Spec.To),
		Mode: resize.Mode(r.Spec.Mode), Why: string(r.Spec.Reason),
		Placement: resize.Placement{Fits: resize.Workers(r.Status.Placement.Fits), Message: r.Status.Placement.Message},
	}
	if r.Spec.Acceptable != nil {
		rec.Acceptable = resize.Workers(*r.Spec.Acceptable)
	}
	if at, err := r.Status.Placement.ObservedAt.Time(); err == nil {
		rec.Placement.At = at
	}
	for _, c := range r.Status.Conditions {
		rec.Conditions = append(rec.Conditions, resize.Condition{
			Type: resize.ConditionType(c.Type), At: c.LastTransitionTime.Time,
			Reason: resize.Reason(c.Reason), Message: c.Message,
		})
	}
	return rec
}

// note adds a line to the record, as the core asks for it. One that the job itself tells of is as old as that.
func note(r *v1alpha1.Resize, step resize.Step, now time.Time) {
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

// readable is a span as exact as people want it: 2.5s, 35s, 2m10s.
func readable(d time.Duration) time.Duration {
	if d < 10*time.Second {
		return d.Round(100 * time.Millisecond)
	}
	return d.Round(time.Second)
}

// gangPods are the new pods of a Resize, for people to see.
func gangPods(s *subject, r *v1alpha1.Resize) []v1alpha1.GangPod {
	var pods []v1alpha1.GangPod
	for _, w := range s.pods {
		if w.pod.DeletionTimestamp != nil || r.Spec.To <= r.Spec.From && r.Spec.Mode == v1alpha1.ResizeLive {
			continue
		}
		if r.Spec.Mode == v1alpha1.ResizeLive && int32(w.index) < r.Spec.From {
			continue
		}
		pods = append(pods, v1alpha1.GangPod{
			Name: w.pod.Name, Node: w.pod.Spec.NodeName, Ready: w.pod.Status.Phase == corev1.PodRunning,
		})
	}
	return pods
}

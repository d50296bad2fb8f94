package changes

import (
	"maps"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/operator/capacity"
	"github.com/takt-dev/takt/operator/kind"
	"github.com/takt-dev/takt/operator/kind/known"
	"github.com/takt-dev/takt/operator/progress"
	"github.com/takt-dev/takt/operator/shorthand"
)

// Always says that any change matters.
func Always(any, any) bool { return true }

// GenerationMatters says that what is asked for has changed, or that the object is to go.
func GenerationMatters(before, after any) bool {
	a, b, ok := Both[client.Object](before, after)
	return !ok || a.GetGeneration() != b.GetGeneration() ||
		(a.GetDeletionTimestamp() == nil) != (b.GetDeletionTimestamp() == nil)
}

// ElasticJobMatters says that what is asked for has changed, or that a job has ended, or was suspended by somebody,
// which those wait for that start after it.
func ElasticJobMatters(before, after any) bool {
	a, b, ok := Both[*v1alpha1.ElasticJob](before, after)
	if !ok || GenerationMatters(a, b) {
		return true
	}
	for _, kind := range []string{v1alpha1.ConditionSucceeded, v1alpha1.ConditionFailed} {
		if meta.IsStatusConditionTrue(a.Status.Conditions, kind) != meta.IsStatusConditionTrue(b.Status.Conditions, kind) {
			return true
		}
	}
	return a.Status.SuspendedByUser() != b.Status.SuspendedByUser()
}

// LabelsMatter says that the labels have changed.
func LabelsMatter(before, after any) bool {
	a, b, ok := Both[client.Object](before, after)
	return !ok || !maps.Equal(a.GetLabels(), b.GetLabels())
}

// NodeMatters says that a node offers something else than before, or that it is told to go, or not any more.
func NodeMatters(o capacity.Options) func(before, after any) bool {
	return func(before, after any) bool {
		a, b, ok := Both[*corev1.Node](before, after)
		return !ok || offersElse(a, b) || leaves(a, o) != leaves(b, o)
	}
}

// NodeLeaves says that there is notice that a node goes, and was none before.
func NodeLeaves(o capacity.Options) func(before, after any) bool {
	return func(before, after any) bool {
		a, hadOne := before.(*corev1.Node)
		b, ok := after.(*corev1.Node)
		return ok && leaves(b, o) && (!hadOne || !leaves(a, o))
	}
}

func leaves(n *corev1.Node, o capacity.Options) bool {
	_, leaves := o.Leaving(n)
	return leaves
}

func offersElse(a, b *corev1.Node) bool {
	return a.Spec.Unschedulable != b.Spec.Unschedulable ||
		(a.DeletionTimestamp == nil) != (b.DeletionTimestamp == nil) || !maps.Equal(a.Labels, b.Labels) ||
		!equality.Semantic.DeepEqual(a.Spec.Taints, b.Spec.Taints) ||
		!equality.Semantic.DeepEqual(a.Status.Allocatable, b.Status.Allocatable) ||
		capacity.Readiness(a) != capacity.Readiness(b)
}

// ResizeMatters says that a Resize has ended. That one was made is no news to the planner.
func ResizeMatters(before, after any) bool {
	a, b, ok := Both[*v1alpha1.Resize](before, after)
	return ok && a.Over() != b.Over()
}

// PodMatters leaves out pods without GPUs: they take none, and [LeavesRoom] tells of the other room that they leave. Of
// one that waits it counts what its scheduler says.
func PodMatters(o capacity.Options) func(before, after any) bool {
	return func(before, after any) bool {
		if pod, ok := after.(*corev1.Pod); ok && capacity.GPUs(&pod.Spec, o) == 0 {
			return false
		}
		a, b, ok := Both[*corev1.Pod](before, after)
		return !ok || a.Spec.NodeName != b.Spec.NodeName || a.Status.Phase != b.Status.Phase ||
			(a.DeletionTimestamp == nil) != (b.DeletionTimestamp == nil) ||
			(len(a.Spec.SchedulingGates) == 0) != (len(b.Spec.SchedulingGates) == 0) ||
			b.Spec.NodeName == "" && (a.Status.NominatedNodeName != b.Status.NominatedNodeName ||
				saysLacking(a, o) != saysLacking(b, o))
	}
}

// PodGoneMatters leaves out pods without GPUs but those of training jobs, which wait for the last of their own to go.
func PodGoneMatters(o capacity.Options) func(gone any) bool {
	return func(gone any) bool {
		pod, ok := gone.(*corev1.Pod)
		if !ok || capacity.GPUs(&pod.Spec, o) > 0 {
			return true
		}
		_, _, ours := known.OwnerOf(pod)
		return ours
	}
}

// LeavesRoom is the node on which a pod without GPUs holds nothing any more, or is about to hold nothing; empty if it
// holds what it held. After it is gone, it is nil.
func LeavesRoom(o capacity.Options) func(before, after any) (node string) {
	return func(before, after any) string {
		a, ok := before.(*corev1.Pod)
		if !ok || a.Spec.NodeName == "" || capacity.GPUs(&a.Spec, o) > 0 || ended(a) {
			return ""
		}
		if b, there := after.(*corev1.Pod); there && !ended(b) && (b.DeletionTimestamp == nil || a.DeletionTimestamp != nil) {
			return ""
		}
		return a.Spec.NodeName
	}
}

func ended(pod *corev1.Pod) bool {
	return pod.Status.Phase == corev1.PodSucceeded || pod.Status.Phase == corev1.PodFailed
}

// saysLacking says that the scheduler of a pod says that it lacks GPUs, whether it has for long or not.
func saysLacking(pod *corev1.Pod, o capacity.Options) bool {
	_, lacks := o.LacksSince(pod)
	return lacks
}

// JobMatters leaves out what only tells of progress: that is the reader's to tell, but of a job that is stopped, which
// it does not read.
func JobMatters(of kind.Kind) func(before, after any) bool {
	return func(before, after any) bool {
		if object, is := after.(client.Object); is && of.Ignores(object) != "" {
			return false
		}
		a, b, ok := Both[client.Object](before, after)
		if !ok {
			return true
		}
		was, is := of.Read(a), of.Read(b)
		held, holds := keepsSize(was), keepsSize(is)
		noted := is.Suspended && was.Annotations[progress.ProgressAnnotation] != is.Annotations[progress.ProgressAnnotation]
		return noted || held != holds || !is.Unchanged(was) || a.GetGeneration() != b.GetGeneration() ||
			!shorthand.SameWords(was.Labels, was.Annotations, is.Labels, is.Annotations)
	}
}

// keepsSize says that the size of a job stays, or may be meant to, by what is written on it.
func keepsSize(job kind.Job) bool {
	return shorthand.Holds(job.UID, job.Annotations) || shorthand.MayHold(job.Labels, job.Annotations) != ""
}

// Both are an object before and after a change; false if there is none before.
func Both[T any](before, after any) (a, b T, ok bool) {
	if before == nil {
		return a, b, false
	}
	a, okA := before.(T)
	b, okB := after.(T)
	return a, b, okA && okB
}

// WakesReader says whether a change of an ElasticJob may be one of how its progress is read, or of whether it is: what
// the reader has made known itself is no news to it.
func WakesReader(before, after any) bool {
	was, is, ok := Both[*v1alpha1.ElasticJob](before, after)
	if !ok || GenerationMatters(was, is) {
		return true
	}
	for _, kind := range []string{v1alpha1.ConditionAdmitted, v1alpha1.ConditionResizing} {
		a, b := meta.FindStatusCondition(was.Status.Conditions, kind), meta.FindStatusCondition(is.Status.Conditions, kind)
		if state(a) != state(b) {
			return true
		}
	}
	return false
}

func state(c *metav1.Condition) string {
	if c == nil {
		return ""
	}
	return string(c.Status) + " " + c.Reason
}

package operator

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/log"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic/resize"
	"github.com/takt-dev/takt/operator/adapter"
	"github.com/takt-dev/takt/operator/cached"
	"github.com/takt-dev/takt/operator/learn"
	"github.com/takt-dev/takt/operator/memory"
)

// subject is an ElasticJob with all that belongs to it, at one moment. What it points to is shared
// with the cache, and not to be changed.
type subject struct {
	ej     *v1alpha1.ElasticJob
	kind   adapter.Kind  // nil if its kind is not served
	object client.Object // nil if there is no such job
	job    adapter.Job
	pods   []worker             // in the order of their index
	rest   []*corev1.Pod        // pods of the job that do not train
	past   []*v1alpha1.Resize   // in the order of their epoch
	newest int64                // epoch of all Resizes of this name, even of an ElasticJob that is gone
	known  *memory.Job          // nil if there is no job
	taken  *v1alpha1.ElasticJob // another that the job belongs to
}

// worker is a pod that trains.
type worker struct {
	index resize.Index
	pod   *corev1.Pod
}

// look finds all that belongs to an ElasticJob.
func (o *Operator) look(ctx context.Context, ej *v1alpha1.ElasticJob) (*subject, error) {
	s := &subject{ej: ej}
	if err := o.kinds.Known(); err != nil {
		return nil, err
	}
	if err := o.lookAtResizes(ctx, s); err != nil {
		return nil, err
	}
	kind, ok := o.kinds.Get(ej.Spec.JobRef.Kind)
	if !ok {
		return s, nil
	}
	s.kind = kind
	object := kind.New()
	err := o.client.Get(ctx, types.NamespacedName{Namespace: ej.Namespace, Name: ej.Spec.JobRef.Name}, object)
	switch {
	case apierrors.IsNotFound(err):
		return s, nil
	case err != nil:
		return nil, fmt.Errorf("looking at %s: %w", ej.Spec.JobRef.String(), err)
	}
	s.object, s.job = object, kind.Read(object)
	if err := o.lookForOthers(ctx, s); err != nil {
		return nil, err
	}
	s.known = o.memory.Of(s.job.UID, o.now(), func() *learn.Run {
		owner := cmp.Or(s.taken, ej) // whoever is looked at first, the run is that of the one that the job belongs to
		run, err := learn.Recalled(runName(owner, s.job.UID), owner.Status.Memory)
		if err != nil {
			log.FromContext(ctx).Info("What was known of a job cannot be used", "job", ej.Namespace+"/"+ej.Name, "err", err.Error())
		}
		return run
	})
	if err := o.lookAtPods(ctx, s); err != nil {
		return nil, err
	}
	if err := o.lookAtLeavers(ctx, s); err != nil {
		return nil, err
	}
	s.known.Notice(s.running(), s.began(), o.now())
	return s, nil
}

func (o *Operator) lookAtPods(ctx context.Context, s *subject) error {
	var pods corev1.PodList
	err := o.client.List(ctx, &pods, client.InNamespace(s.ej.Namespace), client.MatchingFields{cached.ByOwner: string(s.job.UID)}, cached.AtOnce)
	if err != nil {
		return fmt.Errorf("listing the pods of %s: %w", s.ej.Spec.JobRef.String(), err)
	}
	for i := range pods.Items {
		if index, trains := s.kind.Index(&pods.Items[i], s.job.Fixed); trains {
			s.pods = append(s.pods, worker{index, &pods.Items[i]})
		} else {
			s.rest = append(s.rest, &pods.Items[i])
		}
	}
	slices.SortFunc(s.pods, func(a, b worker) int {
		return cmp.Or(cmp.Compare(a.index, b.index), cmp.Compare(a.pod.Name, b.pod.Name))
	})
	return nil
}

func (o *Operator) lookAtResizes(ctx context.Context, s *subject) error {
	var resizes v1alpha1.ResizeList
	err := o.client.List(ctx, &resizes, client.InNamespace(s.ej.Namespace), client.MatchingFields{cached.ByElasticJob: s.ej.Name}, cached.AtOnce)
	if err != nil {
		return fmt.Errorf("listing the resizes of ElasticJob %s: %w", s.ej.Name, err)
	}
	for i := range resizes.Items {
		s.newest = max(s.newest, resizes.Items[i].Spec.Epoch)
		if metav1.IsControlledBy(&resizes.Items[i], s.ej) {
			s.past = append(s.past, &resizes.Items[i])
		}
	}
	slices.SortFunc(s.past, func(a, b *v1alpha1.Resize) int { return cmp.Compare(a.Spec.Epoch, b.Spec.Epoch) })
	return nil
}

// lookForOthers finds an older ElasticJob that names the same job: the job is that one's.
func (o *Operator) lookForOthers(ctx context.Context, s *subject) error {
	var same v1alpha1.ElasticJobList
	err := o.client.List(ctx, &same, client.InNamespace(s.ej.Namespace), client.MatchingFields{cached.ByJob: s.ej.Spec.JobRef.String()}, cached.AtOnce)
	if err != nil {
		return fmt.Errorf("listing the ElasticJobs of %s: %w", s.ej.Spec.JobRef.String(), err)
	}
	older := func(a, b *v1alpha1.ElasticJob) bool {
		return cmp.Or(a.CreationTimestamp.Compare(b.CreationTimestamp.Time), cmp.Compare(a.UID, b.UID)) < 0
	}
	for i := range same.Items {
		if other := &same.Items[i]; other.DeletionTimestamp.IsZero() && older(other, s.ej) {
			s.taken = other
		}
	}
	return nil
}

// active is the Resize that is under way, if there is one.
func (s *subject) active() *v1alpha1.Resize {
	for _, r := range s.past {
		if !r.Over() {
			return r
		}
	}
	return nil
}

// epoch is one that was never used for the job, as far as anything is left of that: what was last asked of it, a record,
// or a pod.
func (s *subject) epoch() int64 {
	used := max(int64(s.job.Asked.Epoch), s.newest)
	for _, w := range s.pods {
		if of, err := strconv.ParseInt(w.pod.Labels[v1alpha1.EpochLabel], 10, 32); err == nil {
			used = max(used, of)
		}
	}
	return used + 1
}

// size is how many workers the job has, as declared.
func (s *subject) size() resize.Workers {
	if s.job.Suspended {
		return 0
	}
	return s.job.Size
}

// suspendedByUser says that the job is stopped, and not by Takt. One that was suspended when it was
// first seen waits to be started.
func (s *subject) suspendedByUser() bool {
	if !s.job.Suspended || s.job.Asked.Suspended {
		return false
	}
	reason := ""
	if stopped := meta.FindStatusCondition(s.ej.Status.Conditions, v1alpha1.ConditionSuspended); stopped != nil {
		reason = stopped.Reason
	}
	return reason == reasonByUser || s.job.Asked.Epoch > 0 || reason == reasonNotSuspended
}

// ofEarlierJob says that an ElasticJob belongs to a job that is gone, of the name of one that is there.
// It goes as well, and what it knows of progress and promises is not that of its successor.
func ofEarlierJob(ej *v1alpha1.ElasticJob, job types.UID) bool {
	earlier := false
	for _, owner := range ej.OwnerReferences {
		if owner.UID == job {
			return false
		}
		earlier = earlier || owner.Kind == ej.Spec.JobRef.Kind && owner.Name == ej.Spec.JobRef.Name
	}
	return earlier
}

// running are the workers that run and stay.
func (s *subject) running() []*corev1.Pod {
	var pods []*corev1.Pod
	for _, w := range s.pods {
		if w.pod.Status.Phase == corev1.PodRunning && w.pod.DeletionTimestamp == nil {
			pods = append(pods, w.pod)
		}
	}
	return pods
}

// began is when the first of the workers that run began; zero if none does.
func (s *subject) began() time.Time {
	var first time.Time
	for _, pod := range s.running() {
		if at := pod.Status.StartTime; at != nil && (first.IsZero() || at.Time.Before(first)) {
			first = at.Time
		}
	}
	return first
}

// holding is how many workers hold GPUs: all that have a node, until they have ended there.
func (s *subject) holding() int {
	n := 0
	for _, w := range s.pods {
		if phase := w.pod.Status.Phase; w.pod.Spec.NodeName != "" && phase != corev1.PodSucceeded && phase != corev1.PodFailed {
			n++
		}
	}
	return n
}

// deadline is the moment that the job is held to; false for a best-effort job.
func (s *subject) deadline() (time.Time, bool) { return deadline(s.ej) }

func deadline(ej *v1alpha1.ElasticJob) (time.Time, bool) {
	if at, err := ej.Spec.Deadline.Time(); err == nil {
		return at, true
	}
	if after, err := ej.Spec.DeadlineAfter.Duration(); err == nil {
		return ej.CreationTimestamp.Add(after), true
	}
	return time.Time{}, false
}

// runName is how a run of a job is called in profiles.
func runName(ej *v1alpha1.ElasticJob, job types.UID) string {
	return fmt.Sprintf("%s-%.8s", ej.Name, job)
}

// tried says that the job was stopped since it began, or could not start.
func (s *subject) tried() bool {
	return slices.ContainsFunc(s.past, func(r *v1alpha1.Resize) bool {
		end := r.Ending()
		return end != nil && (r.Spec.To == 0 || r.Spec.From == 0 && end.Type != v1alpha1.ConditionSucceeded)
	})
}

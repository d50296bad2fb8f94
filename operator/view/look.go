package view

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/log"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic/resize"
	"github.com/takt-dev/takt/operator/cached"
	"github.com/takt-dev/takt/operator/capacity"
	"github.com/takt-dev/takt/operator/installed"
	"github.com/takt-dev/takt/operator/learn"
	"github.com/takt-dev/takt/operator/memory"
	"github.com/takt-dev/takt/operator/shorthand"
)

// Viewer looks at jobs.
type Viewer struct {
	Client   client.Client
	Kinds    *installed.Kinds
	Memory   *memory.Memory
	Profiles *learn.Store
	GPUs     capacity.Options
	Zone     *time.Location // of moments that are written without one
	Now      func() time.Time
}

// Look finds all that belongs to an ElasticJob.
func (v *Viewer) Look(ctx context.Context, ej *v1alpha1.ElasticJob) (*Subject, error) {
	s := &Subject{ElasticJob: ej}
	if err := v.Kinds.Known(); err != nil {
		return nil, err
	}
	if err := v.lookAtResizes(ctx, s); err != nil {
		return nil, err
	}
	if err := v.lookAtQueue(ctx, s); err != nil {
		return nil, err
	}
	of, ok := v.Kinds.Get(ej.Spec.JobRef.Kind)
	if !ok {
		return s, nil
	}
	s.Kind = of
	object := of.New()
	err := v.Client.Get(ctx, types.NamespacedName{Namespace: ej.Namespace, Name: ej.Spec.JobRef.Name}, object)
	switch {
	case apierrors.IsNotFound(err):
		return s, nil
	case err != nil:
		return nil, fmt.Errorf("looking at %s: %w", ej.Spec.JobRef.String(), err)
	}
	s.Object, s.Job = object, of.Read(object)
	s.mayHold = shorthand.MayHold(s.Job.Labels, s.Job.Annotations, s.Job.Worker, s.Job.Leader)
	if err := v.lookForOthers(ctx, s); err != nil {
		return nil, err
	}
	s.Known = v.Memory.Of(s.Job.UID, v.Now(), func() *learn.Run {
		owner := cmp.Or(s.Taken, ej) // whoever is looked at first, the run is that of the one that the job belongs to
		run, err := learn.Recalled(RunName(owner, s.Job.UID), owner.Status.Memory)
		if err != nil {
			log.FromContext(ctx).Info("What was known of a job cannot be used", "job", ej.Namespace+"/"+ej.Name, "err",
				err.Error())
		}
		return run
	})
	s.seeSize(v.Now())
	if err := v.lookAtPods(ctx, s); err != nil {
		return nil, err
	}
	s.seeLeavers(v.Now())
	s.seeFailures(v.Now())
	if err := v.lookAtHazards(ctx, s); err != nil {
		return nil, err
	}
	s.Known.Notice(s.Running(), s.Began(), v.Now())
	return s, v.lookAtPredecessors(ctx, s)
}

// lookAtQueue finds what the queue of the job gives it. One that is not there gives nothing; who refuses the job says
// so. A job that others wait for has none of its deadlines: it goes by theirs.
func (v *Viewer) lookAtQueue(ctx context.Context, s *Subject) error {
	var queue v1alpha1.TrainingQueue
	if err := v.Client.Get(ctx, types.NamespacedName{Name: s.ElasticJob.Spec.Queue}, &queue); err != nil {
		if apierrors.IsNotFound(err) {
			return nil
		}
		return fmt.Errorf("looking at TrainingQueue %s: %w", s.ElasticJob.Spec.Queue, err)
	}
	s.queue, s.Class = &queue, queue.Spec.Jobs
	if s.Class.DeadlineAfter == "" || s.HasOwnDeadline() {
		return nil
	}
	behind, err := cached.Behind(ctx, v.Client, s.ElasticJob, cached.AtOnce)
	if len(behind) > 0 {
		s.Class.DeadlineAfter = ""
	}
	return err
}

func (v *Viewer) lookAtPods(ctx context.Context, s *Subject) error {
	var pods corev1.PodList
	err := v.Client.List(ctx, &pods, client.InNamespace(s.ElasticJob.Namespace),
		client.MatchingFields{cached.ByOwner: string(s.Job.UID)}, cached.AtOnce)
	if err != nil {
		return fmt.Errorf("listing the pods of %s: %w", s.ElasticJob.Spec.JobRef.String(), err)
	}
	for i := range pods.Items {
		if index, trains := s.Kind.Index(&pods.Items[i], s.Job.Fixed); trains && !s.leftBehind(&pods.Items[i], index) {
			s.Pods = append(s.Pods, Worker{index, &pods.Items[i]})
		} else {
			s.rest = append(s.rest, &pods.Items[i])
		}
	}
	slices.SortFunc(s.Pods, func(a, b Worker) int {
		return cmp.Or(cmp.Compare(a.Index, b.Index), a.Pod.CreationTimestamp.Compare(b.Pod.CreationTimestamp.Time),
			cmp.Compare(a.Pod.Name, b.Pod.Name))
	})
	s.dropReplaced()
	return nil
}

// leftBehind says that a pod has ended, and is none that anybody waits for: its worker is not to run, or was started
// anew since. Kinds whose pods stay when they have ended have such ones for as long as there is the job. When a pod was
// made is told in whole seconds.
func (s *Subject) leftBehind(pod *corev1.Pod, index resize.Index) bool {
	return s.Job.PodsStay && HasEnded(pod) &&
		(s.Job.Suspended || index >= resize.Index(s.Job.Size) ||
			pod.CreationTimestamp.Time.Before(s.Job.Asked.At.Truncate(time.Second)))
}

// HasEnded says that a pod holds nothing of its node any more.
func HasEnded(pod *corev1.Pod) bool {
	return pod.Status.Phase == corev1.PodSucceeded || pod.Status.Phase == corev1.PodFailed
}

// dropReplaced leaves of several pods with one index the last: the others have failed or are about to go, and it has
// come in their place. Kinds that name a pod by its index never have two.
func (s *Subject) dropReplaced() {
	kept := s.Pods[:0]
	for i, w := range s.Pods {
		if i+1 < len(s.Pods) && s.Pods[i+1].Index == w.Index {
			s.rest = append(s.rest, w.Pod)
			if s.replaced == nil {
				s.replaced = map[types.UID]bool{}
			}
			s.replaced[w.Pod.UID] = true
			continue
		}
		kept = append(kept, w)
	}
	s.Pods = kept
}

// Replaced says that another pod is the worker that this one was, or says it is.
func (s *Subject) Replaced(pod *corev1.Pod) bool { return s.replaced[pod.UID] }

func (v *Viewer) lookAtResizes(ctx context.Context, s *Subject) error {
	var resizes v1alpha1.ResizeList
	err := v.Client.List(ctx, &resizes, client.InNamespace(s.ElasticJob.Namespace),
		client.MatchingFields{cached.ByElasticJob: s.ElasticJob.Name}, cached.AtOnce)
	if err != nil {
		return fmt.Errorf("listing the resizes of ElasticJob %s: %w", s.ElasticJob.Name, err)
	}
	for i := range resizes.Items {
		s.newest = max(s.newest, resizes.Items[i].Spec.Epoch)
		if metav1.IsControlledBy(&resizes.Items[i], s.ElasticJob) {
			s.Past = append(s.Past, &resizes.Items[i])
		}
	}
	slices.SortFunc(s.Past, func(a, b *v1alpha1.Resize) int { return cmp.Compare(a.Spec.Epoch, b.Spec.Epoch) })
	return nil
}

// lookForOthers finds an older ElasticJob that names the same job: the job is that one's.
func (v *Viewer) lookForOthers(ctx context.Context, s *Subject) error {
	var same v1alpha1.ElasticJobList
	err := v.Client.List(ctx, &same, client.InNamespace(s.ElasticJob.Namespace),
		client.MatchingFields{cached.ByJob: s.ElasticJob.Spec.JobRef.String()}, cached.AtOnce)
	if err != nil {
		return fmt.Errorf("listing the ElasticJobs of %s: %w", s.ElasticJob.Spec.JobRef.String(), err)
	}
	older := func(a, b *v1alpha1.ElasticJob) bool {
		return cmp.Or(a.CreationTimestamp.Compare(b.CreationTimestamp.Time), cmp.Compare(a.UID, b.UID)) < 0
	}
	for i := range same.Items {
		if other := &same.Items[i]; other.DeletionTimestamp.IsZero() && older(other, s.ElasticJob) {
			s.Taken = other
		}
	}
	return nil
}

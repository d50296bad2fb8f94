package resizing

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic/resize"
	"github.com/takt-dev/takt/operator/kind"
	"github.com/takt-dev/takt/operator/view"
	"github.com/takt-dev/takt/operator/wrapping"
	"github.com/takt-dev/takt/operator/writing"
)

// Attendant looks after the agents of jobs of which no resize is under way. A worker that has replaced another is let
// in, as nobody else is waited for, and those that will are let in beforehand; one in which the agent cannot be
// installed is made anew without; and one that was told to leave, and stays after all, is told so: its exit with 0 is
// the end of its work. All are asked to save where a node is to go, even in the middle of a resize: that may wait for
// longer than the node stays.
type Attendant struct {
	Client client.Client
	View   *view.Viewer
	Limits resize.Limits
	Now    func() time.Time

	notices notices
	faults  faults
}

// Concerns says that a pod may need to be looked after.
func Concerns(pod *corev1.Pod) bool {
	return spokenTo(pod) || pod.DeletionTimestamp == nil && wrapping.Faulty(pod)
}

// spokenTo says that a pod waits to be let in, or was told to leave.
func spokenTo(pod *corev1.Pod) bool {
	_, marked := pod.Annotations[v1alpha1.DrainingAnnotation]
	return pod.DeletionTimestamp == nil && wrapping.Within(pod) && (marked || wrapping.Waits(pod))
}

// Reconcile looks after the workers of one job.
func (a *Attendant) Reconcile(ctx context.Context, request reconcile.Request) (reconcile.Result, error) {
	var ej v1alpha1.ElasticJob
	if err := a.Client.Get(ctx, request.NamespacedName, &ej); err != nil || ej.DeletionTimestamp != nil {
		return reconcile.Result{}, client.IgnoreNotFound(err)
	}
	s, err := a.View.Look(ctx, &ej)
	if err != nil || s.Object == nil || s.Taken != nil || s.Job.State != resize.JobGoesOn || s.Job.Suspended {
		return reconcile.Result{}, err
	}
	errs := a.saveBeforeItGoes(ctx, s)
	if s.Active() != nil {
		return reconcile.Result{}, errs
	}
	asked, again, err := a.unwrap(ctx, s)
	errs = errors.Join(errs, err)
	for _, w := range s.Pods {
		if !spokenTo(w.Pod) {
			continue
		}
		stays, later := resize.Leftover{
			Index: w.Index, Size: s.Job.Size, Epoch: resize.Epoch(wrapping.Epoch(w.Pod)),
			Newest: resize.Epoch(newest(s)), CreatedAt: w.Pod.CreationTimestamp.Time,
		}.Stays(a.Now())
		if again = soonest(again, later); !stays {
			continue
		}
		errs = errors.Join(errs, client.IgnoreNotFound(writing.Annotate(ctx, a.Client, w.Pod, wrapping.Stays(w.Pod))))
	}
	if !asked { // of those without the agent nobody waits
		errs = errors.Join(errs, a.letIn(ctx, s))
	}
	if errs != nil {
		return reconcile.Result{}, errs
	}
	return reconcile.Result{RequeueAfter: again}, nil
}

// soonest is the shorter of two waits; 0 is none.
func soonest(a, b time.Duration) time.Duration {
	if a == 0 || b == 0 {
		return max(a, b)
	}
	return min(a, b)
}

// unwrap has workers made anew without the agent that have replaced others, and in which it cannot be installed, such
// as where its image may not be pulled any more: for as long as one waits for it, all others may wait for that one. The
// job loses the agent by that, so it takes a fault that this process has seen all the while. The job is asked for pods
// without it first. It says whether it was, and when to look again.
func (a *Attendant) unwrap(ctx context.Context, s *view.Subject) (asked bool, again time.Duration, err error) {
	wrapped, can := s.Kind.(kind.Wrapped)
	if !can || int64(s.Job.Asked.Epoch) > newest(s) { // its Resize is not known here yet
		return false, 0, nil
	}
	now := a.Now()
	staying := slices.DeleteFunc(slices.Clone(s.Pods), func(w view.Worker) bool {
		return resize.Workers(w.Index) >= s.Job.Size || w.Pod.DeletionTimestamp != nil
	})
	why, without := "", []*corev1.Pod(nil)
	for _, w := range staying {
		one, at := wrapping.HinderedSince(w.Pod, a.faults.since(w.Pod, now), a.Limits.ReadyWithin, now)
		if !at.IsZero() {
			again = soonest(again, min(max(at.Sub(now), time.Second), faultEvery))
		}
		if one != "" {
			why, without = cmp.Or(why, one), append(without, w.Pod)
		}
	}
	if why == "" {
		return false, again, nil
	}
	patch, err := wrapped.Unwrap(s.Object, why)
	if err != nil {
		return false, 0, err
	}
	if patch != nil {
		err := writing.PatchJob(ctx, a.Client, s.Kind, s.Job, writing.Merge(patch))
		return true, time.Second, client.IgnoreNotFound(err)
	}
	for _, pod := range without {
		err = errors.Join(err, writing.Remove(ctx, a.Client, pod))
	}
	return false, again, err
}

// letIn has the job say itself that workers which replace others train as they come, so that they do even while no
// operator is there to let them in. The next growth has another epoch.
func (a *Attendant) letIn(ctx context.Context, s *view.Subject) error {
	if int64(s.Job.Asked.Epoch) > newest(s) {
		return nil // its Resize is not known here yet
	}
	wrapped, can := s.Kind.(kind.Wrapped)
	if !can {
		return nil
	}
	patch, err := wrapped.LetIn(s.Object)
	if err != nil || patch == nil {
		return err
	}
	return client.IgnoreNotFound(writing.PatchJob(ctx, a.Client, s.Kind, s.Job, writing.Merge(patch)))
}

// newest is the epoch of the newest Resize of a job.
func newest(s *view.Subject) int64 {
	if len(s.Past) == 0 {
		return 0
	}
	return s.Past[len(s.Past)-1].Spec.Epoch
}

package resizing

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic/resize"
	"github.com/takt-dev/takt/operator/capacity"
	"github.com/takt-dev/takt/operator/hearing"
	"github.com/takt-dev/takt/operator/settings"
	"github.com/takt-dev/takt/operator/telling"
	"github.com/takt-dev/takt/operator/view"
	"github.com/takt-dev/takt/operator/writing"
)

// Resizer carries one Resize through. It takes one step at a time; what it does next depends on
// nothing but what it then observes.
type Resizer struct {
	Client    client.Client
	Live      client.Reader
	View      *view.Viewer
	Events    *telling.Recorder
	Metrics   *telling.Metrics
	Unwritten *Unwritten

	Settings settings.Settings
	Limits   resize.Limits
	GPUs     capacity.Options
	Now      func() time.Time

	Agents *hearing.Agents            // of what agents say; nil if they are not asked
	Again  func(types.NamespacedName) // has a Resize looked at again
	Replan func()                     // is called when there may be room for something else
	// Planned says that this process has made a plan, and acted on it.
	Planned func() bool

	anew  anew
	began atomic.Pointer[time.Time] // when the first step was looked for
}

// Reconcile takes the next step of a Resize.
func (z *Resizer) Reconcile(ctx context.Context, request reconcile.Request) (reconcile.Result, error) {
	var stored v1alpha1.Resize
	switch err := writing.ReadFor(ctx, z.Client, z.Live, request, &stored); {
	case apierrors.IsNotFound(err), err == nil && stored.Over() && !view.Record(&stored).CostTurnsOut(z.Now()):
		z.Unwritten.end(request.NamespacedName)
		return reconcile.Result{}, nil
	case err != nil:
		return reconcile.Result{}, err
	}
	s, err := z.look(ctx, &stored)
	if err != nil || s == nil {
		return reconcile.Result{}, err
	}
	if stored.Over() {
		z.Unwritten.end(request.NamespacedName)
		return z.turned(ctx, s, &stored)
	}
	ej := s.ElasticJob
	if first := s.Active(); first == nil || first.UID != stored.UID {
		return reconcile.Result{}, nil // the one before it has to end first, and wakes this one
	}
	if s.Kind == nil || ej.DeletionTimestamp != nil || s.Object != nil && view.OfEarlierJob(ej, s.Job.UID) {
		return reconcile.Result{}, nil
	}
	if s.AwaitsLastWord(z.Now()) {
		return reconcile.Result{RequeueAfter: time.Second}, nil
	}
	return z.step(ctx, s, stored.DeepCopy())
}

// step finds out what comes next and does it. Lines of the record that follow each other are written
// together, and those that may wait are written with the next: nothing that cannot be taken back is
// done between them, unless the job itself says that it was.
func (z *Resizer) step(ctx context.Context, s *view.Subject, r *v1alpha1.Resize) (reconcile.Result, error) {
	if err := z.View.NodesReadable(ctx, s); err != nil { // nobody can tell who of them is lost
		return reconcile.Result{}, err
	}
	before := r.DeepCopy()
	if int64(s.Job.Asked.Epoch) < r.Spec.Epoch {
		z.Unwritten.begins(r)
	}
	z.Unwritten.onto(r)
	for {
		observed := z.Observed(ctx, s, r)
		r.Status.Asked = settledFor(observed)
		next := resize.Next(observed)
		if next.Do == resize.Wait {
			s.Known.WriteAccepted() // what was refused before has come about, or is not needed any more
		}
		if next.Do == resize.AddCondition {
			note(r, next, observed.Now)
			if !r.Over() {
				continue
			}
		}
		within, holds := time.Duration(0), false
		if (next.Do == resize.Wait || byItself(r, next)) && sameAsked(before, r) {
			within, holds = z.Unwritten.hold(before, r, observed.Agent, observed.Now)
		}
		if holds && next.Do == resize.Wait {
			result, err := z.wait(ctx, s, next, observed)
			result.RequeueAfter = min(result.RequeueAfter, max(within, time.Second/10)) // 0 where that has failed
			return result, err
		}
		written, err := z.settle(ctx, s, before, r, holds)
		if err != nil { // nothing is done that is not on record, not even if the record is gone
			return reconcile.Result{}, client.IgnoreNotFound(err)
		}
		log.FromContext(ctx).V(2).Info("Next step", "do", next.Do, "reason", next.Reason, "message", next.Message)
		switch next.Do {
		case resize.AddCondition, resize.Over:
			if written {
				z.Ended(ctx, s, r)
			}
			return z.turned(ctx, s, r)
		case resize.Wait:
			return z.wait(ctx, s, next, observed)
		default:
		}
		if err := z.carryOut(ctx, s, r, next, observed); err != nil {
			if over, err := z.giveUp(ctx, s, r, next, observed, err); over {
				return reconcile.Result{}, err
			}
			return reconcile.Result{}, fmt.Errorf("%s of Resize %s: %w", next.Do, r.Name, err)
		}
		s.Known.WriteAccepted()
		return reconcile.Result{RequeueAfter: time.Second}, nil
	}
}

// wait comes again when there may be something to do.
func (z *Resizer) wait(ctx context.Context, s *view.Subject, step resize.Step,
	observed resize.Observed) (reconcile.Result, error) {
	wait := z.waits(s, step, observed)
	for _, w := range s.Pods {
		if _, at := z.View.WorkerLost(ctx, w.Pod, observed.Now); !at.IsZero() {
			wait = min(wait, at.Sub(observed.Now))
		}
	}
	soon, err := z.unread(ctx, s, observed)
	if client.IgnoreNotFound(err) != nil {
		return reconcile.Result{}, err
	}
	if soon > 0 {
		wait = min(wait, soon)
	}
	return reconcile.Result{RequeueAfter: max(wait, time.Second/10)}, nil
}

// waits is how long until a Resize is looked at again at the latest. Nobody is told when the training advances: it is
// read every so often, and so is what agents say.
func (z *Resizer) waits(s *view.Subject, step resize.Step, observed resize.Observed) time.Duration {
	now := observed.Now
	wait := step.Until.Sub(now)
	if _, at := hindered(s.Pods, z.Limits.ReadyWithin, now); !at.IsZero() {
		wait = min(wait, at.Sub(now))
	}
	switch {
	case step.Reason == resize.PodsExpected && observed.FirstPodOverdue():
		return min(wait, refusedEvery)
	case step.Reason == resize.Verifying:
		return min(wait, z.Settings.Progress.Every.Duration)
	case step.Reason == resize.PlanExpected, step.Reason == resize.MarksExpected, step.Reason == resize.AgentExpected:
		return min(wait, markEvery)
	case step.Reason == resize.SteppingAside, step.Reason == resize.CheckpointExpected && allWrapped(s):
		return min(wait, saveEvery)
	}
	return wait
}

// byItself says of a step that the job itself tells that it was taken, so that no line has to be on record before: it
// is told to stop in order to be resized, or to go on afterwards.
func byItself(r *v1alpha1.Resize, step resize.Step) bool {
	return step.Do == resize.AskJob && step.Ask.Stage == resize.Forward && view.Record(r).ThroughZero()
}

// settle has a record on which the next step may rest: its new lines are written, or held and it is still as it was
// read.
func (z *Resizer) settle(ctx context.Context, s *view.Subject, before, r *v1alpha1.Resize, held bool) (written bool,
	err error) {
	if !held {
		return z.write(ctx, s, before, r)
	}
	var now v1alpha1.Resize
	if err := z.Live.Get(ctx, client.ObjectKeyFromObject(before), &now); err != nil {
		return false, fmt.Errorf("reading Resize %s: %w", r.Name, err)
	}
	if now.UID != before.UID || now.ResourceVersion != before.ResourceVersion {
		return false, apierrors.NewConflict(v1alpha1.GroupVersion.WithResource("resizes").GroupResource(), r.Name,
			writing.ErrOutdated)
	}
	return false, nil
}

// write writes the lines that were added, if there are any, and only onto the record that was read.
func (z *Resizer) write(ctx context.Context, s *view.Subject, before, r *v1alpha1.Resize) (bool, error) {
	if len(r.Status.Conditions) == len(before.Status.Conditions) && sameAsked(before, r) {
		return false, nil
	}
	if n := len(r.Status.Conditions); n > 0 {
		r.Status.Reached = r.Status.Conditions[n-1].Type
	}
	r.Status.Pods = gangPods(s, r)
	if err := z.Client.Status().Patch(ctx, r, writing.Onto(before)); err != nil {
		return false, fmt.Errorf("writing the record of Resize %s: %w", r.Name, err)
	}
	z.Unwritten.forget(r)
	return true, nil
}

// settledFor is the size that the job has been asked for, where that is less than was decided. Once the
// resize turns round it is of no meaning: pods that come then say themselves how many they are.
func settledFor(o resize.Observed) *int32 {
	asked := o.Job.Asked
	if asked.Epoch != o.Record.Epoch || asked.Stage != resize.Forward || asked.Suspended || asked.Workers >= o.Record.To {
		return nil
	}
	if o.Record.To < o.Record.From {
		return nil
	}
	return new(int32(asked.Workers))
}

func sameAsked(a, b *v1alpha1.Resize) bool {
	return ptr.Equal(a.Status.Asked, b.Status.Asked)
}

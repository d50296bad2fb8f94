package expiring

import (
	"context"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic/resize"
	"github.com/takt-dev/takt/operator/cached"
	"github.com/takt-dev/takt/operator/telling"
	"github.com/takt-dev/takt/operator/view"
	"github.com/takt-dev/takt/operator/wording"
	"github.com/takt-dev/takt/operator/writing"
)

const (
	// lookAgain is how long it takes until it is looked again whether all is kept of a job.
	lookAgain = 15 * time.Second
	// Rest is the time after each deletion, which has the API server delete twenty Resizes as well.
	Rest = 200 * time.Millisecond
)

// Expirer deletes ElasticJobs whose time is over.
type Expirer struct {
	Client  client.Client
	Live    client.Reader
	View    *view.Viewer
	Events  *telling.Recorder
	Default time.Duration // for those that say no time; 0 keeps them
	Rest    time.Duration
	Now     func() time.Time

	// Unkept says that what has happened to a job is not written down yet.
	Unkept func(namespace string, job types.UID) bool
}

// Reconcile deletes an ElasticJob, or comes back when it is due.
func (e *Expirer) Reconcile(ctx context.Context, request reconcile.Request) (reconcile.Result, error) {
	var ej v1alpha1.ElasticJob
	if err := writing.ReadFor(ctx, e.Client, e.Live, request, &ej); err != nil || ej.DeletionTimestamp != nil {
		return reconcile.Result{}, client.IgnoreNotFound(err) // somebody's finalizer may keep it: that is theirs to take off
	}
	due, ever := e.due(&ej)
	if !ever {
		return reconcile.Result{}, nil
	}
	if wait := due.Sub(e.Now()); wait > 0 {
		return reconcile.Result{RequeueAfter: wait}, nil
	}
	s, err := e.View.Look(ctx, &ej)
	if err != nil {
		return reconcile.Result{}, err
	}
	if s.Object == nil || s.Taken != nil || s.Job.State == resize.JobGoesOn || s.Active() != nil || !e.kept(s) {
		return reconcile.Result{RequeueAfter: lookAgain}, nil
	}
	if awaited, err := e.awaited(ctx, &ej); err != nil || awaited {
		return reconcile.Result{RequeueAfter: lookAgain}, err
	}
	if err := writing.RemoveAsRead(ctx, e.Client, &ej); err != nil {
		return reconcile.Result{}, err
	}
	log.FromContext(ctx).V(1).Info("Deleted an ElasticJob whose job has ended", "elasticJob", ej.Namespace+"/"+ej.Name)
	e.Events.Tell(s.Object, corev1.EventTypeNormal, "Expired",
		"ElasticJob %s is deleted, as this job ended %s ago: the job stays, and Takt does no more with it.",
		ej.Name, wording.Span(e.Now().Sub(s.Job.EndedAt)))
	e.rest(ctx)
	return reconcile.Result{}, nil
}

// due is when an ElasticJob goes; false if nobody has said so, or its job has not ended.
func (e *Expirer) due(ej *v1alpha1.ElasticJob) (time.Time, bool) {
	ended, over := ej.Status.Ended()
	if !over {
		return time.Time{}, false
	}
	stays := e.Default
	if own, err := ej.Spec.TTLAfterFinished.Duration(); err == nil {
		stays = own
	}
	return ended.Add(stays), stays > 0
}

// kept says that what the end of a job has taught is stored, and what has happened to it written down.
func (e *Expirer) kept(s *view.Subject) bool {
	return s.Known.Closed() && !e.Unkept(s.ElasticJob.Namespace, s.Job.UID)
}

// awaited says that another starts after it, and has not written down yet that it has ended.
func (e *Expirer) awaited(ctx context.Context, ej *v1alpha1.ElasticJob) (bool, error) {
	behind, err := cached.Behind(ctx, e.Client, ej)
	return slices.ContainsFunc(behind, func(other v1alpha1.ElasticJob) bool {
		return !slices.ContainsFunc(other.Status.After, func(p v1alpha1.PredecessorStatus) bool { return p.Name == ej.Name })
	}), err
}

// rest has the one who deletes wait, and so all others.
func (e *Expirer) rest(ctx context.Context) {
	select {
	case <-ctx.Done():
	case <-time.After(e.Rest):
	}
}

package resizing

import (
	"context"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic/resize"
	"github.com/takt-dev/takt/operator/view"
	"github.com/takt-dev/takt/operator/wording"
	"github.com/takt-dev/takt/operator/writing"
)

// turned puts right what a growth has cost that is over, once its workers take part: until then they have loaded, and
// those before them have trained on.
func (z *Resizer) turned(ctx context.Context, s *view.Subject, r *v1alpha1.Resize) (reconcile.Result, error) {
	if s.Known == nil || !view.Record(r).CostTurnsOut(z.Now()) || len(s.Past) == 0 || s.Past[len(s.Past)-1].UID != r.UID {
		return reconcile.Result{}, nil
	}
	told := costOf(r, r.Ending())
	cost, pending := s.Known.Run.Turned(told)
	switch {
	case pending:
		return reconcile.Result{RequeueAfter: z.Settings.Progress.Every.Duration}, nil
	case cost == told:
		return reconcile.Result{}, nil
	}
	before := r.DeepCopy()
	r.Status.Cost = v1alpha1.ResizeCost{
		Pause: v1alpha1.NewDuration(readable(cost.Pause)), Lost: v1alpha1.NewDuration(readable(cost.Lost)),
	}
	if err := z.Client.Status().Patch(ctx, r, writing.Onto(before)); err != nil {
		return reconcile.Result{}, client.IgnoreNotFound(fmt.Errorf("writing the cost of Resize %s: %w", r.Name, err))
	}
	z.Metrics.Lost(r, resize.Cost{Pause: cost.Pause - told.Pause, Lost: cost.Lost - told.Lost}, z.gpusEach(s))
	z.Events.Tell(s.ElasticJob, corev1.EventTypeNormal, "WorkersJoined", "Resize %s: %s", r.Name,
		wording.Sentences("the new workers take part.", costs(cost, r.Ending())))
	return reconcile.Result{}, nil
}

// look finds the job of a Resize.
func (z *Resizer) look(ctx context.Context, r *v1alpha1.Resize) (*view.Subject, error) {
	var ej v1alpha1.ElasticJob
	name := client.ObjectKey{Namespace: r.Namespace, Name: r.Spec.ElasticJob}
	if err := z.Client.Get(ctx, name, &ej); err != nil {
		return nil, client.IgnoreNotFound(err) // it goes with its ElasticJob
	}
	return z.View.Look(ctx, &ej)
}

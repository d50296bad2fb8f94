package operator

import (
	"context"
	"errors"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/log"

	"github.com/takt-dev/takt/operator/capacity"
	"github.com/takt-dev/takt/operator/progress"
	"github.com/takt-dev/takt/operator/view"
)

// seldom is how many times more seldom is asked for what was not served: with thousands of jobs these questions would be
// most of what the API server hears from Takt.
const seldom = 10

// watchUse reads now and then how busy the GPUs of a job are, where that is served, and names a job
// that holds GPUs which it does not use.
func (o *Operator) watchUse(ctx context.Context, s *view.Subject, running []*corev1.Pod) (changed bool) {
	now := o.now()
	if s.Known.WasNotServed() && o.unserved.Rests(now) {
		return false
	}
	if s.Job.Worker == nil || !s.Known.DueToWatch(now, o.settings.Usage.Every.Duration) {
		return false
	}
	reading, cancel := context.WithTimeout(ctx, o.settings.Progress.Timeout.Duration)
	defer cancel()
	use, err := o.usage.Read(reading, progress.Target{
		Namespace: s.ElasticJob.Namespace, Name: s.ElasticJob.Name, Annotations: s.Job.Annotations, Pods: running,
	})
	if err != nil {
		if errors.Is(err, progress.ErrNone) {
			s.Known.NotServed(now, seldom*o.settings.Usage.Every.Duration)
			o.unserved.NotServed(now, seldom*o.settings.Usage.Every.Duration)
		} else {
			log.FromContext(ctx).V(1).Info("The use of GPUs cannot be read", "err", err.Error())
		}
		return false
	}
	o.unserved.Served()
	rule := progress.IdleRule{BelowPercent: o.settings.Usage.IdleBelowPercent, For: o.settings.Usage.IdleFor.Duration}
	gpus := int(capacity.GPUs(&s.Job.Worker.Spec, o.gpus)) * len(running)
	return s.Known.Watched(use, rule, gpus)
}

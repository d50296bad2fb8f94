package reading

import (
	"context"
	"errors"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/log"

	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/operator/progress"
	"github.com/takt-dev/takt/operator/view"
)

// seldom is how many times more seldom is asked for what was not served: with thousands of jobs these questions would
// be most of what the API server hears from Takt.
const seldom = 10

// WatchUse reads now and then how busy the GPUs of a job are, where that is served, and names a job
// that holds GPUs which it does not use.
func (r *Reader) WatchUse(ctx context.Context, s *view.Subject, running []*corev1.Pod) (changed bool) {
	now := r.Now()
	rule := progress.IdleRule{BelowPercent: r.Settings.Usage.IdleBelowPercent, For: r.Settings.Usage.IdleFor.Duration}
	if s.Known.WasNotServed() && r.Unserved.Rests(now) || s.Job.Worker == nil ||
		!s.Known.DueToReadUse(now, r.Settings.Usage.Every.Duration) {
		return s.Known.SawNoUse(now, rule)
	}
	reading, cancel := context.WithTimeout(ctx, r.Settings.Progress.Timeout.Duration)
	defer cancel()
	use, err := r.Usage.Read(reading, progress.Target{
		Namespace: s.ElasticJob.Namespace, Name: s.ElasticJob.Name, Annotations: s.Job.Annotations, Pods: running,
	})
	if err != nil {
		if errors.Is(err, progress.ErrNone) {
			s.Known.NotServed(now, seldom*r.Settings.Usage.Every.Duration)
			r.Unserved.NotServed(now, seldom*r.Settings.Usage.Every.Duration)
		} else {
			log.FromContext(ctx).V(1).Info("The use of GPUs cannot be read", "err", err.Error())
		}
		return s.Known.SawNoUse(now, rule)
	}
	r.Unserved.Served()
	gpus := int(s.GPUs(elastic.Workers(len(running)), r.GPUs))
	return s.Known.SawUse(use, rule, gpus)
}

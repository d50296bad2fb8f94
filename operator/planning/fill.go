package planning

import (
	"context"
	"time"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic/resize"
	"github.com/takt-dev/takt/operator/learn"
	"github.com/takt-dev/takt/operator/progress"
	"github.com/takt-dev/takt/operator/view"
)

// fillOptions are what a run is to know of its job beside its readings.
func (p *Planner) fillOptions(ctx context.Context, s *view.Subject, now time.Time) learn.FillOptions {
	options := learn.FillOptions{
		Now: now, StaleAfter: p.Settings.Progress.StaleAfter.Duration,
		AssumedPause: p.Settings.Planning.AssumedPause.Duration,
		DoneShare:    float64(s.ElasticJob.Status.Progress.PartsPerMillion) / 1e6, Began: s.Began(),
	}
	if at, err := s.ElasticJob.Status.Progress.LastCheckpointAt.Time(); err == nil {
		options.SavedAt = at
	}
	switch {
	case s.Size() == 0, starts(s.Active()): // what it was decided by stands until it trains
		options.Kind = v1alpha1.RestartStart
	case s.Mode() == resize.Cold:
		options.Kind = v1alpha1.RestartCold
	default:
		options.Kind = v1alpha1.RestartLive
	}
	if took, err := s.ElasticJob.Spec.Expected.Duration.Duration(); err == nil &&
		s.ElasticJob.Spec.Expected.Workers != nil {
		options.Expected = learn.Expected{Took: took, Workers: int(*s.ElasticJob.Spec.Expected.Workers)}
	}
	if total, err := s.ElasticJob.Spec.Progress.Total.Float(); err == nil {
		options.Total = total
	}
	// What is written on a job tells how much there is to do before it runs.
	if from := s.ElasticJob.Spec.Progress.Source; from != "" && from != v1alpha1.ProgressAnnotation {
		return options
	}
	if sample, err := (progress.Annotation{}).Read(ctx,
		progress.Target{Annotations: s.Job.Annotations, Spec: s.ElasticJob.Spec.Progress}); err == nil {
		options.Total, options.Unit = sample.Total, sample.Unit
		// What was written beforehand does not undo what another source has told since.
		if known := s.ElasticJob.Status.Progress; known.PartsPerMillion == 0 ||
			known.Source == string(v1alpha1.ProgressAnnotation) {
			options.DoneShare = sample.Done / sample.Total
		}
	}
	return options
}

// starts says that a resize has a job begin that had no workers.
func starts(active *v1alpha1.Resize) bool { return active != nil && active.Spec.From == 0 }

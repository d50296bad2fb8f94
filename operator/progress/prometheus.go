package progress

import (
	"cmp"
	"context"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/takt-dev/takt/api/v1alpha1"
)

// The customary annotations of a pod that serves Prometheus metrics.
const (
	scrapeAnnotation = "prometheus.io/scrape"
	portAnnotation   = "prometheus.io/port"
	pathAnnotation   = "prometheus.io/path"
)

const (
	metricEpochs = "training_epochs_planned"
	stepsUnit    = "steps"
)

// pair are the metrics that count what is done, and what that counts up to; without the second, the
// first is a share between 0 and 1.
type pair struct{ done, total, unit string }

// wellKnown are the metrics that are looked for where nobody has named one, the first that is there.
var wellKnown = []pair{
	{done: MetricDone, total: MetricTotal},
	{done: "training_steps_done", total: "training_steps_planned", unit: stepsUnit},
	{done: "training_epochs_done", total: metricEpochs, unit: "epochs"},
	{done: "training_progress_ratio", unit: Share},
}

// Prometheus reads metrics that a worker serves.
type Prometheus struct{ scraper *scraper }

// NewPrometheus makes the source.
func NewPrometheus(limits Limits) *Prometheus { return &Prometheus{newScraper(limits)} }

// Name is Prometheus.
func (*Prometheus) Name() v1alpha1.ProgressSource { return v1alpha1.ProgressPrometheus }

// Read reads the metrics that the ElasticJob names. Where it does not choose this source, a pod
// with the annotation prometheus.io/scrape is looked at for well-known ones: whatever else is there
// was never meant for us, so nothing about it is an error but ErrNone.
func (p *Prometheus) Read(ctx context.Context, t Target) (Sample, error) {
	pod, err := serving(t)
	if err != nil {
		return Sample{}, err
	}
	if t.Spec.Source == p.Name() {
		return p.asked(ctx, t, pod)
	}
	if pod.Annotations[scrapeAnnotation] != "true" {
		return Sample{}, fail(errNotOffered, "pod %s has no annotation %s: \"true\"", pod.Name, scrapeAnnotation)
	}
	var names []string
	for _, known := range wellKnown {
		names = append(names, known.done)
		if known.total != "" {
			names = append(names, known.total)
		}
	}
	all, err := p.scrape(ctx, t, pod, append(names, MetricDoneAt, MetricSavedAt))
	if err == nil {
		for _, known := range wellKnown {
			if len(all[known.done]) > 0 {
				return all.of(t, known)
			}
		}
		err = fail(ErrNone, "pod %s serves no metric of progress that is known", pod.Name)
	}
	return Sample{}, fail(ErrNone, "nobody has said that there is progress to be read: %v", err)
}

// asked reads what the ElasticJob names.
func (p *Prometheus) asked(ctx context.Context, t Target, pod *corev1.Pod) (Sample, error) {
	named := pair{done: t.Spec.Metric, total: t.Spec.TotalMetric}
	if named.done == "" {
		return Sample{}, fail(ErrMissing, "spec.progress.metric must name the metric that counts what is done")
	}
	names := []string{named.done, MetricSavedAt}
	if named.total != "" {
		names = append(names, named.total)
	}
	all, err := p.scrape(ctx, t, pod, names)
	if err != nil {
		return Sample{}, err
	}
	return all.of(t, named)
}

func (p *Prometheus) scrape(ctx context.Context, t Target, pod *corev1.Pod, names []string) (series, error) {
	port, err := annotatedPort(pod, portAnnotation)
	if t.Spec.Port != nil {
		port, err = int(*t.Spec.Port), nil
	}
	if err != nil {
		return nil, err
	}
	if port == 0 {
		return nil, fail(ErrMissing, "it is not known at which port pod %s serves its metrics: give spec.progress.port or "+
			"the annotation %s", pod.Name, portAnnotation)
	}
	from, err := endpoint(pod, port, cmp.Or(t.Spec.Path, pod.Annotations[pathAnnotation], "/metrics"))
	if err != nil {
		return nil, err
	}
	all, _, err := p.scraper.scrape(ctx, from, names)
	return all, err
}

// of reads a pair of metrics.
func (s series) of(t Target, names pair) (Sample, error) {
	if names.done == MetricDone && t.Spec.Metric == "" {
		return s.ofTakt(t)
	}
	done, err := s.furthest(names.done)
	if err != nil {
		return Sample{}, err
	}
	if done == nil {
		return Sample{}, fail(ErrMissing, "the metric %s is not served: is its name right?", names.done)
	}
	said, err := planned(t, names.unit)
	if err != nil {
		return Sample{}, err
	}
	sample := Sample{Done: done.GetUntyped().GetValue(), Total: said, Unit: names.unit}
	if milliseconds := done.GetTimestampMs(); milliseconds > 0 {
		sample.At = time.UnixMilli(milliseconds).UTC()
	}
	switch {
	case names.total != "":
		total, err := s.furthest(names.total)
		if err != nil {
			return Sample{}, err
		}
		if total == nil && said == 0 {
			return Sample{}, fail(ErrMissing, "the metric %s is not served: is its name right?", names.total)
		}
		if total != nil {
			sample.Total = total.GetUntyped().GetValue()
		}
	case names.unit == Share:
		sample.Total = 1
	case said == 0:
		return Sample{}, fail(ErrMissing, "%s is %g, but not of how many: give spec.progress.total or totalMetric",
			names.done, sample.Done)
	}
	if epochs, wrong := s.furthest(metricEpochs); names.unit == stepsUnit && wrong == nil && epochs != nil {
		sample.Beside.Epochs = epochs.GetUntyped().GetValue()
	}
	sample.SavedAt, err = s.moment(MetricSavedAt)
	return sample, err
}

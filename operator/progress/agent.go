package progress

import (
	"cmp"
	"context"

	"github.com/takt-dev/takt/api/v1alpha1"
)

// What Takt's agent serves under /metrics, at the port in the annotation of its pod.
const (
	// AgentPortAnnotation is the port of the agent, on a pod that has one.
	AgentPortAnnotation = "takt.dev/agent-port"
	// MetricDone counts what is done. Its label unit says what is counted.
	MetricDone = "takt_progress_done"
	// MetricTotal is what MetricDone counts up to. Absent or 0, it is not known.
	MetricTotal = "takt_progress_total"
	// MetricDoneAt is when MetricDone was last told, in seconds since 1970.
	MetricDoneAt = "takt_progress_timestamp_seconds"
	// MetricSavedAt is when the job last saved its state, in seconds since 1970.
	MetricSavedAt = "takt_checkpoint_timestamp_seconds"

	unitLabel = "unit"
	agentPath = "/metrics"
)

// Agent reads the agent in the first worker.
type Agent struct{ scraper *scraper }

// NewAgent makes the source.
func NewAgent(limits Limits) *Agent { return &Agent{newScraper(limits)} }

// Name is Agent.
func (*Agent) Name() v1alpha1.ProgressSource { return v1alpha1.ProgressAgent }

// Read fails with ErrNone where the first worker has no agent, or the agent has seen no progress.
func (a *Agent) Read(ctx context.Context, t Target) (Sample, error) {
	pod, err := first(t)
	if err != nil {
		return Sample{}, err
	}
	port, err := annotatedPort(pod, AgentPortAnnotation)
	if err != nil {
		return Sample{}, err
	}
	if port == 0 {
		return Sample{}, fail(ErrNone, "pod %s has no agent: it lacks the annotation %s", pod.Name, AgentPortAnnotation)
	}
	from, err := endpoint(pod, port, agentPath)
	if err != nil {
		return Sample{}, err
	}
	all, err := a.scraper.scrape(ctx, from, []string{MetricDone, MetricTotal, MetricDoneAt, MetricSavedAt})
	if err != nil {
		return Sample{}, err
	}
	return all.ofTakt(t)
}

// ofTakt reads the agent's metrics.
func (s series) ofTakt(t Target) (Sample, error) {
	var sample Sample
	done, err := s.furthest(MetricDone)
	if err != nil {
		return sample, err
	}
	if done == nil {
		return sample, fail(ErrNone, "%s is not served: no progress was seen yet", MetricDone)
	}
	total, err := s.furthest(MetricTotal)
	if err != nil {
		return sample, err
	}
	sample.Done = done.GetUntyped().GetValue()
	for _, label := range done.GetLabel() {
		if label.GetName() == unitLabel {
			sample.Unit = label.GetValue()
		}
	}
	said, err := planned(t, sample.Unit)
	if err != nil {
		return sample, err
	}
	if sample.Total = cmp.Or(total.GetUntyped().GetValue(), said); sample.Total == 0 {
		return sample, fail(ErrMissing, "%g are done, but not of how many: give spec.progress.total", sample.Done)
	}
	if sample.At, err = s.moment(MetricDoneAt); err != nil {
		return sample, err
	}
	sample.SavedAt, err = s.moment(MetricSavedAt)
	return sample, err
}

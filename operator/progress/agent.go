package progress

import (
	"cmp"
	"context"
	"errors"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/takt-dev/takt/agent/contract"
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

// Agent reads the agent in a worker.
type Agent struct {
	scraper *scraper

	mu sync.Mutex
	at map[types.UID]int // how far behind its port the agent of a pod is; at most maxMemory
}

// NewAgent makes the source.
func NewAgent(limits Limits) *Agent {
	return &Agent{scraper: newScraper(limits), at: map[types.UID]int{}}
}

// Name is Agent.
func (*Agent) Name() v1alpha1.ProgressSource { return v1alpha1.ProgressAgent }

// Read fails with ErrNone where the worker has no agent, or has ended with it, or the agent has seen no progress.
func (a *Agent) Read(ctx context.Context, t Target) (Sample, error) {
	pod, err := serving(t)
	if err != nil {
		return Sample{}, err
	}
	all, _, err := a.of(ctx, pod, MetricDone, MetricTotal, MetricDoneAt, MetricSavedAt)
	if err != nil {
		return Sample{}, err
	}
	return all.ofTakt(t)
}

// of gives the samples of metrics that the agent of a pod serves: at its port, or at one of the next, where others in
// the network of its node have come before it. With them comes how far the clock of its node is ahead of ours.
func (a *Agent) of(ctx context.Context, pod *corev1.Pod, names ...string) (series, time.Duration, error) {
	port, err := annotatedPort(pod, AgentPortAnnotation)
	if err != nil {
		return nil, 0, err
	}
	if port == 0 {
		return nil, 0, fail(errNotOffered, "pod %s has no agent: it lacks the annotation %s", pod.Name, AgentPortAnnotation)
	}
	ctx, cancel := a.scraper.limits.within(ctx)
	defer cancel()
	names = append(names, contract.MetricPod)
	var first error
	ports, last := min(contract.Ports, 1<<16-port), a.last(pod.UID)
	for i := range ports {
		at := (last + i) % ports
		from, err := endpoint(pod, port+at, agentPath)
		if err != nil {
			return nil, 0, err
		}
		all, ahead, err := a.scraper.scrape(ctx, from, names)
		if err == nil {
			err = all.from(pod, port+at, at == 0)
		}
		if err == nil {
			a.found(pod.UID, at)
			return all, ahead, nil
		}
		if first == nil || at == 0 {
			first = err
		}
		if errors.Is(err, ErrTimeout) {
			break
		}
	}
	return nil, 0, first
}

// from fails if another pod's agent has answered. One that does not know its pod is believed at its own port.
func (s series) from(pod *corev1.Pod, port int, own bool) error {
	for _, metric := range s[contract.MetricPod] {
		for _, label := range metric.GetLabel() {
			if label.GetName() != contract.PodLabel {
				continue
			}
			if label.GetValue() == string(pod.UID) {
				return nil
			}
			own = false
		}
	}
	if own {
		return nil
	}
	return fail(ErrUnreachable, "at port %d of pod %s another pod answers: write another port for its job in the "+
		"annotation %s of its template", port, pod.Name, AgentPortAnnotation)
}

// last is how far behind its port the agent of a pod was found.
func (a *Agent) last(pod types.UID) int {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.at[pod]
}

// found remembers where the agent of a pod is, unless it is at its own port.
func (a *Agent) found(pod types.UID, at int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if at == 0 {
		delete(a.at, pod)
		return
	}
	keep(a.at, pod, at)
}

// ofTakt reads the agent's metrics.
func (s series) ofTakt(t Target) (Sample, error) {
	var sample Sample
	done, err := s.furthest(MetricDone)
	if err != nil {
		return sample, err
	}
	if sample.SavedAt, err = s.moment(MetricSavedAt); err != nil {
		return Sample{}, err
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
	sample.At, err = s.moment(MetricDoneAt)
	return sample, err
}

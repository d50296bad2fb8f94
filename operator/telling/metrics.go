package telling

import (
	"errors"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic/resize"
)

// mostQueues bounds the queues that have figures of their own, and mostPools the pools; those beyond share one.
const (
	mostQueues = 100
	mostPools  = 100
)

// others is what those are called that have no figures of their own.
const others = "(others)"

// Metrics are what Prometheus sees of all jobs together. No label names a job: JobFigures have those of single jobs.
type Metrics struct {
	deadlines  *prometheus.CounterVec
	CutShort   *prometheus.CounterVec
	prediction prometheus.Histogram
	resizes    *prometheus.HistogramVec
	lost       *prometheus.CounterVec
	plans      *prometheus.HistogramVec
	gpus       *prometheus.GaugeVec
	Jobs       *prometheus.GaugeVec
	shares     *prometheus.GaugeVec
	costs      *prometheus.GaugeVec
	pools      *prometheus.GaugeVec
	demands    *prometheus.GaugeVec
	paid       *prometheus.CounterVec

	mu     sync.Mutex
	queues map[string]bool
}

// NewMetrics are metrics of which nothing is counted yet.
func NewMetrics() *Metrics {
	opts := func(name, help string) prometheus.Opts {
		return prometheus.Opts{Namespace: "takt", Name: name, Help: help}
	}
	histogram := func(name, help string, buckets []float64) prometheus.HistogramOpts {
		return prometheus.HistogramOpts{Namespace: "takt", Name: name, Help: help, Buckets: buckets}
	}
	m := &Metrics{
		deadlines: prometheus.NewCounterVec(prometheus.CounterOpts(opts("deadlines_total",
			"Deadlines that were met, and that were missed.")), []string{"queue", "outcome"}),
		CutShort: prometheus.NewCounterVec(prometheus.CounterOpts(opts("jobs_cut_short_total",
			"Jobs that workers who left have ended before their work was done.")), []string{"queue"}),
		prediction: prometheus.NewHistogram(histogram("prediction_error_ratio",
			"How far the end that was expected when half of a job was done was from its end, as a part of the second half.",
			[]float64{.01, .02, .05, .1, .2, .5, 1, 2})),
		resizes: prometheus.NewHistogramVec(histogram("resize_seconds",
			"How long resizes took, from the decision to the end.",
			[]float64{1, 2, 5, 10, 20, 60, 120, 300, 600, 1800}), []string{"mode", "direction", "end"}),
		lost: prometheus.NewCounterVec(prometheus.CounterOpts(opts("resize_lost_gpu_seconds_total",
			"GPU time in which nothing was trained because of resizes, and of which the work had to be done again.")), []string{
			"mode",
		}),
		plans: prometheus.NewHistogramVec(histogram("plan_seconds",
			"How long a plan took, from looking at the cluster to having acted on it.",
			[]float64{.001, .003, .01, .03, .1, .3, 1, 3, 10}), []string{"result"}),
		gpus: prometheus.NewGaugeVec(prometheus.GaugeOpts(opts("gpus",
			"GPUs that jobs are to have, by queue and verdict.")), []string{"queue", "verdict"}),
		Jobs: prometheus.NewGaugeVec(prometheus.GaugeOpts(opts("jobs",
			"Jobs that are planned for or left alone, by queue and verdict.")), []string{"queue", "verdict"}),
		shares: prometheus.NewGaugeVec(prometheus.GaugeOpts(opts("queue_gpus",
			"GPUs that a queue is guaranteed (share guaranteed), and those that it may have at most (share limit), where "+
				"it says so.")),
			[]string{"queue", "share"}),
		costs: prometheus.NewGaugeVec(prometheus.GaugeOpts(opts("queue_cost",
			"What the GPUs of a queue's present jobs cost, in the currency of gpus.prices: so far, and expected at their end.")),
			[]string{"queue", "estimate"}),
		pools: prometheus.NewGaugeVec(prometheus.GaugeOpts(opts("pool_gpus",
			"GPUs that jobs of Takt may have, by their kind: all but what others hold.")), []string{"pool"}),
		demands: prometheus.NewGaugeVec(prometheus.GaugeOpts(opts("demanded_gpus",
			"GPUs that pods outside of Takt's care wait for, by their kind.")), []string{"pool"}),
		paid: prometheus.NewCounterVec(prometheus.CounterOpts(opts("deadline_cost_total",
			"What the GPUs of jobs with a deadline have cost that have ended, by whether it was met, in the currency of "+
				"gpus.prices.")),
			[]string{"queue", "outcome"}),
		queues: map[string]bool{},
	}
	m.begin(others)
	for _, result := range []string{planned, failed} {
		m.plans.WithLabelValues(result)
	}
	for _, mode := range []v1alpha1.ResizeMode{v1alpha1.ResizeLive, v1alpha1.ResizeCold} {
		m.lost.WithLabelValues(string(mode))
		for _, direction := range []string{start, grow, shrink, stop} {
			for _, end := range v1alpha1.ResizeEnds {
				m.resizes.WithLabelValues(string(mode), direction, end)
			}
		}
	}
	return m
}

// Which way resizes go, and what becomes of plans.
const (
	start, grow, shrink, stop = "start", "grow", "shrink", "stop"
	planned, failed           = "planned", "failed"
)

// Register shows the metrics. Several operators in one process, as in tests, share them.
func (m *Metrics) Register(r prometheus.Registerer) error {
	return errors.Join(
		shared(r, &m.deadlines), shared(r, &m.prediction), shared(r, &m.resizes), shared(r, &m.lost),
		shared(r, &m.CutShort), shared(r, &m.plans), shared(r, &m.gpus), shared(r, &m.Jobs),
		shared(r, &m.shares), shared(r, &m.costs), shared(r, &m.pools), shared(r, &m.demands), shared(r, &m.paid))
}

func shared[C prometheus.Collector](r prometheus.Registerer, collector *C) error {
	err := r.Register(*collector)
	if there, ok := errors.AsType[prometheus.AlreadyRegisteredError](err); ok {
		*collector = there.ExistingCollector.(C)
		return nil
	}
	return err
}

// knows notes which queues there are: anyone can write any name on a job, and none that is invented gets figures of
// its own. Those of queues that are gone are dropped once another needs the place.
func (m *Metrics) knows(queues []*v1alpha1.TrainingQueue) {
	m.mu.Lock()
	defer m.mu.Unlock()
	there := map[string]bool{}
	for _, queue := range queues {
		there[queue.Name] = true
	}
	for _, queue := range queues {
		if m.queues[queue.Name] {
			continue
		}
		if len(m.queues) >= mostQueues {
			m.forgetOthers(there)
		}
		if len(m.queues) >= mostQueues {
			return
		}
		m.queues[queue.Name] = true
		m.begin(queue.Name)
	}
}

// begin counts from zero: a counter that is first seen at one has not risen, as far as Prometheus can tell.
func (m *Metrics) begin(queue string) {
	m.deadlines.WithLabelValues(queue, "met")
	m.deadlines.WithLabelValues(queue, "missed")
	m.CutShort.WithLabelValues(queue)
}

// forgetOthers drops the figures of queues that are not there any more.
func (m *Metrics) forgetOthers(there map[string]bool) {
	for name := range m.queues {
		if !there[name] {
			delete(m.queues, name)
			m.deadlines.DeletePartialMatch(prometheus.Labels{"queue": name}) // the gauges are made anew by each plan
			m.CutShort.DeletePartialMatch(prometheus.Labels{"queue": name})
			m.paid.DeletePartialMatch(prometheus.Labels{"queue": name})
		}
	}
}

// queue is a queue as a label.
func (m *Metrics) queue(name string) string {
	m.mu.Lock()
	defer m.mu.Unlock()
	if !m.queues[name] {
		return others
	}
	return name
}

// Planned counts a plan, or one that has failed.
func (m *Metrics) Planned(took time.Duration, err error) {
	result := planned
	if err != nil {
		result = failed
	}
	m.plans.WithLabelValues(result).Observe(took.Seconds())
}

// Judged counts a deadline that was met or missed.
func (m *Metrics) Judged(queue string, verdict v1alpha1.Verdict) {
	m.deadlines.WithLabelValues(m.queue(queue), outcomes[verdict]).Inc()
}

var outcomes = map[v1alpha1.Verdict]string{v1alpha1.VerdictMet: "met", v1alpha1.VerdictMissed: "missed"}

// Paid counts what a job has cost that had a deadline and has ended.
func (m *Metrics) Paid(queue string, verdict v1alpha1.Verdict, cost float64) {
	if outcome, judged := outcomes[verdict]; judged && cost >= 0 {
		m.paid.WithLabelValues(m.queue(queue), outcome).Add(cost)
	}
}

// Predicted counts by how much the end of a job was missed that was expected half way.
func (m *Metrics) Predicted(missedBy float64) { m.prediction.Observe(missedBy) }

// Cut counts a job that a resize has ended.
func (m *Metrics) Cut(queue string) { m.CutShort.WithLabelValues(m.queue(queue)).Inc() }

// Resized counts a resize that has ended, and what it has cost: each worker has so many GPUs.
func (m *Metrics) Resized(r *v1alpha1.Resize, took time.Duration, cost resize.Cost, each int) {
	direction := grow
	switch {
	case r.Spec.From == 0:
		direction = start
	case r.Spec.To == 0:
		direction = stop
	case r.Spec.To < r.Spec.From:
		direction = shrink
	}
	m.resizes.WithLabelValues(string(r.Spec.Mode), direction, r.Ending().Type).Observe(took.Seconds())
	m.Lost(r, cost, each)
}

// Lost counts what a resize has cost, or how much more than was counted.
func (m *Metrics) Lost(r *v1alpha1.Resize, cost resize.Cost, each int) {
	had, kept := float64(r.Spec.From), float64(min(r.Spec.From, r.Spec.To))
	if lost := cost.Pause.Seconds()*kept + cost.Lost.Seconds()*had; lost > 0 {
		m.lost.WithLabelValues(string(r.Spec.Mode)).Add(lost * float64(each))
	}
}

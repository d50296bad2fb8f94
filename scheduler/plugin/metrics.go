package plugin

import (
	"strconv"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/component-base/metrics"
	"k8s.io/component-base/metrics/legacyregistry"
	"k8s.io/klog/v2"
	"k8s.io/kubernetes/pkg/scheduler/framework"

	"github.com/takt-dev/takt/scheduler/gang"
	"github.com/takt-dev/takt/scheduler/pack"
)

const subsystem = "takt_scheduler"

// They are told with kube-scheduler's own.
var (
	placedGangs = metrics.NewCounter(&metrics.CounterOpts{
		Subsystem: subsystem, Name: "gangs_placed_total", StabilityLevel: metrics.ALPHA,
		Help: "Gangs of which every pod was given a node.",
	})
	released = metrics.NewCounter(&metrics.CounterOpts{
		Subsystem: subsystem, Name: "gangs_released_total", StabilityLevel: metrics.ALPHA,
		Help: "Gangs that have let go of nodes which some of their pods held already.",
	})
	claims = metrics.NewCounter(&metrics.CounterOpts{
		Subsystem: subsystem, Name: "gangs_starving_total", StabilityLevel: metrics.ALPHA,
		Help: "Gangs that had been waiting for so long that nodes were kept for them.",
	})
	placeSeconds = metrics.NewHistogram(&metrics.HistogramOpts{
		Subsystem: subsystem, Name: "gang_wait_seconds", StabilityLevel: metrics.ALPHA,
		Help:    "How long gangs have waited from when all their pods were there until all had a node.",
		Buckets: metrics.ExponentialBuckets(0.01, 2, 24), // to a day
	})
	trialSeconds = metrics.NewHistogram(&metrics.HistogramOpts{
		Subsystem: subsystem, Name: "gang_trial_seconds", StabilityLevel: metrics.ALPHA,
		Help:    "How long it took to find out whether a gang fits.",
		Buckets: metrics.ExponentialBuckets(0.0001, 2, 16),
	})
	reports = metrics.NewCounterVec(&metrics.CounterOpts{
		Subsystem: subsystem, Name: "reports_total", StabilityLevel: metrics.ALPHA,
		Help: "What was told to Resizes, by what became of it: written, gone or failed.",
	}, []string{"result"})
	once sync.Once
)

// What becomes of a report.
const reportWritten, reportGone, reportFailed = "written", "gone", "failed"

// registerMetrics is done once for a process, as its registry is.
func registerMetrics(h *sharedState) {
	once.Do(func() { show(h, legacyregistry.MustRegister, legacyregistry.CustomMustRegister) })
}

// show registers the metrics.
func show(h *sharedState, register func(...metrics.Registerable), registerCustom func(...metrics.StableCollector)) {
	register(placedGangs, released, claims, placeSeconds, trialSeconds, reports)
	for _, result := range []string{reportWritten, reportGone, reportFailed} {
		reports.WithLabelValues(result) // what is first seen at one has not risen, as far as Prometheus can tell
	}
	registerCustom(&gauges{state: h})
}

// timed notes how long a trial has taken.
func (h *sharedState) timed(began time.Time) {
	trialSeconds.Observe(h.clock().Sub(began).Seconds())
}

// gauges are found when somebody asks.
type gauges struct {
	metrics.BaseStableCollector
	state *sharedState
}

var (
	waitingDesc = metrics.NewDesc(subsystem+"_gangs_waiting", "Gangs that have pods without a node.", nil, nil,
		metrics.ALPHA, "")
	freeDesc  = metrics.NewDesc(subsystem+"_gpus_free", "GPUs that no pod has been given.", nil, nil, metrics.ALPHA, "")
	wasteDesc = metrics.NewDesc(subsystem+"_gpus_unusable",
		"Those of the free GPUs that no pod of this many GPUs can use: all on nodes that take no pods, and what is left "+
			"over on the others.",
		[]string{"pod_gpus"}, nil, metrics.ALPHA, "")
)

// DescribeWithStability is for the registry.
func (*gauges) DescribeWithStability(ch chan<- *metrics.Desc) {
	ch <- waitingDesc
	ch <- freeDesc
	ch <- wasteDesc
}

// CollectWithStability is for the registry.
func (g *gauges) CollectWithStability(ch chan<- metrics.Metric) {
	gauge := func(desc *metrics.Desc, value int, labels ...string) {
		ch <- metrics.NewLazyConstMetric(desc, metrics.GaugeValue, float64(value), labels...)
	}
	waiting := 0
	g.state.with(func(b *gang.Book, _ time.Time) { waiting = b.Waiting() })
	gauge(waitingDesc, waiting)
	free, unusable, err := g.state.fragmentation()
	if err != nil {
		klog.ErrorS(err, "Cannot tell how GPUs are fragmented")
		return
	}
	gauge(freeDesc, free)
	for _, size := range []int{1, 2, 4, 8} {
		gauge(wasteDesc, unusable[size], strconv.Itoa(size))
	}
}

// fragmentation counts the free GPUs, and those of them that pods of 1, 2, 4 and 8 GPUs cannot use.
func (h *sharedState) fragmentation() (free int, unusable map[int]int, err error) {
	informers := h.handle.SharedInformerFactory().Core().V1()
	nodes, err := informers.Nodes().Lister().List(labels.Everything())
	if err != nil {
		return 0, nil, err
	}
	pods, err := informers.Pods().Lister().List(labels.Everything())
	if err != nil {
		return 0, nil, err
	}
	used := map[string]int{}
	for _, pod := range pods {
		if pod.Spec.NodeName == "" || ended(pod) {
			continue
		}
		info, err := framework.NewPodInfo(pod)
		if err != nil {
			continue // as the scheduler does
		}
		for _, name := range h.settings.Packing.Resources {
			used[pod.Spec.NodeName] += gpusOf(info, corev1.ResourceName(name))
		}
	}
	unusable = map[int]int{}
	for _, node := range nodes {
		has := 0
		for _, name := range h.settings.Packing.Resources {
			quantity := node.Status.Allocatable[corev1.ResourceName(name)]
			has += int(quantity.Value())
		}
		left := max(has-used[node.Name], 0)
		free += left
		for _, size := range []int{1, 2, 4, 8} {
			if takesPods(node) {
				unusable[size] += pack.Unusable(left, size)
			} else {
				unusable[size] += left
			}
		}
	}
	return free, unusable, nil
}

// takesPods says that a node is not closed to all pods.
func takesPods(node *corev1.Node) bool {
	if node.Spec.Unschedulable || node.DeletionTimestamp != nil {
		return false
	}
	for _, c := range node.Status.Conditions {
		if c.Type == corev1.NodeReady {
			return c.Status == corev1.ConditionTrue
		}
	}
	return false
}

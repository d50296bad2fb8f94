package progress

import (
	"cmp"
	"context"
	"errors"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/client-go/rest"
	"k8s.io/metrics/pkg/apis/metrics/v1beta1"
	metrics "k8s.io/metrics/pkg/client/clientset/versioned"
)

// DefaultGPUMetric is the use of a GPU in percent, as NVIDIA's exporter names it.
const DefaultGPUMetric = "DCGM_FI_DEV_GPU_UTIL"

// Usage is how busy the workers of a job are. What is not known is nil.
type Usage struct {
	// GPUPercent is the mean of the workers, of 0 to 100.
	GPUPercent *float64
	// CPUPercent is what the workers use of what they request. It can be more than 100.
	CPUPercent *float64
	// At is when the oldest of the measurements was made.
	At time.Time
}

// UsageReader reads how busy workers are.
type UsageReader struct {
	metrics   metrics.Interface
	custom    *customMetrics
	gpuMetric string
	limits    Limits
	now       func() time.Time

	mu        sync.Mutex
	refusedAt time.Time // when the operator was told at last that it may not read the metric of GPUs
}

// askAgain is how long it takes until a metric is asked for again that was refused: somebody has to grant that right.
const askAgain = 30 * time.Minute

// NewUsageReader makes a reader of CPU use from metrics.k8s.io and of GPU use from a custom metric
// of pods, which must be the mean of the GPUs of a pod. An empty name stands for DefaultGPUMetric.
func NewUsageReader(pods metrics.Interface, custom rest.Interface, gpuMetric string, limits Limits,
	now func() time.Time) *UsageReader {
	return &UsageReader{
		metrics: pods, custom: &customMetrics{client: custom, limits: limits},
		gpuMetric: cmp.Or(gpuMetric, DefaultGPUMetric), limits: limits, now: now,
	}
}

// Read fails with ErrNone where the cluster serves neither for the workers.
func (u *UsageReader) Read(ctx context.Context, t Target) (Usage, error) {
	if len(t.Pods) == 0 {
		return Usage{}, fail(ErrNone, "no worker runs")
	}
	usage, gpuErr := u.gpus(ctx, t)
	cpu, cpuErr := u.cpus(ctx, t)
	usage.CPUPercent = cpu.CPUPercent
	if !cpu.At.IsZero() && (usage.At.IsZero() || cpu.At.Before(usage.At)) {
		usage.At = cpu.At
	}
	if gpuErr == nil || cpuErr == nil {
		return usage, nil // half of it is worth having
	}
	if errors.Is(gpuErr, ErrNone) {
		return Usage{}, cpuErr
	}
	return Usage{}, gpuErr
}

func (u *UsageReader) refused() bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	return !u.refusedAt.IsZero() && u.now().Sub(u.refusedAt) < askAgain
}

func (u *UsageReader) gpus(ctx context.Context, t Target) (Usage, error) {
	if u.refused() {
		return Usage{}, fail(ErrNone, "the operator may not read the custom metric %s of pods: give it the right to "+
			"get that, as a resource of custom.metrics.k8s.io", u.gpuMetric)
	}
	values, err := ofPods(ctx, u.custom, t, u.gpuMetric)
	if apierrors.IsForbidden(err) {
		u.mu.Lock()
		defer u.mu.Unlock()
		u.refusedAt = u.now()
		return Usage{}, err
	}
	if errors.Is(err, ErrMissing) || err == nil && len(values) == 0 {
		return Usage{}, fail(ErrNone, "the cluster serves no custom metric %s of the workers", u.gpuMetric)
	}
	if err != nil {
		return Usage{}, err
	}
	var usage Usage
	sum := 0.0
	for _, value := range values {
		percent := value.Value.AsApproximateFloat64()
		if percent < 0 || percent > 100.5 {
			return Usage{}, fail(ErrLie, "%s of pod %s is %g, but must be the mean of its GPUs in percent: does the adapter "+
				"take the sum?", u.gpuMetric, value.DescribedObject.Name, percent)
		}
		sum += percent
		usage.At = earlier(usage.At, value.Timestamp.Time)
	}
	mean := min(sum/float64(len(values)), 100)
	usage.GPUPercent = &mean
	return usage, nil
}

func (u *UsageReader) cpus(ctx context.Context, t Target) (Usage, error) {
	ctx, cancel := u.limits.within(ctx)
	defer cancel()
	list, err := u.metrics.MetricsV1beta1().PodMetricses(t.Namespace).List(ctx, metav1.ListOptions{
		LabelSelector: labels.SelectorFromSet(sharedLabels(t.Pods)).String(),
	})
	if apierrors.IsNotFound(err) || apierrors.IsServiceUnavailable(err) {
		return Usage{}, fail(ErrNone, "the cluster does not serve metrics.k8s.io: install metrics-server")
	}
	if err != nil {
		return Usage{}, unanswered(err, "metrics.k8s.io does not answer")
	}
	var usage Usage
	used, requested := 0.0, 0.0
	for i := range list.Items {
		item := &list.Items[i]
		pod := named(t.Pods, item.Name)
		if pod == nil {
			continue
		}
		used += cores(item)
		requested += request(pod)
		usage.At = earlier(usage.At, item.Timestamp.Time)
	}
	if requested == 0 {
		return Usage{}, fail(ErrNone, "there is no CPU use of workers that request CPUs")
	}
	percent := 100 * used / requested
	usage.CPUPercent = &percent
	return usage, nil
}

func cores(of *v1beta1.PodMetrics) float64 {
	sum := 0.0
	for _, container := range of.Containers {
		sum += container.Usage.Cpu().AsApproximateFloat64()
	}
	return sum
}

// request is how many cores a pod has asked for. A limit alone is a request, too.
func request(pod *corev1.Pod) float64 {
	sum := 0.0
	for _, container := range pod.Spec.Containers {
		asked := container.Resources.Requests.Cpu()
		if asked.IsZero() {
			asked = container.Resources.Limits.Cpu()
		}
		sum += asked.AsApproximateFloat64()
	}
	return sum
}

// earlier is the earlier of two times, of which the first may not be known yet.
func earlier(a, b time.Time) time.Time {
	if a.IsZero() || b.Before(a) {
		return b
	}
	return a
}

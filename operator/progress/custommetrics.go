package progress

import (
	"context"

	"k8s.io/client-go/rest"
	"k8s.io/metrics/pkg/apis/custom_metrics/v1beta2"

	"github.com/takt-dev/takt/api/v1alpha1"
)

// CustomMetrics reads metrics that an adapter serves through the API server.
type CustomMetrics struct{ api *customMetrics }

// NewCustomMetrics makes the source. Any REST client of the cluster does, such as that of discovery;
// it must be allowed to get pods and jobs in the group custom.metrics.k8s.io.
func NewCustomMetrics(client rest.Interface, limits Limits) *CustomMetrics {
	return &CustomMetrics{&customMetrics{client: client, limits: limits}}
}

// Name is CustomMetrics.
func (*CustomMetrics) Name() v1alpha1.ProgressSource { return v1alpha1.ProgressCustomMetrics }

// Read reads the metrics that the ElasticJob names, of the job or else of its workers. Without a
// name there is nothing to ask for, and it fails with ErrNone.
func (c *CustomMetrics) Read(ctx context.Context, t Target) (Sample, error) {
	if t.Spec.Source != c.Name() {
		return Sample{}, fail(errNotOffered, "spec.progress does not name a custom metric")
	}
	if t.Spec.Metric == "" {
		return Sample{}, fail(ErrMissing, "spec.progress.metric must name the metric that counts what is done")
	}
	planned, err := specTotal(t)
	if err != nil {
		return Sample{}, err
	}
	if planned == 0 && t.Spec.TotalMetric == "" {
		return Sample{}, fail(ErrMissing, "it is not known what %s counts up to: give spec.progress.total or totalMetric",
			t.Spec.Metric)
	}
	done, err := c.furthest(ctx, t, t.Spec.Metric)
	if err != nil {
		return Sample{}, err
	}
	sample := Sample{Done: done.Value.AsApproximateFloat64(), Total: planned, At: done.Timestamp.Time}
	if planned == 0 {
		total, err := c.furthest(ctx, t, t.Spec.TotalMetric)
		if err != nil {
			return Sample{}, err
		}
		sample.Total = total.Value.AsApproximateFloat64()
	}
	return sample, nil
}

// furthest is the highest value of a metric of the job, or of its workers where the job has none.
func (c *CustomMetrics) furthest(ctx context.Context, t Target, metric string) (v1beta2.MetricValue, error) {
	if t.Resource.Resource != "" {
		values, err := c.api.of(ctx, t.Namespace, t.Resource.String(), t.Name, metric, nil)
		if err != nil {
			return v1beta2.MetricValue{}, err
		}
		if len(values) > 0 {
			return highest(values), nil
		}
	}
	if len(t.Pods) == 0 {
		return v1beta2.MetricValue{}, fail(ErrNone, "no worker runs")
	}
	values, err := ofPods(ctx, c.api, t, metric)
	if err != nil {
		return v1beta2.MetricValue{}, err
	}
	if len(values) == 0 {
		return v1beta2.MetricValue{}, fail(ErrMissing,
			"there is no custom metric %s of the job or of its workers: is its name right?", metric)
	}
	return highest(values), nil
}

// ofPods is a metric of the workers.
func ofPods(ctx context.Context, api *customMetrics, t Target, metric string) ([]v1beta2.MetricValue, error) {
	values, err := api.of(ctx, t.Namespace, "pods", v1beta2.AllObjects, metric, sharedLabels(t.Pods))
	if err != nil {
		return nil, err
	}
	var ours []v1beta2.MetricValue
	for _, value := range values {
		of := value.DescribedObject
		if (of.Namespace == "" || of.Namespace == t.Namespace) && named(t.Pods, of.Name) != nil {
			ours = append(ours, value)
		}
	}
	return ours, nil
}

func highest(values []v1beta2.MetricValue) v1beta2.MetricValue {
	best := values[0]
	for _, value := range values[1:] {
		if value.Value.Cmp(best.Value) > 0 {
			best = value
		}
	}
	return best
}

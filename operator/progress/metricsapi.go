package progress

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"sync/atomic"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/client-go/rest"
	"k8s.io/metrics/pkg/apis/custom_metrics"
	"k8s.io/metrics/pkg/apis/custom_metrics/v1beta1"
	"k8s.io/metrics/pkg/apis/custom_metrics/v1beta2"
)

// customMetrics asks the custom metrics API. The client of k8s.io/metrics takes no context and no
// limit, so its types alone are used here.
type customMetrics struct {
	client  rest.Interface
	limits  Limits
	version atomic.Pointer[string] // that was last served
}

// errNotServed: the cluster has no such API.
var errNotServed = fail(ErrMissing,
	"the cluster does not serve %s: install an adapter for it, such as prometheus-adapter", custom_metrics.GroupName)

// of gives a metric of an object, or of all objects that a selector chooses, where the name is *.
// Without an error there may be none.
func (c *customMetrics) of(ctx context.Context, namespace, resource, name, metric string,
	selector map[string]string) ([]v1beta2.MetricValue, error) {
	ctx, cancel := c.limits.within(ctx)
	defer cancel()
	version := v1beta2.SchemeGroupVersion.Version
	if known := c.version.Load(); known != nil {
		version = *known
	}
	items, err := c.get(ctx, version, namespace, resource, name, metric, selector)
	if !apierrors.IsNotFound(err) {
		return items, err
	}
	// Either the metric is not there, or the whole API, or this version of it.
	served, err := c.served(ctx)
	if err != nil || served == version {
		return nil, err
	}
	c.version.Store(&served)
	items, err = c.get(ctx, served, namespace, resource, name, metric, selector)
	if apierrors.IsNotFound(err) {
		return nil, nil
	}
	return items, err
}

func (c *customMetrics) get(ctx context.Context, version, namespace, resource, name, metric string,
	selector map[string]string) ([]v1beta2.MetricValue, error) {
	for part := range strings.SplitSeq(metric, "/") {
		if part == "." || part == ".." { // it would lead to another path of the API server
			return nil, fail(ErrGarbage, "%q is no name of a metric: give one such as train_steps_total", shortened(metric))
		}
	}
	request := c.client.Get().AbsPath("/apis", custom_metrics.GroupName, version, "namespaces", namespace, resource,
		name, metric)
	if len(selector) > 0 {
		request = request.Param("labelSelector", labels.SelectorFromSet(selector).String())
	}
	var list v1beta2.MetricValueList // the fields that are used here are those of v1beta1, too
	if err := c.read(ctx, request, &list); err != nil {
		return nil, err
	}
	return list.Items, nil
}

// served is the version of the API that the cluster serves.
func (c *customMetrics) served(ctx context.Context) (string, error) {
	var group metav1.APIGroup
	err := c.read(ctx, c.client.Get().AbsPath("/apis", custom_metrics.GroupName), &group)
	if apierrors.IsNotFound(err) {
		return "", errNotServed
	}
	if err != nil {
		return "", err
	}
	for _, version := range []string{v1beta2.SchemeGroupVersion.Version, v1beta1.SchemeGroupVersion.Version} {
		if slices.ContainsFunc(group.Versions, func(v metav1.GroupVersionForDiscovery) bool { return v.Version == version }) {
			return version, nil
		}
	}
	return "", errNotServed
}

// read reads a bounded JSON answer. A NotFound of the API server stays one.
func (c *customMetrics) read(ctx context.Context, request *rest.Request, into any) error {
	stream, err := request.SetHeader("Accept", "application/json").MaxRetries(0).Stream(ctx)
	switch {
	case apierrors.IsNotFound(err):
		return err
	case apierrors.IsForbidden(err):
		return &fault{kind: ErrUnreachable, message: "the operator may not read custom metrics: allow it to get " +
			custom_metrics.GroupName, cause: err}
	case err != nil:
		return unanswered(err, "%s does not answer", custom_metrics.GroupName)
	}
	defer stream.Close()
	if err := json.NewDecoder(c.limits.bound(stream)).Decode(into); err != nil {
		if ctx.Err() != nil {
			return unanswered(ctx.Err(), "%s breaks off its answer", custom_metrics.GroupName)
		}
		return &fault{
			kind: ErrGarbage, message: custom_metrics.GroupName + " gives an answer that cannot be read", cause: err,
		}
	}
	return nil
}

package operator

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/metrics/filters"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/operator/page"
	"github.com/takt-dev/takt/operator/settings"
	"github.com/takt-dev/takt/operator/telling"
)

// MetricsServer says how a manager serves Prometheus metrics. Secure means HTTPS, and that the API
// server is asked of every caller who it is and whether it may get /metrics.
func MetricsServer(s settings.Metrics) metricsserver.Options {
	options := metricsserver.Options{BindAddress: s.BindAddress}
	if !s.Secure {
		return options
	}
	options.SecureServing = true
	options.CertDir = s.CertDir
	options.FilterProvider = askWhoItIs
	options.TLSOpts = []func(*tls.Config){withoutHTTP2}
	return options
}

// askWhoItIs has the API server asked of every caller, of those with a browser too.
func askWhoItIs(config *rest.Config, web *http.Client) (metricsserver.Filter, error) {
	filter, err := filters.WithAuthenticationAndAuthorization(config, web)
	if err != nil {
		return nil, err
	}
	return page.Login(filter), nil
}

// withoutHTTP2 spares the operator the floods of streams that a caller can open over HTTP/2 before it
// has said who it is. A scrape is one request and gains nothing from it.
func withoutHTTP2(c *tls.Config) { c.NextProtos = []string{"http/1.1"} }

// servePage has a manager serve the page beside its metrics, if it is to be served. It shows what the cache has, so
// every replica serves it, the one that leads and those that stand by.
func servePage(ctx context.Context, m manager.Manager, s settings.Settings) error {
	if !s.Page.Enabled || !s.Metrics.Secure {
		return nil
	}
	server, err := page.New(m.GetClient(), s.Namespaces, time.Now)
	if err != nil {
		return err
	}
	informer, err := m.GetCache().GetInformer(ctx, &v1alpha1.ElasticJob{}, cache.BlockUntilSynced(false))
	if err != nil {
		return fmt.Errorf("watching ElasticJobs for the page: %w", err)
	}
	if _, err := informer.AddEventHandler(server.History.Handler()); err != nil {
		return fmt.Errorf("watching ElasticJobs for the page: %w", err)
	}
	return m.AddMetricsServerExtraHandler(page.Path, server)
}

// registerMetrics shows the metrics of Takt beside those of controller-runtime. Those of single jobs name them, as the
// snapshot does, and are for nobody who has not said who it is.
func (o *Operator) registerMetrics(ctx context.Context, registry prometheus.Registerer) error {
	if err := o.rooms.Metrics.Register(registry); err != nil {
		return err
	}
	if !o.rooms.Settings.Metrics.Secure || o.rooms.Settings.Metrics.Jobs == 0 {
		return nil
	}
	seen := func() ([]*v1alpha1.ElasticJob, []*v1alpha1.Resize) { return o.jobsSeen(ctx) }
	err := registry.Register(telling.NewJobFigures(o.rooms.Settings.Metrics.Jobs, seen, o.rooms.Now))
	if _, there := errors.AsType[prometheus.AlreadyRegisteredError](err); there {
		return nil // several operators in one process, as in tests
	}
	return err
}

// jobsSeen are the jobs and resizes in the cache while this replica works, and nothing while another does.
func (o *Operator) jobsSeen(ctx context.Context) ([]*v1alpha1.ElasticJob, []*v1alpha1.Resize) {
	select {
	case <-o.manager.Elected():
	default:
		return nil, nil
	}
	ctx, cancel := context.WithTimeout(ctx, scrapeWithin)
	defer cancel()
	var jobs v1alpha1.ElasticJobList
	var resizes v1alpha1.ResizeList
	if err := errors.Join(o.rooms.Client.List(ctx, &jobs), o.rooms.Client.List(ctx, &resizes)); err != nil {
		return nil, nil // the cache is not filled yet
	}
	return pointers(jobs.Items), pointers(resizes.Items)
}

// scrapeWithin is how long a scrape waits for a cache that is being filled.
const scrapeWithin = time.Second

// pointers point at each of the objects, and are not nil where there is none.
func pointers[T any](items []T) []*T {
	all := make([]*T, len(items))
	for i := range items {
		all[i] = &items[i]
	}
	return all
}

package operator

import (
	"crypto/tls"

	"sigs.k8s.io/controller-runtime/pkg/metrics/filters"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"

	"github.com/takt-dev/takt/operator/settings"
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
	options.FilterProvider = filters.WithAuthenticationAndAuthorization
	options.TLSOpts = []func(*tls.Config){withoutHTTP2}
	return options
}

// withoutHTTP2 spares the operator the floods of streams that a caller can open over HTTP/2 before it
// has said who it is. A scrape is one request and gains nothing from it.
func withoutHTTP2(c *tls.Config) { c.NextProtos = []string{"http/1.1"} }

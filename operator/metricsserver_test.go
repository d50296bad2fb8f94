package operator

import (
	"crypto/tls"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/takt-dev/takt/operator/settings"
)

func TestMetricsAreServedAsTheSettingsSay(t *testing.T) {
	type served struct {
		Address, CertDir   string
		HTTPS, AsksWhoItIs bool
		Protocols          []string
	}
	for name, test := range map[string]struct {
		given settings.Metrics
		want  served
	}{
		"default": {settings.Default().Metrics,
			served{Address: ":8443", HTTPS: true, AsksWhoItIs: true, Protocols: []string{"http/1.1"}}},
		"own certificate": {settings.Metrics{BindAddress: ":1", Secure: true, CertDir: "/certs"},
			served{Address: ":1", CertDir: "/certs", HTTPS: true, AsksWhoItIs: true, Protocols: []string{"http/1.1"}}},
		"in the clear": {settings.Metrics{BindAddress: "127.0.0.1:8080"}, served{Address: "127.0.0.1:8080"}},
		"none":         {settings.Metrics{BindAddress: "0"}, served{Address: "0"}},
	} {
		t.Run(name, func(t *testing.T) {
			options := MetricsServer(test.given)
			var config tls.Config
			for _, change := range options.TLSOpts {
				change(&config)
			}
			got := served{
				options.BindAddress, options.CertDir, options.SecureServing, options.FilterProvider != nil, config.NextProtos,
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

package operator

import (
	"context"
	"fmt"
	"net/http"

	"github.com/go-logr/logr"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/client-go/rest"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client/apiutil"
	"sigs.k8s.io/controller-runtime/pkg/config"
	"sigs.k8s.io/controller-runtime/pkg/manager"

	"github.com/takt-dev/takt/operator/cached"
	"github.com/takt-dev/takt/operator/installed"
	"github.com/takt-dev/takt/operator/planning"
	"github.com/takt-dev/takt/operator/settings"
)

// newManager waits until the cluster has Takt's own kinds, and makes what keeps the caches, leads and serves.
func newManager(ctx context.Context, restConfig *rest.Config, s settings.Settings, log logr.Logger,
	last *planning.LastSnapshot, options []Option) (manager.Manager, error) {
	scheme, err := cached.NewScheme()
	if err != nil {
		return nil, err
	}
	restConfig = rest.CopyConfig(restConfig)
	restConfig.QPS, restConfig.Burst = s.API.QPS, s.API.Burst
	web, err := rest.HTTPClientFor(restConfig)
	if err != nil {
		return nil, fmt.Errorf("building the client: %w", err)
	}
	mapper, err := apiutil.NewDynamicRESTMapper(restConfig, web)
	if err != nil {
		return nil, fmt.Errorf("building the client: %w", err)
	}
	if err := installed.AwaitOwn(ctx, mapper, log, installed.Pause); err != nil {
		return nil, err
	}
	le, serving := s.LeaderElection, MetricsServer(s.Metrics)
	if s.Metrics.Secure { // it names jobs, so it is not for everyone
		serving.ExtraHandlers = map[string]http.Handler{planning.SnapshotPath: last}
	}
	managed := manager.Options{
		Scheme: scheme, Logger: log, Cache: cached.Options(s), Client: cached.ClientOptions(),
		Metrics: serving, HealthProbeBindAddress: s.Health.BindAddress,
		LeaderElection: le.Enabled, LeaderElectionID: le.Name, LeaderElectionNamespace: le.Namespace,
		LeaderElectionReleaseOnCancel: true,
		LeaseDuration:                 &le.LeaseDuration.Duration, RenewDeadline: &le.RenewDeadline.Duration,
		RetryPeriod:    &le.RetryPeriod.Duration,
		Controller:     config.Controller{MaxConcurrentReconciles: s.API.Workers},
		MapperProvider: func(*rest.Config, *http.Client) (meta.RESTMapper, error) { return mapper, nil },
	}
	for _, option := range options {
		option(&managed)
	}
	m, err := ctrl.NewManager(restConfig, managed)
	if err != nil {
		return nil, fmt.Errorf("building the manager: %w", err)
	}
	return m, nil
}

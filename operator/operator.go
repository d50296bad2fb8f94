package operator

import (
	"context"
	"fmt"
	"time"

	"github.com/go-logr/logr"
	"k8s.io/apimachinery/pkg/types"
	typedcorev1 "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/client-go/rest"
	metricsclient "k8s.io/metrics/pkg/client/clientset/versioned"
	"sigs.k8s.io/controller-runtime/pkg/healthz"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	ctrlmetrics "sigs.k8s.io/controller-runtime/pkg/metrics"

	"github.com/takt-dev/takt/operator/cached"
	"github.com/takt-dev/takt/operator/changes"
	"github.com/takt-dev/takt/operator/hearing"
	"github.com/takt-dev/takt/operator/installed"
	"github.com/takt-dev/takt/operator/planning"
	"github.com/takt-dev/takt/operator/progress"
	"github.com/takt-dev/takt/operator/rooms"
	"github.com/takt-dev/takt/operator/settings"
	"github.com/takt-dev/takt/operator/telling"
)

// Operator is the operator: its rooms, and what has them called.
type Operator struct {
	manager   manager.Manager
	rooms     *rooms.Rooms
	concerned changes.Concerned
	watching  watching
}

// Option changes how the operator is built.
type Option func(*manager.Options)

// New builds the operator, once the cluster has its kinds. Nothing runs before Run.
func New(ctx context.Context, restConfig *rest.Config, s settings.Settings, log logr.Logger,
	options ...Option) (*Operator, error) {
	last := &planning.LastSnapshot{}
	m, err := newManager(ctx, restConfig, s, log, last, options)
	if err != nil {
		return nil, err
	}
	if err := servePage(ctx, m, s); err != nil {
		return nil, err
	}
	c := cached.Punctual{Client: m.GetClient(), Indexes: &cached.Indexes{Cache: m.GetCache()}}
	r := rooms.New(s, c, m.GetAPIReader(), time.Now, log)
	r.Events, r.Last = telling.NewRecorder(m.GetEventRecorder("takt"), time.Now), last
	if r.RecordsIn = s.Records.In(); r.RecordsIn == "" && s.Records.Keep > 0 {
		log.Info("No records of jobs are kept in the cluster for takt trace, as the operator runs outside of it: say where " +
			"by records.namespace")
	}
	o := newOperator(m, r)
	if err := o.connectSources(); err != nil {
		return nil, err
	}
	r.Kinds = installed.NewKinds(m.GetRESTMapper(), o.watchKind, r.Planner.Kick, log.WithName("kinds"))
	r.Furnish()
	r.Reader.Together = looksTogether
	return o, nil
}

// looksTogether is how far the moments are apart at which jobs are looked at that are looked at seldom. What is asked
// for then at once is no more than api.burst allows, which is twice api.qps by default.
const looksTogether = 2 * time.Second

// newOperator has these rooms called by a manager.
func newOperator(m manager.Manager, r *rooms.Rooms) *Operator {
	return &Operator{
		manager: m, rooms: r, concerned: changes.Concerned{Client: r.Client}, watching: watching{begun: map[string]int{}},
	}
}

// connectSources makes what reads how far trainings are, and how busy their GPUs.
func (o *Operator) connectSources() error {
	m, r, s := o.manager, o.rooms, o.rooms.Settings
	pods, err := typedcorev1.NewForConfigAndClient(m.GetConfig(), m.GetHTTPClient())
	if err != nil {
		return fmt.Errorf("building the client for logs and custom metrics: %w", err)
	}
	usage, err := metricsclient.NewForConfigAndClient(m.GetConfig(), m.GetHTTPClient())
	if err != nil {
		return fmt.Errorf("building the client for metrics: %w", err)
	}
	bounds := progress.Limits{Timeout: s.Progress.Timeout.Duration, MaxBytes: s.Progress.MaxBytes}
	agents, custom := progress.NewAgent(bounds), pods.RESTClient()
	r.Agents = &hearing.Agents{Ask: agents.Ask, Now: func() time.Time { return r.Now() }}
	logs := progress.NewLogs(pods, bounds)
	logs.Again = func(job types.NamespacedName) { r.Asks.Reader.Add(job, 0) }
	if r.Sources, err = progress.NewReader(s.Progress.Every.Duration, agents, progress.Annotation{},
		progress.NewPrometheus(bounds), logs,
		progress.NewCustomMetrics(custom, bounds)); err != nil {
		return fmt.Errorf("reading progress: %w", err)
	}
	r.Usage = progress.NewUsageReader(usage, custom, s.Usage.GPUMetric, bounds, func() time.Time { return r.Now() })
	return nil
}

// Run runs the operator until the context ends.
func (o *Operator) Run(ctx context.Context) error {
	if err := o.setUp(ctx); err != nil {
		return fmt.Errorf("cannot start the operator: %w", err)
	}
	return o.manager.Start(ctx)
}

// setUp joins the parts.
func (o *Operator) setUp(ctx context.Context) error {
	if err := cached.Index(ctx, o.manager.GetFieldIndexer()); err != nil {
		return err
	}
	if err := o.controllers(); err != nil {
		return err
	}
	if err := o.listen(ctx, o.manager.GetCache()); err != nil {
		return err
	}
	if err := o.registerMetrics(ctx, ctrlmetrics.Registry); err != nil {
		return err
	}
	older, err := installed.NewOlder(o.manager.GetConfig(), o.manager.GetHTTPClient(), o.manager.GetLogger())
	if err != nil {
		return err
	}
	for _, runnable := range []manager.Runnable{o.rooms.Planner, o.rooms.Kinds, older} {
		if err := o.manager.Add(runnable); err != nil {
			return err
		}
	}
	if err := o.manager.AddHealthzCheck("alive", healthz.Ping); err != nil {
		return err
	}
	return addReadyCheck(o.manager)
}

package operator

import (
	"context"
	"fmt"
	"time"

	"github.com/go-logr/logr"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	metricsclient "k8s.io/metrics/pkg/client/clientset/versioned"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/healthz"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	ctrlmetrics "sigs.k8s.io/controller-runtime/pkg/metrics"

	"github.com/takt-dev/takt/elastic/resize"
	"github.com/takt-dev/takt/operator/cached"
	"github.com/takt-dev/takt/operator/capacity"
	"github.com/takt-dev/takt/operator/expiring"
	"github.com/takt-dev/takt/operator/hearing"
	"github.com/takt-dev/takt/operator/installed"
	"github.com/takt-dev/takt/operator/keeping"
	"github.com/takt-dev/takt/operator/kind"
	"github.com/takt-dev/takt/operator/learn"
	"github.com/takt-dev/takt/operator/memory"
	"github.com/takt-dev/takt/operator/pacing"
	"github.com/takt-dev/takt/operator/planning"
	"github.com/takt-dev/takt/operator/profiles"
	"github.com/takt-dev/takt/operator/progress"
	"github.com/takt-dev/takt/operator/reading"
	"github.com/takt-dev/takt/operator/recording"
	"github.com/takt-dev/takt/operator/reporting"
	"github.com/takt-dev/takt/operator/resizing"
	"github.com/takt-dev/takt/operator/settings"
	"github.com/takt-dev/takt/operator/telling"
	"github.com/takt-dev/takt/operator/view"
	"github.com/takt-dev/takt/records"
	"github.com/takt-dev/takt/records/volume"
)

// Operator is the operator: what its parts share.
type Operator struct {
	manager  manager.Manager
	settings settings.Settings
	limits   resize.Limits
	gpus     capacity.Options
	now      func() time.Time

	client client.Client // reads from the cache
	live   client.Reader // reads from the API server

	kinds     *installed.Kinds
	memory    *memory.Memory
	view      *view.Viewer
	shelf     *profiles.Shelf
	reader    *reading.Reader
	recorder  *recording.Recorder
	expirer   *expiring.Expirer
	reporter  *reporting.Reporter
	resizer   *resizing.Resizer
	planner   *planning.Planner
	attendant *resizing.Attendant
	profiles  *learn.Store
	sources   *progress.Reader
	turns     *reading.Turns
	usage     *progress.UsageReader
	ears      *hearing.Ears
	events    *telling.Recorder
	metrics   *telling.Metrics

	last     *planning.LastSnapshot
	asks     asks
	watching watching

	recordsIn string // the namespace in which records of jobs are kept; empty keeps none

	statuses pacing.Allowances // written, by ElasticJob
	words    pacing.Allowances // that were written on jobs anew

	shared   profiles.Shared
	unserved memory.Unserved
}

// mostRecordBytes is how much is kept of the jobs of one namespace: a quarter of what a ConfigMap may have.
const mostRecordBytes = 256 << 10

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
	o := &Operator{
		manager: m, settings: s, limits: s.Limits(), gpus: gpusOf(s), now: time.Now,
		client: cached.Punctual{Client: m.GetClient(), Indexes: &cached.Indexes{Cache: m.GetCache()}}, live: m.GetAPIReader(),
		memory:  memory.New(),
		events:  telling.NewRecorder(m.GetEventRecorder("takt"), time.Now),
		metrics: telling.NewMetrics(), last: last, watching: watching{begun: map[string]int{}},
	}
	if o.recordsIn = s.Records.In(); o.recordsIn == "" && s.Records.Keep > 0 {
		log.Info("No records of jobs are kept in the cluster for takt trace, as the operator runs outside of it: say where " +
			"by records.namespace")
	}
	o.profiles = &learn.Store{Client: o.client, Fresh: o.live}
	if err := o.connectSources(); err != nil {
		return nil, err
	}
	o.turns = reading.NewTurns(s.API.Workers, s.Progress.Timeout.Duration, s.Progress.StaleAfter.Duration)
	o.planner = planning.NewPlanner(log.WithName("planner"))
	o.kinds = installed.NewKinds(m.GetRESTMapper(), o.watchKind, o.planner.Kick, log.WithName("kinds"))
	o.furnish()
	return o, nil
}

// gpusOf is what the settings say of GPUs, and of who else uses them.
func gpusOf(s settings.Settings) capacity.Options {
	gpus := capacity.Options{
		ProductLabel: s.GPUs.ProductLabel, NodeSelector: s.NodeSelector,
		LeavingTaints: s.LeavingNodes.Taints, LeavingConditions: s.LeavingNodes.Conditions,
		MinPriority: s.Outsiders.MinPriority, After: s.Outsiders.After.Duration, LeaveWithin: s.Limits().DrainWithin,
	}
	for _, name := range s.GPUs.Resources {
		gpus.Resources = append(gpus.Resources, corev1.ResourceName(name))
	}
	return gpus
}

// connectSources makes what reads how far trainings are, and how busy their GPUs.
func (o *Operator) connectSources() error {
	m, s := o.manager, o.settings
	clientset, err := kubernetes.NewForConfigAndClient(m.GetConfig(), m.GetHTTPClient())
	if err != nil {
		return fmt.Errorf("building the client for logs: %w", err)
	}
	usage, err := metricsclient.NewForConfigAndClient(m.GetConfig(), m.GetHTTPClient())
	if err != nil {
		return fmt.Errorf("building the client for metrics: %w", err)
	}
	bounds := progress.Limits{Timeout: s.Progress.Timeout.Duration, MaxBytes: s.Progress.MaxBytes}
	agents, custom := progress.NewAgent(bounds), clientset.Discovery().RESTClient()
	o.ears = &hearing.Ears{Ask: agents.Ask, Now: func() time.Time { return o.now() }}
	if o.sources, err = progress.NewReader(s.Progress.Every.Duration, agents, progress.Annotation{},
		progress.NewPrometheus(bounds), progress.NewLogs(clientset, bounds),
		progress.NewCustomMetrics(custom, bounds)); err != nil {
		return fmt.Errorf("reading progress: %w", err)
	}
	o.usage = progress.NewUsageReader(usage, custom, s.Usage.GPUMetric, bounds)
	return nil
}

// furnish gives each room what it works with. What is to outlive it is made before.
func (o *Operator) furnish() {
	now := func() time.Time { return o.now() }
	o.view = &view.Viewer{Client: o.client, Kinds: o.kinds, Memory: o.memory, Profiles: o.profiles, GPUs: o.gpus,
		Zone: o.settings.Zone(), Now: now}
	o.shelf = &profiles.Shelf{Store: o.profiles, StaleAfter: o.settings.Progress.StaleAfter.Duration, Now: now}
	o.recorder = &recording.Recorder{
		Store:  &recording.Store{Client: o.client, Live: o.live, Namespace: o.recordsIn, Now: now},
		Folder: volume.Folder{Path: o.settings.Records.Folder, Most: int64(o.settings.Records.FolderMiB) << 20},
		Limits: records.Limits{Count: o.settings.Records.Keep, Bytes: mostRecordBytes}, GPUs: o.gpus,
		Ask: o.asks.recorder.Add,
	}
	o.reader = &reading.Reader{
		Client: o.client, View: o.view, Shelf: o.shelf, Sources: o.sources, Usage: o.usage, Turns: o.turns,
		Unserved: &o.unserved,
		Metrics:  o.metrics, Settings: o.settings, Limits: o.limits, GPUs: o.gpus, Now: now, Ended: o.recorder.Ended,
		Heard: func(name types.NamespacedName) { o.planner.HearReading(name) }, Report: o.report,
	}
	o.reporter = &reporting.Reporter{
		Client: o.client, Live: o.live, View: o.view, Shelf: o.shelf, Events: o.events, Metrics: o.metrics,
		Statuses: &o.statuses,
		Settings: o.settings, Now: now,
	}
	o.resizer = &resizing.Resizer{
		Client: o.client, Live: o.live, View: o.view, Events: o.events, Metrics: o.metrics,
		Unwritten: resizing.NewUnwritten(),
		Settings:  o.settings, Limits: o.limits, GPUs: o.gpus, Now: now, Replan: func() { o.planner.Kick() },
		Ears: o.ears, Again: func(name types.NamespacedName) { o.asks.resizer.Add(name, 0) },
	}
	o.expirer = &expiring.Expirer{
		Client: o.client, Live: o.live, View: o.view, Events: o.events,
		Default: o.settings.ElasticJobs.TTLAfterFinished.Duration,
		Rest:    expiring.Rest, Now: now, Unkept: o.recorder.Holds,
	}
	o.attendant = &resizing.Attendant{Client: o.client, View: o.view, Now: now}
	p := o.planner
	p.Client, p.Live, p.View, p.Shelf, p.Shared, p.Memory = o.client, o.live, o.view, o.shelf, &o.shared, o.memory
	p.Events, p.Metrics, p.Last, p.Ready = o.events, o.metrics, o.last, o.kinds.LookedFor()
	o.last.Beyond = p.Beyond
	p.Settings, p.Limits, p.GPUs, p.AtOnce, p.Now = o.settings, o.limits, o.gpus, o.resizesAtOnce(), now
	p.Report, p.Say, p.Outspoken = o.report, o.reporter.Say, reporting.Outspoken
	p.StepOn = func(name types.NamespacedName) { o.asks.resizer.Add(name, 0) }
	p.ReadOn = func(name types.NamespacedName) { o.asks.reader.Add(name, 0) }
}

// resizesAtOnce is how many resizes are begun, or taken a step further, at a time: half as many again as other things.
// Each waits for the API server nearly all of the time, and of ten that are decided together none is to wait for
// another.
func (o *Operator) resizesAtOnce() int {
	workers := max(o.settings.API.Workers, 1)
	return workers + workers/2
}

// keeper is that of the jobs of a kind.
func (o *Operator) keeper(of kind.Kind) *keeping.Keeper {
	return &keeping.Keeper{
		Client: o.client, Live: o.live, Events: o.events, Kind: of, Zone: o.settings.Zone(), Words: &o.words,
		Now: func() time.Time { return o.now() }, StopWithin: o.limits.StopWithin,
	}
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
	if err := o.registerMetrics(ctrlmetrics.Registry); err != nil {
		return err
	}
	for _, runnable := range []manager.Runnable{o.planner, o.kinds} {
		if err := o.manager.Add(runnable); err != nil {
			return err
		}
	}
	if err := o.manager.AddHealthzCheck("alive", healthz.Ping); err != nil {
		return err
	}
	return o.manager.AddReadyzCheck("ready", healthz.Ping)
}

// report has the status of an ElasticJob looked at, soon. Nothing is lost before the reporter runs: it
// begins with all of them.
func (o *Operator) report(name types.NamespacedName) {
	o.asks.reporter.Add(name, pacing.LateBy)
}

// asks are the lines of the controllers that others than their watches ask to look at something.
type asks struct{ reporter, reader, resizer, recorder pacing.Requests }

package plugin

import (
	"context"
	"fmt"
	"reflect"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/sets"
	fwk "k8s.io/kube-scheduler/framework"
	frameworkruntime "k8s.io/kubernetes/pkg/scheduler/framework/runtime"

	"github.com/takt-dev/takt/scheduler/gang"
	"github.com/takt-dev/takt/scheduler/order"
	"github.com/takt-dev/takt/scheduler/settings"
)

// Takt is the plugin in one profile.
type Takt struct {
	*sharedState
	handle fwk.Handle
	all    preFilters
	gated  sets.Set[string] // profiles that have the gate, once all are built
}

// preFilters has all plugins of a profile have their say about a pod. The handle that plugins are given
// can do so, though its interface does not tell.
type preFilters interface {
	RunPreFilterPlugins(ctx context.Context, state fwk.CycleState, pod *corev1.Pod) (*fwk.PreFilterResult, *fwk.Status,
		sets.Set[string])
}

// Name is that of the plugin.
func (*Takt) Name() string { return settings.Plugin }

// Factories make the two plugins, Takt and its gate, for each profile of one scheduler.
func Factories() (takt, gate frameworkruntime.PluginFactory) {
	var shared *sharedState
	gated := sets.New[string]()
	gate = func(_ context.Context, args runtime.Object, handle fwk.Handle) (fwk.Plugin, error) {
		if args != nil {
			return nil, fmt.Errorf("plugin %s has no args: those of gangs belong to plugin %s", settings.Gate, settings.Plugin)
		}
		gated.Insert(handle.ProfileName())
		return &Gate{state: func() *sharedState { return shared }, profile: handle.ProfileName()}, nil
	}
	takt = func(ctx context.Context, args runtime.Object, handle fwk.Handle) (fwk.Plugin, error) {
		chosen, err := settings.Decode(args)
		if err != nil {
			return nil, err
		}
		switch {
		case shared == nil:
			if shared, err = build(ctx, chosen, handle); err != nil {
				return nil, fmt.Errorf("plugin %s: %w", settings.Plugin, err)
			}
		case !reflect.DeepEqual(shared.settings, chosen):
			return nil, fmt.Errorf("the args of plugin %s differ between profiles, but there is one queue for all: give each "+
				"profile the same", settings.Plugin)
		}
		all, ok := handle.(preFilters)
		if !ok {
			return nil, fmt.Errorf("plugin %s: this release of kube-scheduler does not let plugins try a pod in thought",
				settings.Plugin)
		}
		shared.mu.Lock()
		defer shared.mu.Unlock()
		shared.profiles.Insert(handle.ProfileName())
		return &Takt{sharedState: shared, handle: handle, all: all, gated: gated}, nil
	}
	return takt, gate
}

// build starts what the plugin needs beside the scheduler's own informers.
func build(ctx context.Context, chosen settings.Settings, handle fwk.Handle) (*sharedState, error) {
	limits := gang.DefaultLimits()
	limits.Hold, limits.Orphan = chosen.Gangs.Hold.Duration, chosen.Gangs.Orphan.Duration
	limits.Starving = chosen.Gangs.Starving.Duration
	h := &sharedState{
		settings: chosen, clock: time.Now, handle: handle, bindings: make(chan struct{}, mostBindings),
		urgency: order.Order{Patience: chosen.Order.Patience.Duration, HeadStart: chosen.Order.HeadStart.Duration},
		book:    gang.NewBook(limits), pods: map[gang.UID]*corev1.Pod{},
		wake: map[gang.UID]bool{}, room: map[gang.UID]bool{}, buried: map[gang.UID]time.Time{}, woken: make(chan struct{}, 1),
		leavers: map[gang.UID]leaver{}, profiles: sets.New[string](),
	}
	client, err := resizeClient(handle.KubeConfig())
	if err != nil {
		return nil, err
	}
	h.reports = newReporter(client, chosen.Gangs.Report.Duration)
	if err := h.watch(ctx, client); err != nil {
		return nil, err
	}
	registerMetrics(h)
	go h.reports.run(ctx)
	go h.attend(ctx)
	return h, nil
}

package plugin

import (
	"context"
	"os"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/sets"
	fwk "k8s.io/kube-scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/apis/config"
	"k8s.io/kubernetes/pkg/scheduler/apis/config/scheme"
	frameworkruntime "k8s.io/kubernetes/pkg/scheduler/framework/runtime"
	"k8s.io/kubernetes/pkg/scheduler/metrics"

	"github.com/takt-dev/takt/scheduler/settings"
)

// A profile may name its plugins in any order. One in which another is asked before Takt what to do about a pod that
// has found no node would have pods preempted for gangs, and is refused. What is installed is not.
func TestNobodyIsAskedBeforeTaktWhetherToPreempt(t *testing.T) {
	for name, c := range map[string]struct {
		change func(p *config.Plugins)
		good   bool
	}{
		"as it is installed":  {func(*config.Plugins) {}, true},
		"at multiPoint alone": {func(p *config.Plugins) { p.PostFilter = config.PluginSet{} }, false},
		"not at multiPoint": {func(p *config.Plugins) {
			p.MultiPoint.Enabled = p.MultiPoint.Enabled[:len(p.MultiPoint.Enabled)-2]
		}, false},
		"behind another": {func(p *config.Plugins) {
			p.PostFilter.Enabled = []config.Plugin{{Name: "DefaultPreemption"}, {Name: settings.Plugin}}
		}, false},
		"nobody is asked": {func(p *config.Plugins) {
			p.PostFilter = config.PluginSet{Disabled: []config.Plugin{{Name: "*"}}}
		}, false},
	} {
		for _, file := range []string{"beside", "instead"} {
			handle := built(t, "../../config/scheduler/"+file+"/scheduler.yaml", c.change)
			takt := &Takt{sharedState: &sharedState{}, handle: handle, gated: sets.New(handle.ProfileName())}
			_, err := takt.EventsToRegister(t.Context())
			if c.good != (err == nil) || err != nil && !strings.Contains(err.Error(), "enable Takt there by itself") {
				t.Errorf("%s, %s: it is answered by %v", file, name, err)
			}
		}
	}
}

// built is the first profile of a file, with a change, as kube-scheduler builds it: of plugins that do nothing.
func built(t *testing.T, file string, change func(*config.Plugins)) fwk.Handle {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	object, _, err := scheme.Codecs.UniversalDecoder().Decode(text, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	chosen := object.(*config.KubeSchedulerConfiguration).Profiles[0]
	registry := frameworkruntime.Registry{}
	for _, each := range chosen.Plugins.MultiPoint.Enabled {
		registry[each.Name] = func(context.Context, runtime.Object, fwk.Handle) (fwk.Plugin, error) {
			return idle{name: each.Name}, nil
		}
	}
	change(chosen.Plugins)
	metrics.InitMetrics()
	profile, err := frameworkruntime.NewFramework(t.Context(), registry, &chosen)
	if err != nil {
		t.Fatal(err)
	}
	return profile
}

// idle is a plugin that does nothing.
type idle struct {
	fwk.QueueSortPlugin
	fwk.BindPlugin
	name string
}

func (i idle) Name() string { return i.name }

func (idle) PreFilter(context.Context, fwk.CycleState, *corev1.Pod, []fwk.NodeInfo) (*fwk.PreFilterResult,
	*fwk.Status) {
	return nil, nil
}

func (idle) PreFilterExtensions() fwk.PreFilterExtensions { return nil }

func (idle) PostFilter(context.Context, fwk.CycleState, *corev1.Pod, fwk.NodeToStatusReader) (*fwk.PostFilterResult,
	*fwk.Status) {
	return nil, nil
}

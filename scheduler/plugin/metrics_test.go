package plugin

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes/fake"
	"k8s.io/component-base/metrics"
	fwk "k8s.io/kube-scheduler/framework"

	"github.com/takt-dev/takt/scheduler/gang"
	"github.com/takt-dev/takt/scheduler/settings"
)

var rewrite = flag.Bool("rewrite", false, "write the list of metrics anew")

const metricsPage = "../../docs/metrics.md"

// informed is a handle that has informers and nothing else.
type informed struct {
	fwk.Handle
	factory informers.SharedInformerFactory
}

func (h informed) SharedInformerFactory() informers.SharedInformerFactory { return h.factory }

// The page lists what the plugin tells, as its registry has it.
func TestTheListOfMetricsIsUpToDate(t *testing.T) {
	h := &sharedState{
		settings: settings.Default(), book: gang.NewBook(gang.DefaultLimits()), pods: map[gang.UID]*corev1.Pod{},
		handle: informed{factory: informers.NewSharedInformerFactory(fake.NewClientset(), 0)},
	}
	registry := metrics.NewKubeRegistry()
	show(h, registry.MustRegister, registry.CustomMustRegister)
	families, err := registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	var table strings.Builder
	for _, f := range families {
		var labels []string
		for _, m := range f.GetMetric() {
			for _, l := range m.GetLabel() {
				labels = append(labels, "`"+l.GetName()+"`")
			}
		}
		slices.Sort(labels)
		_, help, _ := strings.Cut(f.GetHelp(), "[ALPHA] ")
		fmt.Fprintf(&table, "| `%s` | %s | %s | %s |\n",
			f.GetName(), strings.ToLower(f.GetType().String()), strings.Join(slices.Compact(labels), ", "), help)
	}
	if len(families) < 9 {
		t.Errorf("the registry has %d metrics alone", len(families))
	}
	page, err := os.ReadFile(metricsPage)
	if err != nil {
		t.Fatal(err)
	}
	before, _, found := strings.Cut(string(page), "\n## takt-scheduler\n")
	if !found {
		t.Fatalf("%s has no part about takt-scheduler", metricsPage)
	}
	want := before + "\n## takt-scheduler\n\nBeside those of kube-scheduler.\n\n| metric | type | labels | what it " +
		"tells |\n|---|---|---|---|\n" + table.String()
	if *rewrite {
		if err := os.WriteFile(metricsPage, []byte(want), 0o600); err != nil {
			t.Fatal(err)
		}
	} else if string(page) != want {
		t.Errorf("%s is out of date: go test -rewrite. The registry has:\n%s", metricsPage, table.String())
	}
}

package operator

import (
	"context"
	"flag"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/prometheus/client_golang/prometheus"
	dto "github.com/prometheus/client_model/go"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	clientmetrics "k8s.io/client-go/tools/metrics"
	"k8s.io/client-go/util/workqueue"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	ctrlmetrics "sigs.k8s.io/controller-runtime/pkg/metrics"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/elastic/resize"
	"github.com/takt-dev/takt/operator/telling"
)

var rewrite = flag.Bool("rewrite", false, "write the list of metrics anew")

const metricsPage = "../docs/metrics.md"

// ofLibraries are the metrics of libraries that dashboards and alerts use.
var ofLibraries = []string{
	"controller_runtime_reconcile_errors_total", "controller_runtime_reconcile_panics_total", "process_cpu_seconds_total",
	"process_resident_memory_bytes", "rest_client_requests_total", "workqueue_depth", "workqueue_queue_duration_seconds",
}

// Each metric is counted once, so that it is there with its labels, and then all are listed.
func TestTheListOfMetricsIsUpToDate(t *testing.T) {
	registry := prometheus.NewPedanticRegistry()
	m := telling.NewMetrics()
	known := &v1alpha1.ElasticJob{ObjectMeta: metav1.ObjectMeta{Name: "resnet"}}
	known.Status.Progress.Source, known.Status.Deadline, known.Status.Prediction.ETA = "Agent", "2026-11-21T18:00:00Z",
		"2026-11-21T17:00:00Z"
	known.Status.Cost.SoFar = "1.50"
	if err := m.Register(registry); err != nil {
		t.Fatal(err)
	}
	registry.MustRegister(telling.NewJobFigures(1, func() ([]*v1alpha1.ElasticJob, []*v1alpha1.Resize) {
		return []*v1alpha1.ElasticJob{known}, nil
	}, time.Now))
	countEach(m)
	families, err := registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	if there := len(families); there != described(registry) {
		t.Errorf("%d of %d metrics are listed: count each of them", there, described(registry))
	}
	listed(t, "takt-operator", families)

	// What controller-runtime counts of a controller that works, and of its requests.
	work(t)
	clientmetrics.RequestResult.Increment(t.Context(), "200", "GET", "api.example.com")
	if families, err = ctrlmetrics.Registry.Gather(); err != nil {
		t.Fatal(err)
	}
	families = slices.DeleteFunc(families, func(f *dto.MetricFamily) bool {
		return !slices.Contains(ofLibraries, f.GetName())
	})
	if len(families) != len(ofLibraries) {
		t.Errorf("of %d metrics of libraries %d are there", len(ofLibraries), len(families))
	}
	listed(t, "Of the libraries that takt-operator is made with", families)
}

func countEach(m *telling.Metrics) {
	m.Paid("research", v1alpha1.VerdictMet, 1)
	queue := &v1alpha1.TrainingQueue{ObjectMeta: metav1.ObjectMeta{Name: "research"}}
	queue.Spec.Limit = new(int32(1))
	m.Hold([]*v1alpha1.TrainingQueue{queue}, elastic.Snapshot{
		Nodes: []elastic.Node{{Pool: "H100", GPUs: 8}}, Demands: []elastic.Demand{{Pool: "H100", GPUs: 1}},
		Jobs: []elastic.Job{{Queue: "research"}},
	}, elastic.Decision{Jobs: []elastic.Outcome{{Verdict: elastic.OnTrack}}}, nil,
		map[string]v1alpha1.QueueCostStatus{"research": {SoFar: "1.50"}})
	m.Judged("research", v1alpha1.VerdictMet)
	m.Cut("research")
	m.Predicted(.1)
	m.Planned(time.Second, nil)
	ended := &v1alpha1.Resize{Spec: v1alpha1.ResizeSpec{From: 2, To: 4, Mode: v1alpha1.ResizeLive}}
	ended.Status.Conditions = []metav1.Condition{{Type: v1alpha1.ConditionSucceeded, Status: metav1.ConditionTrue}}
	m.Resized(ended, time.Second, resize.Cost{Pause: time.Second}, 1)
}

// work has a controller look at one object.
func work(t *testing.T) {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	looked := make(chan struct{})
	options := controller.TypedOptions[string]{
		Reconciler: reconcile.TypedFunc[string](func(context.Context, string) (reconcile.Result, error) {
			close(looked)
			return reconcile.Result{}, nil
		}),
		SkipNameValidation: new(true),
	}
	c, err := controller.NewTypedUnmanaged("listed", options)
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Watch(once("resnet")); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- c.Start(ctx) }()
	<-looked
	stop()
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
}

// once is a source of one request.
type once string

func (o once) Start(_ context.Context, queue workqueue.TypedRateLimitingInterface[string]) error {
	queue.Add(string(o))
	return nil
}

func described(c prometheus.Collector) (count int) {
	all := make(chan *prometheus.Desc, 100)
	c.Describe(all)
	return len(all)
}

// listed compares the rows below a heading of the page with what is gathered.
func listed(t *testing.T, heading string, families []*dto.MetricFamily) {
	t.Helper()
	page, err := os.ReadFile(metricsPage)
	if err != nil {
		t.Fatal(err)
	}
	var table strings.Builder
	table.WriteString("| metric | type | labels | what it tells |\n|---|---|---|---|\n")
	for _, f := range families {
		fmt.Fprintf(&table, "| `%s` | %s | %s | %s |\n", f.GetName(), strings.ToLower(f.GetType().String()), labelsOf(f),
			f.GetHelp())
	}
	section := regexp.MustCompile(`(?s)(\n## ` + regexp.QuoteMeta(heading) +
		`\n\n(?:[^|#\n][^\n]*\n)*\n?)((?:\|[^\n]*\n)*)`)
	parts := section.FindStringSubmatch(string(page))
	if parts == nil {
		t.Fatalf("%s has no heading %q", metricsPage, heading)
	}
	if *rewrite {
		anew := strings.Replace(string(page), parts[0], parts[1]+table.String(), 1)
		if err := os.WriteFile(metricsPage, []byte(anew), 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(parts[2], table.String()); diff != "" {
		t.Errorf("%s is out of date (go test -rewrite), -page +registry:\n%s", metricsPage, diff)
	}
}

func labelsOf(f *dto.MetricFamily) string {
	var labels []string
	for _, m := range f.GetMetric() {
		for _, l := range m.GetLabel() {
			if name := "`" + l.GetName() + "`"; !slices.Contains(labels, name) {
				labels = append(labels, name)
			}
		}
	}
	return strings.Join(labels, ", ")
}

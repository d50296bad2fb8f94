package operator

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"

	"github.com/takt-dev/takt/e2e/lib/cluster"
)

// process is bin/takt-operator as it is installed, but that it is alone, and asks the API server as
// fast as it likes.
type process struct {
	cmd     *exec.Cmd
	address string
}

const processSettings = `apiVersion: takt.dev/v1alpha1
kind: OperatorConfiguration
nodeSelector: {crowd: %s}
leaderElection: {enabled: false}
metrics: {bindAddress: %q, secure: false}
health: {bindAddress: "0"}
api: {qps: 1000, burst: 2000}
`

// run starts the operator's process, which ends with the benchmark if it is not ended before.
func run(b *testing.B, crowd string) *process {
	b.Helper()
	p := &process{address: cluster.AddressFor(b)}
	config := filepath.Join(b.TempDir(), "takt.yaml")
	if err := os.WriteFile(config, fmt.Appendf(nil, processSettings, crowd, p.address), 0o600); err != nil {
		b.Fatal(err)
	}
	log, err := os.Create(filepath.Join(b.TempDir(), "log"))
	if err != nil {
		b.Fatal(err)
	}
	p.cmd = exec.CommandContext(b.Context(), cluster.Program("takt-operator"), "--config", config, "--kubeconfig",
		cluster.Shared().Kubeconfig())
	p.cmd.Env = append(os.Environ(), "GOGC=30") // as the Deployment has it
	p.cmd.Stderr = log
	if err := p.cmd.Start(); err != nil {
		b.Fatal("make build builds it: ", err)
	}
	b.Cleanup(func() {
		p.end(b)
		if text, err := os.ReadFile(log.Name()); b.Failed() && err == nil {
			b.Logf("the operator says\n%s", text[:min(len(text), 10_000)])
		}
	})
	return p
}

// end ends the process, if it runs.
func (p *process) end(b *testing.B) {
	b.Helper()
	if p.cmd.ProcessState != nil {
		return
	}
	if err := p.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		b.Log(err)
	}
	_ = p.cmd.Wait() // its exit code says nothing here
}

// figures are what the process says of itself.
type figures struct {
	at                  time.Time
	resident, heap, cpu float64 // in bytes, and in seconds
	plans, planning     float64 // how many, and seconds
	writes, reads       float64
	collecting          float64 // garbage, in seconds of the processor
	live                float64 // bytes of the heap after the last collection
}

func (p *process) figures(ctx context.Context) (f figures, err error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+p.address+"/metrics", http.NoBody)
	if err != nil {
		return f, err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return f, err
	}
	defer response.Body.Close()
	parser := expfmt.NewTextParser(model.UTF8Validation)
	families, err := parser.TextToMetricFamilies(response.Body)
	if err != nil {
		return f, err
	}
	sum := func(name string, of func(*dto.Metric) float64) (total float64) {
		for _, metric := range families[name].GetMetric() {
			total += of(metric)
		}
		return total
	}
	gauge := func(m *dto.Metric) float64 { return m.GetGauge().GetValue() }
	asks := func(read bool) func(*dto.Metric) float64 {
		return func(m *dto.Metric) float64 {
			for _, label := range m.GetLabel() {
				if label.GetName() == "method" && (label.GetValue() == http.MethodGet) == read {
					return m.GetCounter().GetValue()
				}
			}
			return 0
		}
	}
	return figures{
		at:       time.Now(),
		resident: sum("process_resident_memory_bytes", gauge),
		heap:     sum("go_memstats_heap_inuse_bytes", gauge),
		cpu:      sum("process_cpu_seconds_total", func(m *dto.Metric) float64 { return m.GetCounter().GetValue() }),
		plans:    sum("takt_plan_seconds", func(m *dto.Metric) float64 { return float64(m.GetHistogram().GetSampleCount()) }),
		planning: sum("takt_plan_seconds", func(m *dto.Metric) float64 { return m.GetHistogram().GetSampleSum() }),
		writes:   sum("rest_client_requests_total", asks(false)),
		reads:    sum("rest_client_requests_total", asks(true)),
		collecting: sum("go_cpu_classes_gc_total_cpu_seconds_total",
			func(m *dto.Metric) float64 { return m.GetCounter().GetValue() }),
		live: sum("go_gc_heap_live_bytes", gauge),
	}, nil
}

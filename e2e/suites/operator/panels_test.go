package operator

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/e2e/lib/cluster"
	"github.com/takt-dev/takt/e2e/lib/schedulerprocess"
	"github.com/takt-dev/takt/e2e/lib/training"
	"github.com/takt-dev/takt/e2e/lib/world"
	"github.com/takt-dev/takt/operator/settings"
)

// The programs are scraped as they are installed, by an account with the rights of config/prometheus, while a job
// grows, one is in time and one is late. Then Prometheus' engine evaluates dashboards and alerts over what they have
// told.
func TestEachPanelShowsSomething(t *testing.T) {
	t.Parallel()
	w := world.New(t, world.Options{})
	w.Nodes(2, 4)
	s := &scraper{
		t: t, folder: t.TempDir(), address: process(t, w.Namespace),
		scheduler: schedulerprocess.Start(t, schedulerprocess.Options{Cluster: cluster.Shared(), Name: w.Namespace}),
		token:     newAccounts(t, w.Namespace).token("prometheus", "config/prometheus/metrics_reader.yaml"),
	}
	w.Eventually("both programs tell something", world.Soon, func() error { return s.scrape() })

	queue := w.Queue("research", v1alpha1.TrainingQueueSpec{Guaranteed: new(int32(4)), Limit: new(int32(8))})
	submit := func(name, deadline string, most int, steps float64) {
		w.PyTorchJob(name, world.Job{
			Max: most, Suspended: true, Queue: queue, Deadline: deadline, Change: scheduledBy(t, w),
			Training: world.Steps(steps, training.Speed{Base: 10, Scaling: 0.9}),
		})
	}
	submit("bert", "1h", 4, 20_000) // the first by its name, which Grafana shows
	submit("late", "30s", 1, 20_000)
	submit("resnet", "10m", 2, 1200)
	w.Eventually("a job has grown, one was in time and one is late", world.Later, func() error {
		return s.scrape(
			`takt_deadlines_total{outcome="met",queue="`+queue+`"} 1`,
			`takt_deadlines_total{outcome="missed",queue="`+queue+`"} 1`,
			`takt_job_end_timestamp_seconds{estimate="latest",job_name="bert"`, `takt_prediction_error_ratio_count 1`,
			`takt_resize_seconds_count{direction="grow",end="Succeeded",mode="Live"} `,
			`takt_job_cost{estimate="expected",job_name="bert"`, `takt_queue_cost{estimate="expected",queue="`+queue+`"`)
	})
	seen := s.scrapes
	w.Eventually("that is scraped", world.Soon, func() error {
		return errors.Join(s.scrape(), world.Want("scrapes", min(s.scrapes-seen, 5), 5))
	})

	judge := exec.CommandContext(t.Context(), "go", "test", "-count=1", "-v", "-run", "^TestPanelsShowWhatIsScraped$", ".")
	judge.Dir, judge.Env = filepath.Join(cluster.Root(), "hack/monitoring"), append(os.Environ(), "TAKT_SCRAPED="+s.folder)
	if said, err := judge.CombinedOutput(); err != nil || !strings.Contains(string(said), "--- PASS") {
		asked := func(line string) bool { return strings.HasSuffix(line, " series") }
		t.Errorf("%v\n%s", err, strings.Join(slices.DeleteFunc(strings.Split(string(said), "\n"), asked), "\n"))
	}
}

// scraper asks both programs for their metrics, and keeps what they tell.
type scraper struct {
	t                      *testing.T
	folder, address, token string
	scheduler              *schedulerprocess.Process
	scrapes                int
}

// scrape scrapes once. It is an error if the operator does not tell all that is wanted; what ends with a space is to
// be more than nothing.
func (s *scraper) scrape(want ...string) error {
	_, told, err := scrape(s.t, "https://"+s.address, s.token)
	if err != nil {
		return err
	}
	placed, err := s.scheduler.Get("/metrics")
	if err != nil {
		return err
	}
	s.scrapes++
	for job, text := range map[string]string{"takt-operator-metrics": told, "takt-scheduler-metrics": placed} {
		name := fmt.Sprintf("%s@%d", job, time.Now().UnixMilli())
		if err := os.WriteFile(filepath.Join(s.folder, name), []byte(text), 0o600); err != nil {
			return err
		}
	}
	for _, text := range want {
		if !strings.Contains(told, text) || strings.HasSuffix(text, " ") && strings.Contains(told, text+"0\n") {
			return errors.New("the operator does not tell " + text)
		}
	}
	return nil
}

// process starts the operator as a process, for one namespace, and gives the address of its metrics.
func process(t *testing.T, namespace string) string {
	t.Helper()
	s, address := world.Settings(namespace), cluster.AddressFor(t)
	s.Metrics, s.GPUs.Prices = settings.Default().Metrics, map[string]float64{"*": 2}
	s.Metrics.BindAddress = address
	text, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	config := filepath.Join(t.TempDir(), "takt.yaml")
	if err := os.WriteFile(config, text, 0o600); err != nil {
		t.Fatal(err)
	}
	var log strings.Builder
	run := exec.CommandContext(cluster.AfterTest(t), cluster.Program("takt-operator"),
		"--config", config, "--kubeconfig", cluster.Shared().Kubeconfig())
	run.Stderr, run.SysProcAttr = &log, &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	if err := run.Start(); err != nil {
		t.Fatalf("%v (make build builds it)", err)
	}
	t.Cleanup(func() {
		_ = run.Process.Kill()
		_ = run.Wait() // it was killed
		if t.Failed() {
			t.Logf("what the operator has logged:\n%s", log.String())
		}
	})
	return address
}

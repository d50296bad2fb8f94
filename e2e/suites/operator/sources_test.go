package operator

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/e2e/lib/world"
	"github.com/takt-dev/takt/operator/settings"
)

// server is what the first worker of a job serves, as the test says.
type server struct {
	port int32

	mutex  sync.Mutex
	status int
	body   string
}

func serving(t *testing.T) *server {
	t.Helper()
	s := &server{status: http.StatusOK}
	listening := httptest.NewServer(http.HandlerFunc(func(answer http.ResponseWriter, _ *http.Request) {
		s.mutex.Lock()
		defer s.mutex.Unlock()
		answer.Header().Set("Content-Type", "text/plain; version=0.0.4")
		answer.WriteHeader(s.status)
		_, _ = answer.Write([]byte(s.body))
	}))
	t.Cleanup(listening.Close)
	s.port = port(listening)
	return s
}

// says makes the server answer so from now on.
func (s *server) says(status int, format string, arguments ...any) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.status, s.body = status, fmt.Sprintf(format, arguments...)
}

// here makes this machine the one that a job's first worker runs on, once it runs.
func here(t *testing.T, w *world.World, job string) {
	t.Helper()
	w.Eventually(job+" runs", world.Soon, func() error { return world.Want("runs", w.Running(job) > 0, true) })
	pod := w.Workers(job)[0]
	patch := []byte(`{"status":{"podIP":"127.0.0.1","podIPs":[{"ip":"127.0.0.1"}]}}`)
	if err := w.Client.Status().Patch(t.Context(), &pod,
		client.RawPatch("application/merge-patch+json", patch)); err != nil {
		t.Fatal(err)
	}
}

// reads waits until a job is known to be so far, by a source.
func reads(w *world.World, job string, source v1alpha1.ProgressSource, percent float64) {
	w.Eventually(fmt.Sprintf("%s is known to be at %g %%", job, percent), world.Soon, func() error {
		status := w.Job(job).Status
		if err := world.Want("source", status.Progress.Source, string(source)); err != nil {
			return fmt.Errorf("%w: %s", err, status.Message)
		}
		return world.Want("progress", float64(status.Progress.PartsPerMillion)/1e4, percent)
	})
}

func TestProgressIsReadFromTheAnnotationInEachForm(t *testing.T) {
	t.Parallel()
	w := world.New(t, world.Options{Start: world.Operate})
	w.Nodes(1, 8)
	now := time.Now().UTC().Format(time.RFC3339)
	forms := map[string]string{
		"percent": "42%", "share": "0.42", "count": "420/1000", "steps": "420/1000 steps",
		"dated": "42% at " + now, "dated-steps": "420/1000 steps at " + now, "bare": "420",
	}
	for name, text := range forms {
		w.PyTorchJob(name, world.Job{Still: true, Suspended: true, Annotations: map[string]string{"takt.dev/progress": text}})
		spec := v1alpha1.ElasticJobSpec{}
		if name == "bare" {
			spec.Progress.Total = "1000"
		}
		w.ElasticJob(name, spec)
	}
	for name := range forms {
		reads(w, name, v1alpha1.ProgressAnnotation, 42)
	}
	w.Patch(w.TrainingJob("PyTorchJob", "count"), `{"metadata":{"annotations":{"takt.dev/progress":"nearly done"}}}`)
	w.Eventually("it is said what is wrong with an annotation", world.Soon, func() error {
		return tells(w, "count", `"nearly done"`, "420/1000")
	})
}

// tells is an error unless the message on a job contains all of some texts.
func tells(w *world.World, job string, texts ...string) error {
	status := w.Job(job).Status
	for _, text := range texts {
		if !strings.Contains(status.Message, text) {
			return fmt.Errorf("the message does not contain %q: %s: %s", text, status.Verdict, status.Message)
		}
	}
	return nil
}

func TestProgressIsReadFromPrometheusMetricsOfTheFirstWorker(t *testing.T) {
	t.Parallel()
	w := world.New(t, world.Options{Start: world.Operate})
	w.Nodes(1, 1)
	s := serving(t)
	s.says(http.StatusOK, "train_steps_total 250\n")
	w.PyTorchJob("resnet", world.Job{Still: true, Suspended: true})
	w.ElasticJob("resnet", v1alpha1.ElasticJobSpec{Progress: v1alpha1.ProgressSpec{
		Source: v1alpha1.ProgressPrometheus, Metric: "train_steps_total", Total: "1000", Port: &s.port,
	}})
	here(t, w, "resnet")
	reads(w, "resnet", v1alpha1.ProgressPrometheus, 25)
	s.says(http.StatusOK, "train_steps_total 500\n")
	reads(w, "resnet", v1alpha1.ProgressPrometheus, 50)
}

func TestProgressIsReadFromTheAgentOfTheFirstWorker(t *testing.T) {
	t.Parallel()
	w := world.New(t, world.Options{Start: world.Operate})
	w.Nodes(1, 1)
	s := serving(t)
	s.says(http.StatusOK, "takt_progress_done{unit=\"epochs\"} 3\ntakt_progress_total 12\n")
	w.PyTorchJob("resnet", world.Job{
		Still: true, Suspended: true, Queue: "default", Change: annotated("takt.dev/agent-port", strconv.Itoa(int(s.port))),
	})
	here(t, w, "resnet")
	reads(w, "resnet", v1alpha1.ProgressAgent, 25)
}

// annotated is a change of a PyTorchJob: its workers have an annotation.
func annotated(key, value string) func(*unstructured.Unstructured) {
	return func(job *unstructured.Unstructured) {
		path := []string{"spec", "pytorchReplicaSpecs", "Worker", "template", "metadata", "annotations", key}
		if err := unstructured.SetNestedField(job.Object, value, path...); err != nil {
			panic(err)
		}
	}
}

// watchfully makes the operator read often, and soon believe that nobody answers: by then there is a
// gap in the readings.
func watchfully(s *settings.Settings) {
	s.Progress.Every = metav1.Duration{Duration: 100 * time.Millisecond}
	s.Progress.StaleAfter = metav1.Duration{Duration: 3 * time.Second}
}

func TestSourceThatLiesOrFailsMakesTheVerdictSaySo(t *testing.T) {
	t.Parallel()
	w := world.New(t, world.Options{Start: world.Operate, Settings: watchfully})
	w.Nodes(1, 1)
	s := serving(t)
	w.PyTorchJob("resnet", world.Job{Still: true, Suspended: true})
	w.ElasticJob("resnet", v1alpha1.ElasticJobSpec{DeadlineAfter: "2h", Progress: v1alpha1.ProgressSpec{
		Source: v1alpha1.ProgressPrometheus, Metric: "train_steps_total", Total: "1000000", Port: &s.port,
	}})
	here(t, w, "resnet")
	// It trains at 200 steps a second: for longer than the test takes on any machine.
	began := time.Now()
	train := func() { s.says(http.StatusOK, "train_steps_total %.0f\n", 200*time.Since(began).Seconds()) }
	inTime := func(what string) {
		t.Helper()
		w.Eventually(what, world.Soon, func() error {
			train()
			return world.Want("verdict", w.Job("resnet").Status.Verdict, v1alpha1.VerdictOnTrack)
		})
	}
	inTime("it is in time")

	for _, step := range []struct {
		name   string
		answer func()
		want   string
	}{
		{"more than all", func() { s.says(http.StatusOK, "train_steps_total 1000001\n") }, "more than all"},
		{"another metric", func() { s.says(http.StatusOK, "train_loss 0.1\n") }, "train_steps_total is not served"},
		{"a failure", func() { s.says(http.StatusInternalServerError, "down\n") }, "status 500"},
	} {
		w.Eventually(step.name+" is told, and not taken for good", world.Soon, func() error {
			step.answer()
			if err := tells(w, "resnet", step.want); err != nil {
				return err
			}
			status := w.Job("resnet").Status
			if status.Progress.PartsPerMillion > 900_000 {
				return fmt.Errorf("it is said to have done %d millionths", status.Progress.PartsPerMillion)
			}
			return world.Want("verdict", status.Verdict, v1alpha1.VerdictAtRisk)
		})
		inTime("it is in time again after " + step.name)
	}
	told := func(what string, status int, says, want string) {
		t.Helper()
		w.Eventually(what+" is told", world.Soon, func() error {
			s.says(status, "%s", says)
			return tells(w, "resnet", want)
		})
	}
	told("a jump", http.StatusOK, "train_steps_total 500000\n", "jumped")
	back, since := 1000, time.Time{}
	w.Eventually("a step back is told", world.Soon, func() error {
		if time.Since(since) > 5*time.Second { // anew now and then, as after a gap in the readings none is a step back
			back, since = back-1, time.Now()
		}
		s.says(http.StatusOK, "train_steps_total %d\n", back)
		return tells(w, "resnet", "went back")
	})
	inTime("it is in time again after it went back")
	told("another failure", http.StatusInternalServerError, "down\n", "status 500")
	told("a jump right after it, farther than the job ever was,", http.StatusOK, "train_steps_total 990000\n", "jumped")
}

func TestJobThatReportsNothingIsBestEffortAndSaysSo(t *testing.T) {
	t.Parallel()
	w := world.New(t, world.Options{Start: world.Operate, Settings: watchfully})
	w.Nodes(1, 2)
	w.PyTorchJob("silent", world.Job{Still: true, Suspended: true, Deadline: "10m"})
	w.Eventually("it is best-effort, and told how to mend that", world.Soon, func() error {
		if err := world.Want("verdict", w.Job("silent").Status.Verdict, v1alpha1.VerdictBestEffort); err != nil {
			return fmt.Errorf("%w: %s", err, w.Job("silent").Status.Message)
		}
		return tells(w, "silent", "best-effort", "takt.dev/progress")
	})
	if phase := w.Workers("silent")[0].Status.Phase; phase != corev1.PodRunning {
		t.Errorf("its worker is %s", phase)
	}
}

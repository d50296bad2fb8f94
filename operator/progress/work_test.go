package progress

import (
	"context"
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// The annotation tells a log what it counts up to.
func TestLogsAreUnderstoodWithTheTotalOfTheAnnotation(t *testing.T) {
	for name, test := range map[string]struct {
		work  Work
		lines []string
		want  Sample // none if nothing is believed
	}{
		"bare step":                {Work{90000, "steps"}, []string{"step 420 loss 0.3"}, steps(420, 90000)},
		"bare iteration":           {Work{90000, "iterations"}, []string{"iteration 420"}, steps(420, 90000)},
		"bare epoch":               {Work{10, "epochs"}, []string{"epoch 3"}, epochs(2, 10)},
		"bare step of no unit":     {Work{90000, ""}, []string{"step 420"}, steps(420, 90000)},
		"bare epoch of no unit":    {Work{10, ""}, []string{"epoch 3"}, epochs(2, 10)},
		"bare epoch, but steps":    {Work{90000, "steps"}, []string{"epoch 3"}, Sample{}},
		"bare step, but epochs":    {Work{10, "epochs"}, []string{"step 3"}, Sample{}},
		"nothing done, other unit": {Work{10, "samples"}, []string{"step 0"}, Sample{}},
		"step":                     {Work{90000, "steps"}, []string{"step 420/90000"}, steps(420, 90000)},
		"step of a part":           {Work{90000, "steps"}, []string{"step 420/1000"}, Sample{}},
		"bar of a part": {
			Work{90000, "steps"}, []string{" 42%|████▏     | 420/1000 [00:10<00:15, 38.1it/s]"}, Sample{},
		},
		"step of an epoch":           {Work{90, "epochs"}, []string{"step 420/1000"}, Sample{}},
		"step of more":               {Work{80000, "steps"}, []string{"step 420/90000"}, steps(420, 90000)},
		"steps of something else":    {Work{1e6, "samples"}, []string{"step 420/1000"}, steps(420, 1000)},
		"epochs beside steps":        {Work{90000, "steps"}, []string{"Epoch 3/10", "step 420/1000"}, epochs(2.42, 10)},
		"steps of the whole, epochs": {Work{90000, "steps"}, []string{"step 20420/90000", "Epoch 3/10"}, steps(20420, 90000)},
		"epochs, steps of the whole": {Work{90000, "steps"}, []string{"Epoch 3/10", "step 20420/90000"}, steps(20420, 90000)},
	} {
		t.Run(name, func(t *testing.T) {
			got, found := (&output{}).tell(stamped(test.lines...), 0, test.work)
			if got.At = (time.Time{}); !found {
				got = Sample{} // what is not found is not looked at
			}
			if diff := cmp.Diff(test.want, got); diff != "" || found != (test.want != Sample{}) {
				t.Errorf("found %t, -want +got:\n%s", found, diff)
			}
		})
	}
}

// So it tells what a metric without a total counts up to.
func TestMetricsAreUnderstoodWithTheTotalOfTheAnnotation(t *testing.T) {
	for name, test := range map[string]struct {
		source Source
		serves string
		note   string
		want   Sample
	}{
		"agent": {
			NewAgent(wide), "takt_progress_done{unit=\"steps\"} 420\n", "0/90000 steps", steps(420, 90000),
		},
		"agent with a total": {NewAgent(wide), "takt_progress_done{unit=\"steps\"} 420\ntakt_progress_total 1000\n",
			"0/90000 steps", Sample{Done: 37800, Total: 90000, Unit: "steps", Beside: Plan{Epochs: 90}}},
		"Prometheus": {NewPrometheus(wide), "training_steps_done 420\n", "0/90000 steps", steps(420, 90000)},
	} {
		t.Run(name, func(t *testing.T) {
			at := serve(t, says(test.serves))
			target := resnet(worker("resnet-worker-0", AgentPortAnnotation, at, "prometheus.io/scrape", "true",
				"prometheus.io/port", at))
			target.Annotations = map[string]string{ProgressAnnotation: test.note}
			got, err := readerOf(test.source, Annotation{}).Read(t.Context(), target, sixOClock)
			if err != nil {
				t.Fatal(err)
			}
			test.want.Source, test.want.At = test.source.Name(), sixOClock
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// A total in the annotation, an endpoint that never answers, and a log that tells how far the job is.
func TestTheLogIsReadBesideAnAnnotationAndASilentEndpoint(t *testing.T) {
	silence := serve(t, func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	api := serveLogs(t, func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, stamped("step 420")) })
	limits := Limits{Timeout: 2 * time.Second, MaxBytes: 1 << 20}
	reader := readerOf(NewAgent(limits), Annotation{}, NewPrometheus(limits), NewLogs(api.kubernetes.CoreV1(), limits))
	target := resnet(worker("resnet-worker-0", "prometheus.io/scrape", "true", "prometheus.io/port", silence))
	target.Annotations = map[string]string{ProgressAnnotation: "0/90000 steps"}
	ctx, cancel := context.WithTimeout(t.Context(), limits.Timeout)
	defer cancel()
	got, err := reader.Read(ctx, target, sixOClock)
	if err != nil {
		t.Fatal(err)
	}
	want := steps(420, 90000)
	want.Source, want.At = logs, sixOClock
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

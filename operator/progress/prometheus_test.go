package progress

import (
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/takt-dev/takt/api/v1alpha1"
)

const agentMetrics = `# HELP takt_progress_done What is done.
# TYPE takt_progress_done gauge
takt_progress_done{unit="steps"} 420
# TYPE takt_progress_total gauge
takt_progress_total 1000
takt_progress_timestamp_seconds 1.7955216e+09
takt_checkpoint_timestamp_seconds 1795521540.25
`

func TestAgentIsRead(t *testing.T) {
	moment := time.Unix(1795521600, 0).UTC()
	cases := map[string]struct {
		metrics string
		total   v1alpha1.Decimal
		want    Sample
	}{
		"all that there is": {
			metrics: agentMetrics,
			want:    Sample{Done: 420, Total: 1000, Unit: "steps", At: moment, SavedAt: moment.Add(-59750 * time.Millisecond)},
		},
		"without a total": {metrics: "takt_progress_done 420\n", total: "1000", want: Sample{Done: 420, Total: 1000}},
		"of a total of 0": {
			metrics: "takt_progress_done 420\ntakt_progress_total 0", total: "1000", want: Sample{Done: 420, Total: 1000},
		},
		"nothing saved": {metrics: "takt_progress_done 0\ntakt_progress_total 10\ntakt_checkpoint_timestamp_seconds 0\n",
			want: Sample{Total: 10}},
	}
	for name, test := range cases {
		t.Run(name, func(t *testing.T) {
			target := resnet(worker("resnet-worker-0", AgentPortAnnotation,
				serve(t, func(w http.ResponseWriter, r *http.Request) {
					if r.URL.Path != "/metrics" {
						t.Errorf("%s is read", r.URL.Path)
					}
					says(test.metrics)(w, r)
				})))
			target.Spec.Total = test.total
			got, err := NewAgent(wide).Read(t.Context(), target)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

func TestAgentFails(t *testing.T) {
	nowhere := worker("resnet-worker-0", AgentPortAnnotation, "9090")
	nowhere.Status.PodIP = ""
	at := func(metrics string) Target {
		return resnet(worker("resnet-worker-0", AgentPortAnnotation, serve(t, says(metrics))))
	}
	for name, test := range map[string]struct {
		target Target
		want   error
	}{
		"no worker":          {resnet(), ErrNone},
		"no agent":           {resnet(worker("resnet-worker-0")), ErrNone},
		"no address yet":     {resnet(nowhere), ErrNone},
		"no progress yet":    {at("takt_checkpoint_timestamp_seconds 1\n"), ErrNone},
		"a port that is not": {resnet(worker("resnet-worker-0", AgentPortAnnotation, "65536")), ErrGarbage},
		"port 0":             {resnet(worker("resnet-worker-0", AgentPortAnnotation, "0")), ErrGarbage},
		"no total":           {at("takt_progress_done 1\n"), ErrMissing},
		"a total of NaN":     {at("takt_progress_done 1\ntakt_progress_total NaN\n"), ErrLie},
		"a time of NaN": {
			at("takt_progress_done 1\ntakt_progress_total 2\ntakt_progress_timestamp_seconds NaN\n"), ErrLie,
		},
		"a time of never": {
			at("takt_progress_done 1\ntakt_progress_total 2\ntakt_progress_timestamp_seconds 1e300\n"), ErrLie,
		},
		"a time before time": {
			at("takt_progress_done 1\ntakt_progress_total 2\ntakt_checkpoint_timestamp_seconds -1\n"), ErrLie,
		},
	} {
		t.Run(name, func(t *testing.T) {
			if got, err := NewAgent(wide).Read(t.Context(), test.target); !errors.Is(err, test.want) {
				t.Errorf("%+v, %v, want an error that is: %v", got, err, test.want)
			}
		})
	}
}

func TestPrometheusIsRead(t *testing.T) {
	const page = `# TYPE steps_done counter
steps_done{rank="0"} 419 1795521600000
steps_done{rank="1"} 420 1795521600000
steps_done_other 999
  steps_planned 1000
training_epochs_done 3
training_epochs_planned 10
takt_checkpoint_timestamp_seconds 1795521600
# TYPE step_seconds histogram
step_seconds_bucket{le="+Inf"} 7
step_seconds_sum 3.5
step_seconds_count 7`
	moment := time.Unix(1795521600, 0).UTC()
	handler := func(w http.ResponseWriter, r *http.Request) {
		if r.URL.RequestURI() != "/stats?all=yes" {
			http.NotFound(w, r)
			return
		}
		says(page)(w, r)
	}
	cases := map[string]struct {
		spec v1alpha1.ProgressSpec
		want Sample
	}{
		"with a total": {v1alpha1.ProgressSpec{Metric: "steps_done", Total: "2000"},
			Sample{Done: 420, Total: 2000, At: moment, SavedAt: moment}},
		"with a metric": {v1alpha1.ProgressSpec{Metric: "steps_done", TotalMetric: "steps_planned"},
			Sample{Done: 420, Total: 1000, At: moment, SavedAt: moment}},
		"of a histogram": {
			v1alpha1.ProgressSpec{Metric: "step_seconds_count", Total: "70"}, Sample{Done: 7, Total: 70, SavedAt: moment},
		},
		"well-known ones": {v1alpha1.ProgressSpec{}, Sample{Done: 3, Total: 10, Unit: "epochs", SavedAt: moment}},
	}
	for name, test := range cases {
		t.Run(name, func(t *testing.T) {
			at := serve(t, handler)
			target := resnet(worker("resnet-worker-0", scrapeAnnotation, "true", portAnnotation, at, pathAnnotation,
				"/stats?all=yes"))
			target.Spec = test.spec
			if test.spec.Metric != "" {
				target.Spec.Source = v1alpha1.ProgressPrometheus
				// What the ElasticJob says counts more than what the pod does.
				target.Spec.Port, target.Spec.Path = port(t, at), "/stats?all=yes"
				target.Pods[0] = worker("resnet-worker-0", portAnnotation, "none", pathAnnotation, "/wrong")
			}
			got, err := NewPrometheus(wide).Read(t.Context(), target)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

func TestWellKnownMetrics(t *testing.T) {
	for page, want := range map[string]Sample{
		"training_steps_done 42\ntraining_steps_planned 100":               {Done: 42, Total: 100, Unit: "steps"},
		"training_progress_ratio 0.42":                                     {Done: 0.42, Total: 1, Unit: Share},
		"takt_progress_done{unit=\"steps\"} 420\ntakt_progress_total 1000": {Done: 420, Total: 1000, Unit: "steps"},
	} {
		got, err := NewPrometheus(wide).Read(t.Context(),
			resnet(worker("resnet-worker-0", scrapeAnnotation, "true", portAnnotation, serve(t, says(page)))))
		if diff := cmp.Diff(want, got); err != nil || diff != "" {
			t.Errorf("%q: %v, -want +got:\n%s", page, err, diff)
		}
	}
}

// What nobody has said is there for us cannot be wrong.
func TestUninvitedPrometheusFindsNothingWrong(t *testing.T) {
	at := func(handler http.HandlerFunc) []string {
		return []string{scrapeAnnotation, "true", portAnnotation, serve(t, handler)}
	}
	for name, annotations := range map[string][]string{
		"not to be scraped": {
			portAnnotation, serve(t, func(http.ResponseWriter, *http.Request) { t.Error("it is scraped") }),
		},
		"no port":           {scrapeAnnotation, "true"},
		"a bad port":        {scrapeAnnotation, "true", portAnnotation, "http"},
		"nobody":            {scrapeAnnotation, "true", portAnnotation, "1"},
		"other metrics":     at(says("go_goroutines 7\n")),
		"a page":            at(says("<html>")),
		"an error":          at(http.NotFound),
		"an endless answer": at(endless("a 1\n")),
	} {
		t.Run(name, func(t *testing.T) {
			if got, err := NewPrometheus(wide).Read(t.Context(),
				resnet(worker("resnet-worker-0", annotations...))); !errors.Is(err, ErrNone) || passes(err) {
				t.Errorf("%+v, %v, want ErrNone", got, err)
			}
		})
	}
}

func TestPrometheusSaysWhatIsMissing(t *testing.T) {
	at := serve(t, says("steps_done 42\n"))
	for name, test := range map[string]struct {
		spec v1alpha1.ProgressSpec
		want string
	}{
		"the port": {v1alpha1.ProgressSpec{Metric: "steps_done", Total: "100"}, "give spec.progress.port"},
		"the metric": {
			v1alpha1.ProgressSpec{Metric: "steps", Total: "100", Port: port(t, at)}, "the metric steps is not served",
		},
		"the total metric": {
			v1alpha1.ProgressSpec{Metric: "steps_done", TotalMetric: "all", Port: port(t, at)}, "the metric all is not served",
		},
		"any total":       {v1alpha1.ProgressSpec{Metric: "steps_done", Port: port(t, at)}, "not of how many"},
		"a metric's name": {v1alpha1.ProgressSpec{Port: port(t, at)}, "spec.progress.metric must name"},
	} {
		t.Run(name, func(t *testing.T) {
			target := resnet(worker("resnet-worker-0"))
			target.Spec = test.spec
			target.Spec.Source = v1alpha1.ProgressPrometheus
			if _, err := NewPrometheus(wide).Read(t.Context(), target); !errors.Is(err, ErrMissing) ||
				!strings.Contains(err.Error(), test.want) {
				t.Errorf("%v does not say %q", err, test.want)
			}
		})
	}
}

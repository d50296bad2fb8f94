package progress

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/takt-dev/takt/api/v1alpha1"
)

const customGroup = "/apis/custom.metrics.k8s.io"

// values is an answer of the custom metrics API, of names and values in turn.
func values(version string, of ...string) http.HandlerFunc {
	var items []string
	for i := 0; i+1 < len(of); i += 2 {
		items = append(items, fmt.Sprintf(
			`{"describedObject": {"kind": "Pod", "name": %q}, "timestamp": "2026-11-21T18:00:00Z", "value": %q}`,
			of[i], of[i+1]))
	}
	return answersJSON(fmt.Sprintf(
		`{"kind": "MetricValueList", "apiVersion": "custom.metrics.k8s.io/%s", "metadata": {}, "items": [%s]}`,
		version, strings.Join(items, ",")))
}

func versions(names ...string) http.HandlerFunc {
	var served []string
	for _, name := range names {
		served = append(served, fmt.Sprintf(`{"groupVersion": "custom.metrics.k8s.io/%s", "version": %q}`, name, name))
	}
	return answersJSON(`{"kind": "APIGroup", "versions": [` + strings.Join(served, ",") + `]}`)
}

// serveCustom serves these paths of the API, and what the API server says of all others.
func serveCustom(t *testing.T, paths map[string]http.HandlerFunc) apiServer {
	return serveAPI(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if handler, ok := paths[strings.TrimPrefix(r.URL.Path, customGroup)]; ok && strings.HasPrefix(r.URL.Path,
			customGroup) {
			handler(w, r)
			return
		}
		refuses(w, 404, metav1.StatusReasonNotFound)
	}))
}

func TestCustomMetricsAreRead(t *testing.T) {
	const pods, job = "/namespaces/team/pods/*/", "/namespaces/team/pytorchjobs.kubeflow.org/resnet/"
	tried := 0
	cases := map[string]struct {
		paths map[string]http.HandlerFunc
		spec  v1alpha1.ProgressSpec
		want  Sample
	}{
		"of the job": {
			map[string]http.HandlerFunc{
				"/v1beta2" + job + "steps": values("v1beta2", "resnet", "420"),
				"/v1beta2" + job + "all":   values("v1beta2", "resnet", "1k"),
			},
			v1alpha1.ProgressSpec{Metric: "steps", TotalMetric: "all"},
			Sample{Done: 420, Total: 1000, At: sixOClock},
		},
		"of the workers": {
			map[string]http.HandlerFunc{
				"": versions("v1beta1", "v1beta2"),
				"/v1beta2" + pods + "steps": func(w http.ResponseWriter, r *http.Request) {
					if got := r.URL.Query().Get("labelSelector"); got != "training.kubeflow.org/job-name=resnet" {
						t.Errorf("selected by %q", got)
					}
					values("v1beta2", "resnet-worker-0", "419500m", "resnet-worker-1", "420", "stranger", "999")(w, r)
				},
			},
			v1alpha1.ProgressSpec{Metric: "steps", Total: "1000"},
			Sample{Done: 420, Total: 1000, At: sixOClock},
		},
		"of an older version": {
			map[string]http.HandlerFunc{
				"": versions("v1beta1"),
				"/v1beta2" + job + "steps": func(w http.ResponseWriter, _ *http.Request) {
					if tried++; tried > 1 {
						t.Error("the version is not remembered")
					}
					refuses(w, 404, metav1.StatusReasonNotFound)
				},
				"/v1beta1" + pods + "steps": values("v1beta1", "resnet-worker-0", "420"),
			},
			v1alpha1.ProgressSpec{Metric: "steps", Total: "1000"},
			Sample{Done: 420, Total: 1000, At: sixOClock},
		},
	}
	for name, test := range cases {
		t.Run(name, func(t *testing.T) {
			target := resnet(worker("resnet-worker-0"), worker("resnet-worker-1"))
			target.Resource = schema.GroupResource{Group: "kubeflow.org", Resource: "pytorchjobs"}
			target.Spec = test.spec
			target.Spec.Source = v1alpha1.ProgressCustomMetrics
			source := NewCustomMetrics(serveCustom(t, test.paths).rest(), wide)
			for range 2 { // it remembers the version
				got, err := source.Read(t.Context(), target)
				if err != nil {
					t.Fatal(err)
				}
				got.At = got.At.UTC()
				if diff := cmp.Diff(test.want, got); diff != "" {
					t.Errorf("-want +got:\n%s", diff)
				}
			}
		})
	}
}

func TestCustomMetricsFail(t *testing.T) {
	const path = "/v1beta2/namespaces/team/pods/*/steps"
	spec := v1alpha1.ProgressSpec{Source: v1alpha1.ProgressCustomMetrics, Metric: "steps", Total: "1000"}
	without := func(change func(*v1alpha1.ProgressSpec)) *v1alpha1.ProgressSpec {
		s := spec
		change(&s)
		return &s
	}
	cases := map[string]struct {
		paths map[string]http.HandlerFunc
		spec  *v1alpha1.ProgressSpec
		idle  bool
		want  error
		says  string
	}{
		"not asked for": {spec: without(func(s *v1alpha1.ProgressSpec) { s.Source = "" }), want: ErrNone},
		"no metric": {spec: without(func(s *v1alpha1.ProgressSpec) { s.Metric = "" }), want: ErrMissing,
			says: "spec.progress.metric must name"},
		"no total": {spec: without(func(s *v1alpha1.ProgressSpec) { s.Total = "" }), want: ErrMissing,
			says: "give spec.progress.total or totalMetric"},
		"no worker": {idle: true, want: ErrNone},
		"no such API": {
			want: ErrMissing, says: "the cluster does not serve custom.metrics.k8s.io: install an adapter",
		},
		"no version we know": {
			paths: map[string]http.HandlerFunc{"": versions("v9")}, want: ErrMissing, says: "does not serve",
		},
		"no such metric": {paths: map[string]http.HandlerFunc{"": versions("v1beta2")}, want: ErrMissing,
			says: "there is no custom metric steps"},
		"nor in an older one": {paths: map[string]http.HandlerFunc{"": versions("v1beta1")}, want: ErrMissing,
			says: "there is no custom metric steps"},
		"of others alone": {
			paths: map[string]http.HandlerFunc{path: values("v1beta2", "stranger", "9")}, want: ErrMissing,
		},
		"not allowed": {paths: map[string]http.HandlerFunc{path: func(w http.ResponseWriter,
			_ *http.Request) {
			refuses(w, 403, metav1.StatusReasonForbidden)
		}}, want: ErrUnreachable, says: "allow it to get"},
		"adapter is down": {paths: map[string]http.HandlerFunc{path: func(w http.ResponseWriter,
			_ *http.Request) {
			refuses(w, 503, metav1.StatusReasonServiceUnavailable)
		}}, want: ErrUnreachable},
		"not JSON": {
			paths: map[string]http.HandlerFunc{path: says("<html>")}, want: ErrGarbage, says: "cannot be read",
		},
		"value that is a word": {
			paths: map[string]http.HandlerFunc{path: values("v1beta2", "resnet-worker-0", "many")}, want: ErrGarbage,
		},
		"endless": {paths: map[string]http.HandlerFunc{path: endless("[[[[ ")}, want: ErrGarbage},
		"silence": {paths: map[string]http.HandlerFunc{path: func(_ http.ResponseWriter,
			r *http.Request) {
			<-r.Context().Done()
		}}, want: ErrTimeout},
	}
	for name, test := range cases {
		t.Run(name, func(t *testing.T) {
			limits := Limits{Timeout: time.Minute, MaxBytes: 10_000}
			if errors.Is(test.want, ErrTimeout) {
				limits.Timeout = 50 * time.Millisecond
			}
			target := resnet(worker("resnet-worker-0"))
			if test.idle {
				target.Pods = nil
			}
			target.Spec = spec
			if test.spec != nil {
				target.Spec = *test.spec
			}
			got, err := NewCustomMetrics(serveCustom(t, test.paths).rest(), limits).Read(t.Context(), target)
			if !errors.Is(err, test.want) || !strings.Contains(err.Error(), test.says) {
				t.Errorf("%+v, %v, want an error that is %q and says %q", got, err, test.want, test.says)
			}
		})
	}
}

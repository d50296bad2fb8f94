package progress_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/operator/progress"
)

// The name of a metric leads to no other path of the API server.
func TestTheNameOfAMetricLeadsNowhereElse(t *testing.T) {
	asked := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		asked++
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintln(w, `{"kind":"MetricValueList","apiVersion":"custom.metrics.k8s.io/v1beta2","items":[]}`)
	}))
	defer server.Close()
	clients := kubernetes.NewForConfigOrDie(&rest.Config{Host: server.URL})
	source := progress.NewCustomMetrics(clients.Discovery().RESTClient(),
		progress.Limits{Timeout: time.Minute, MaxBytes: 1 << 20})
	for _, metric := range []string{"x/../../../../../../api/v1/pods", "./x", "x/.."} {
		_, err := source.Read(t.Context(), progress.Target{
			Namespace: "team", Name: "resnet", Resource: schema.GroupResource{Group: "kubeflow.org", Resource: "pytorchjobs"},
			Spec: v1alpha1.ProgressSpec{Source: v1alpha1.ProgressCustomMetrics, Metric: metric, Total: "1000"},
		})
		if err == nil || !strings.Contains(err.Error(), "no name of a metric") {
			t.Errorf("metric %q: %v", metric, err)
		}
	}
	if asked > 0 {
		t.Errorf("the API server is asked %d times", asked)
	}
}

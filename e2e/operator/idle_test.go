package operator

import (
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/takt-dev/takt/e2e/cluster"
	"github.com/takt-dev/takt/e2e/world"
	"github.com/takt-dev/takt/operator/settings"
)

// serveCustomMetrics makes the cluster serve the custom metrics API until the test ends, with the use
// of GPUs in percent by the name of a pod of the world. Its API server takes it from this process, by
// a Service that names this machine.
func serveCustomMetrics(t *testing.T, w *world.World, use map[string]string) {
	t.Helper()
	const version = "/apis/custom.metrics.k8s.io/v1beta2"
	server := httptest.NewTLSServer(http.HandlerFunc(func(answer http.ResponseWriter, request *http.Request) {
		answer.Header().Set("Content-Type", "application/json")
		rest, ok := strings.CutPrefix(request.URL.Path, version)
		if !ok {
			http.NotFound(answer, request)
			return
		}
		result := map[string]any{"kind": "APIResourceList", "apiVersion": "v1", "groupVersion": "custom.metrics.k8s.io/v1beta2", "resources": []any{}}
		if rest != "" {
			items := []any{}
			if strings.HasPrefix(rest, "/namespaces/"+w.Namespace+"/pods/") && strings.HasSuffix(rest, "/DCGM_FI_DEV_GPU_UTIL") {
				for pod, percent := range use {
					items = append(items, map[string]any{
						"describedObject": map[string]any{"kind": "Pod", "namespace": w.Namespace, "name": pod, "apiVersion": "/v1"},
						"metric":          map[string]any{"name": "DCGM_FI_DEV_GPU_UTIL"},
						"timestamp":       time.Now().UTC().Format(time.RFC3339), "value": percent,
					})
				}
			}
			result = map[string]any{"kind": "MetricValueList", "apiVersion": "custom.metrics.k8s.io/v1beta2", "metadata": map[string]any{}, "items": items}
		}
		_ = json.NewEncoder(answer).Encode(result)
	}))
	t.Cleanup(server.Close)

	service := &corev1.Service{
		ObjectMeta: metav1.ObjectMeta{Namespace: w.Namespace, Name: "custom-metrics"},
		Spec:       corev1.ServiceSpec{Type: corev1.ServiceTypeExternalName, ExternalName: "localhost"},
	}
	if err := w.Client.Create(t.Context(), service); err != nil {
		t.Fatal(err)
	}
	api := &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "apiregistration.k8s.io/v1", "kind": "APIService",
		"metadata": map[string]any{"name": "v1beta2.custom.metrics.k8s.io"},
		"spec": map[string]any{
			"group": "custom.metrics.k8s.io", "version": "v1beta2", "insecureSkipTLSVerify": true,
			"groupPriorityMinimum": int64(100), "versionPriority": int64(100),
			"service": map[string]any{
				"namespace": w.Namespace, "name": service.Name, "port": int64(server.Listener.Addr().(*net.TCPAddr).Port),
			},
		},
	}}
	if err := w.Client.Create(t.Context(), api); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := w.Client.Delete(cluster.AfterTest(t), api); client.IgnoreNotFound(err) != nil {
			t.Error(err)
		}
	})
}

func TestJobThatHoldsGPUsWithoutUsingThemIsNamed(t *testing.T) {
	t.Parallel()
	w := world.New(t, world.Options{Start: start, Settings: func(s *settings.Settings) {
		s.Usage.Every = metav1.Duration{Duration: time.Second}
		s.Usage.IdleFor = metav1.Duration{Duration: 4 * time.Second}
	}})
	serveCustomMetrics(t, w, map[string]string{"idle-worker-0": "1", "busy-worker-0": "93"})
	w.Nodes(1, 8)
	for _, name := range []string{"idle", "busy"} {
		w.PyTorchJob(name, world.Job{GPUs: 4, Suspended: true, Queue: "default"})
	}
	w.Eventually("the idle one is named", 2*time.Minute, func() error {
		return tells(w, "idle", "It holds 4 GPUs", "at most 1 %", "counts as idle")
	})
	w.Eventually("the busy one is known to train", world.Soon, func() error {
		if w.Job("busy").Status.Progress.PartsPerMillion == 0 {
			return fmt.Errorf("%s", w.Job("busy").Status.Message)
		}
		return nil
	})
	if err := tells(w, "busy", "idle"); err == nil {
		t.Errorf("a busy job is said to be idle: %s", w.Job("busy").Status.Message)
	}
}

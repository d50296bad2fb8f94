package progress

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strconv"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	metrics "k8s.io/metrics/pkg/client/clientset/versioned"
)

// wide is for tests that are not about limits.
var wide = Limits{Timeout: time.Minute, MaxBytes: 1 << 20}

// worker is a pod of a job, with annotations as key and value in turn.
func worker(name string, annotations ...string) *corev1.Pod {
	pod := &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{
			Name: name, Namespace: "team", Annotations: map[string]string{},
			Labels: map[string]string{"training.kubeflow.org/job-name": "resnet", "index": name},
		},
		Spec:   corev1.PodSpec{Containers: []corev1.Container{{Name: "sidecar"}, {Name: "pytorch"}}},
		Status: corev1.PodStatus{PodIP: "127.0.0.1"},
	}
	for i := 0; i+1 < len(annotations); i += 2 {
		pod.Annotations[annotations[i]] = annotations[i+1]
	}
	return pod
}

func resnet(pods ...*corev1.Pod) Target {
	return Target{Namespace: "team", Name: "resnet", Container: "pytorch", Pods: pods}
}

// serve runs a server in the place of a pod, and gives its port.
func serve(t *testing.T, handler http.HandlerFunc) string {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	address, err := url.Parse(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	return address.Port()
}

func port(t *testing.T, text string) *int32 {
	t.Helper()
	number, err := strconv.ParseInt(text, 10, 32)
	if err != nil {
		t.Fatal(err)
	}
	p := int32(number)
	return &p
}

// says answers with a text.
func says(text string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/plain; version=0.0.4")
		_, _ = w.Write([]byte(text))
	}
}

// apiServer is real clients of a server in the place of the API server.
type apiServer struct {
	kubernetes kubernetes.Interface
	metrics    metrics.Interface
}

func (a apiServer) rest() rest.Interface { return a.kubernetes.CoreV1().RESTClient() }

func serveAPI(t *testing.T, handler http.Handler) apiServer {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	config := &rest.Config{Host: server.URL, QPS: -1}
	var a apiServer
	var err error
	if a.kubernetes, err = kubernetes.NewForConfig(config); err != nil {
		t.Fatal(err)
	}
	if a.metrics, err = metrics.NewForConfig(config); err != nil {
		t.Fatal(err)
	}
	return a
}

// refuses answers as the API server does.
func refuses(w http.ResponseWriter, code int, reason metav1.StatusReason) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(code)
	_, _ = w.Write([]byte(`{"kind":"Status","apiVersion":"v1","status":"Failure","message":"refused","reason":"` +
		string(reason) + `","code":` + strconv.Itoa(code) + `}`))
}

func answersJSON(text string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write([]byte(text))
	}
}

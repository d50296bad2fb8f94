package world

import (
	"cmp"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"

	"k8s.io/apimachinery/pkg/types"

	"github.com/takt-dev/takt/e2e/lib/training"
)

// kubelet is what the API server asks for the logs of a world's pods. It answers with what their trainings have
// written, unless the test answers itself.
type kubelet struct {
	port int32
	logs training.Logs

	mutex  sync.Mutex
	answer http.HandlerFunc
	ports  http.HandlerFunc
}

func newKubelet(t testing.TB) *kubelet {
	k := &kubelet{}
	server := httptest.NewTLSServer(k)
	t.Cleanup(server.Close)
	k.port = int32(server.Listener.Addr().(*net.TCPAddr).Port)
	return k
}

// AnswerForLogs has the test answer for the logs of all pods from now on, and with nil the trainings again.
func (w *World) AnswerForLogs(answer http.HandlerFunc) {
	w.kubelet.mutex.Lock()
	defer w.kubelet.mutex.Unlock()
	w.kubelet.answer = answer
}

// AnswerForPorts has the test answer where somebody wants to reach a port of a pod, at /portForward/NAMESPACE/POD.
func (w *World) AnswerForPorts(answer http.HandlerFunc) {
	w.kubelet.mutex.Lock()
	defer w.kubelet.mutex.Unlock()
	w.kubelet.ports = answer
}

// ServeHTTP answers for /containerLogs/NAMESPACE/POD/CONTAINER.
func (k *kubelet) ServeHTTP(answer http.ResponseWriter, request *http.Request) {
	k.mutex.Lock()
	instead, ports := k.answer, k.ports
	k.mutex.Unlock()
	parts := strings.Split(strings.Trim(request.URL.Path, "/"), "/")
	switch {
	case parts[0] == "portForward" && ports != nil:
		ports(answer, request)
	case len(parts) != 4 || parts[0] != "containerLogs":
		http.NotFound(answer, request)
	case instead != nil:
		instead(answer, request)
	default:
		lines, _ := strconv.Atoi(request.URL.Query().Get("tailLines"))
		_, _ = io.WriteString(answer, k.logs.Tail(types.NamespacedName{Namespace: parts[1], Name: parts[2]},
			cmp.Or(lines, 500)))
	}
}

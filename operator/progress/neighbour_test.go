package progress

import (
	"bytes"
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/takt-dev/takt/agent/contract"
	"github.com/takt-dev/takt/agent/known"
	"github.com/takt-dev/takt/agent/metrics"
)

// agentAt serves what the agent of a pod does that has done so many steps, at a port.
func agentAt(t *testing.T, port int, pod string, done float64) {
	t.Helper()
	run := known.NewRun()
	run.In(pod)
	if err := run.Told(known.Output, known.Count{Done: done, Total: 1000, Unit: "steps", At: sixOClock}); err != nil {
		t.Fatal(err)
	}
	var text bytes.Buffer
	if err := metrics.Write(&text, run.View()); err != nil {
		t.Fatal(err)
	}
	serveAt(t, port, says(text.String()))
}

func serveAt(t *testing.T, port int, handler http.HandlerFunc) {
	t.Helper()
	on, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(port))) //nolint:noctx // closed by the server
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewUnstartedServer(handler)
	_ = server.Listener.Close()
	server.Listener = on
	server.Start()
	t.Cleanup(server.Close)
}

// freePorts is the first of some ports in a row that nobody listens at, below those that systems give away.
func freePorts(t *testing.T, many int) int {
	t.Helper()
	for first := 20000; first < 32000; first += many {
		free := 0
		for ; free < many; free++ {
			on, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(first+free))) //nolint:noctx // closed at once
			if err != nil {
				break
			}
			_ = on.Close()
		}
		if free == many {
			return first
		}
	}
	t.Fatal("no ports are free")
	return 0
}

// In the network of a node, the agents of several jobs come to the same port, one after another.
func TestTheAgentOfAnotherPodIsNotBelieved(t *testing.T) {
	first := freePorts(t, contract.Ports)
	agentAt(t, first, "theirs", 900)
	serveAt(t, first+1, http.NotFound)
	agentAt(t, first+3, "ours", 100)

	for _, test := range []struct {
		pod  string
		done float64
	}{{"theirs", 900}, {"ours", 100}, {"ours", 100}} {
		pod := worker("resnet-worker-0", contract.PortAnnotation, strconv.Itoa(first))
		pod.UID = types.UID(test.pod)
		got, err := NewAgent(wide).Read(t.Context(), resnet(pod))
		if err != nil || got.Done != test.done {
			t.Errorf("pod %s has done %g, %v; want %g", test.pod, got.Done, err, test.done)
		}
	}

	gone := worker("resnet-worker-0", contract.PortAnnotation, strconv.Itoa(first))
	gone.UID = "gone"
	source := NewAgent(wide)
	if _, err := source.Read(t.Context(), resnet(gone)); !errors.Is(err, ErrUnreachable) ||
		!strings.Contains(err.Error(), "another pod answers") {
		t.Errorf("what another pod's agent says counts: %v", err)
	}
	if _, err := source.Ask(t.Context(), gone); err == nil {
		t.Error("what another pod's agent says is taken for the word of this one")
	}
}

// Of the agents of earlier versions, and of those that somebody has put into an image, nobody knows the pod.
func TestAnAgentThatDoesNotKnowItsPodIsBelievedAtItsOwnPort(t *testing.T) {
	first := freePorts(t, contract.Ports)
	pod := worker("resnet-worker-0", contract.PortAnnotation, strconv.Itoa(first))
	pod.UID = "ours"
	source := NewAgent(wide)
	read := func(pod *corev1.Pod) error { _, err := source.Read(t.Context(), resnet(pod)); return err }
	agentAt(t, first+1, "", 100)
	if err := read(pod); err == nil {
		t.Error("an agent that may be that of any pod is believed at another port")
	}
	agentAt(t, first, "", 100)
	if err := read(pod); err != nil {
		t.Error(err)
	}
}

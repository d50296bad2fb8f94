package scheduler

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"

	"github.com/takt-dev/takt/e2e/lib/world"
)

// gatekeeper is an extender of the scheduler: it is asked about each pod in the middle of its cycle, after
// all plugins, and can keep the answer back. So a test can do things at that very moment.
type gatekeeper struct {
	t   *testing.T
	url string

	mu     sync.Mutex
	stop   []string          // pods of which one is to be stopped
	nth    int               // in which of their cycles, from now on
	nodes  map[string]string // that pods were about to go to
	here   chan struct{}     // closed once it has stopped
	goOn   chan struct{}
	passed sync.Once
}

// keepGate makes one that stops the nth cycle of any of some pods: those of a gang come in no fixed order.
func keepGate(t *testing.T, nth int, stop ...string) *gatekeeper {
	t.Helper()
	g := &gatekeeper{
		t: t, stop: stop, nth: nth, nodes: map[string]string{}, here: make(chan struct{}), goOn: make(chan struct{}),
	}
	server := httptest.NewServer(g)
	t.Cleanup(server.Close)
	t.Cleanup(g.open)
	g.url = server.URL
	return g
}

// ServeHTTP lets every pod go where it likes.
func (g *gatekeeper) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var asked struct {
		Pod struct {
			Metadata struct{ Name string }
		}
		NodeNames []string
	}
	if err := json.NewDecoder(r.Body).Decode(&asked); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	name := asked.Pod.Metadata.Name
	g.mu.Lock()
	if len(asked.NodeNames) == 1 {
		g.nodes[name] = asked.NodeNames[0]
	}
	stop := false
	if slices.Contains(g.stop, name) {
		g.nth--
		stop = g.nth == 0
	}
	g.mu.Unlock()
	if stop {
		close(g.here)
		<-g.goOn
	}
	_ = json.NewEncoder(w).Encode(map[string]any{"NodeNames": asked.NodeNames})
}

// configured adds it to a configuration.
func (g *gatekeeper) configured(config, _ object) {
	config["extenders"] = []any{object{
		"urlPrefix": g.url, "filterVerb": "filter", "nodeCacheCapable": true, "httpTimeout": "10m",
	}}
}

// await waits until the cycle has stopped.
func (g *gatekeeper) await(w *world.World) {
	g.t.Helper()
	w.Eventually("the cycle of the pod is in the middle", world.Soon, func() error {
		select {
		case <-g.here:
			return nil
		default:
			return errNotThere
		}
	})
}

// open lets it go on.
func (g *gatekeeper) open() { g.passed.Do(func() { close(g.goOn) }) }

// planned is where a pod was about to go.
func (g *gatekeeper) planned(name string) string {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.nodes[name]
}

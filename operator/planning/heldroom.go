package planning

import (
	"sync"

	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/elastic/resize"
	"github.com/takt-dev/takt/operator/view"
)

// heldRoom is on which nodes pods without GPUs keep workers from room, of jobs that would be larger. Clusters have
// thousands of such pods that come and go, so the end of one calls for a plan only if it was on such a node.
type heldRoom struct {
	mu    sync.Mutex
	nodes map[string]bool
	left  map[string]bool // the nodes that such pods have left since a plan was begun, which may have missed that
}

// HearRoom says that a pod without GPUs holds nothing of a node any more.
func (p *Planner) HearRoom(node string) {
	if p.held.leave(node) {
		p.callForRoom()
	}
}

// callForRoom calls for a plan because of pods without GPUs: for few, however many of them come and go.
func (p *Planner) callForRoom() {
	p.Changes.Call(types.NamespacedName{}, p.callPace(), p.Now, p.Kick)
}

func (h *heldRoom) leave(node string) (matters bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.left == nil {
		h.left = map[string]bool{}
	}
	h.left[node] = true
	return h.nodes[node]
}

// begin says that a plan is begun: it sees what has happened until now.
func (h *heldRoom) begin() {
	h.mu.Lock()
	defer h.mu.Unlock()
	clear(h.left)
}

// becomes takes the nodes as a plan has found them, and says whether one of them was left meanwhile.
func (h *heldRoom) becomes(nodes map[string]bool) (missed bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for node := range h.left {
		missed = missed || nodes[node] && !h.nodes[node] // else it has called for a plan already
	}
	h.nodes = nodes
	return missed
}

// noteHeldRoom remembers on which nodes pods without GPUs are in the way of jobs that would be larger.
func (p *Planner) noteHeldRoom(sc *Scene, decision elastic.Decision) {
	nodes := map[string]bool{}
	known := map[*string]bool{} // many jobs have the same list
	for i, s := range sc.Subjects {
		list := sc.heldFor[client.ObjectKeyFromObject(s.ElasticJob)]
		if len(list) == 0 || known[&list[0]] || !wantsMore(s, decision.Jobs[i].Workers) {
			continue
		}
		known[&list[0]] = true
		for _, node := range list {
			nodes[node] = true
		}
	}
	if p.held.becomes(nodes) {
		p.callForRoom()
	}
}

// wantsMore says that a job has less than it may have.
func wantsMore(s *view.Subject, has elastic.Workers) bool {
	_, most := s.Sizes()
	return resize.Workers(has) < most
}

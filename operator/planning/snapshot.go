package planning

import (
	"encoding/json"
	"net/http"
	"sync/atomic"

	"github.com/takt-dev/takt/elastic/begin"
)

// SnapshotPath is where the operator tells, beside its metrics and to those who may get this path, what
// it last planned from: takt plan --file shows what was decided about it, and why.
const SnapshotPath = "/snapshot"

// LastSnapshot is what was last planned from.
type LastSnapshot struct {
	atomic.Pointer[begin.Scene]
}

// ServeHTTP tells it as JSON.
func (l *LastSnapshot) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet {
		http.Error(w, "this can only be read: use GET", http.StatusMethodNotAllowed)
		return
	}
	snapshot := l.Load()
	if snapshot == nil {
		http.Error(w, "nothing has been planned yet: try again in a moment, or ask the replica that leads",
			http.StatusServiceUnavailable)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	encoder := json.NewEncoder(w)
	encoder.SetIndent("", "  ")
	_ = encoder.Encode(snapshot) // a caller who has gone away needs no answer
}

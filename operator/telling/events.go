package telling

import (
	"fmt"
	"hash/maphash"
	"strings"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/tools/events"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// Recorder tells people what happens, once: an event that says of an object what the last one said
// is left out, while that one can still be read.
type Recorder struct {
	sink events.EventRecorder
	now  func() time.Time

	mu   sync.Mutex
	last map[types.UID]saying
}

// saying is what was last said of an object, and when.
type saying struct {
	hash uint64 // of the text: the texts of thousands of objects are long
	at   time.Time
}

var seed = maphash.MakeSeed()

// EventLives is how long an event can be read at least: API servers drop them, by default after an hour.
const EventLives = 45 * time.Minute

// longest is how many bytes an event may say.
const longest = 1024

// mostRemembered bounds what is remembered; beyond it all is forgotten, and said again at worst.
const mostRemembered = 50_000

// NewRecorder is one that has told nothing yet.
func NewRecorder(sink events.EventRecorder, now func() time.Time) *Recorder {
	return &Recorder{sink: sink, now: now, last: map[types.UID]saying{}}
}

// Tell tells of an object what has happened to it, in as many words as an event has room for: the API server refuses
// others.
func (r *Recorder) Tell(about client.Object, kind, reason, format string, args ...any) {
	text, now := fmt.Sprintf(format, args...), r.now()
	if len(text) > longest {
		text = strings.ToValidUTF8(text[:longest-len("…")], "") + "…"
	}
	hash := maphash.String(seed, reason+text)
	r.mu.Lock()
	last := r.last[about.GetUID()]
	said := last.hash == hash && now.Sub(last.at) < EventLives
	if len(r.last) >= mostRemembered {
		clear(r.last)
	}
	if !said {
		r.last[about.GetUID()] = saying{hash, now}
	}
	r.mu.Unlock()
	if !said {
		r.sink.Eventf(about.(runtime.Object), nil, kind, reason, "Takt", "%s", text)
	}
}

// Warn tells of an object what somebody should do something about.
func (r *Recorder) Warn(about client.Object, reason, format string, args ...any) {
	r.Tell(about, corev1.EventTypeWarning, reason, format, args...)
}

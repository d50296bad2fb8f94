package page

import (
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/types"
	toolscache "k8s.io/client-go/tools/cache"

	"github.com/takt-dev/takt/api/v1alpha1"
)

const (
	// mostPoints are kept of a job. Where there are more, every second one goes, so that a long life is as many.
	mostPoints = 48
	// mostLives are kept. Jobs beyond that are drawn without what lies between their beginning and now.
	mostLives = 10_000
)

// point is how far a job was at a moment.
type point struct {
	at   int64 // seconds
	done int32 // parts in a million
}

// History is how far jobs were when this replica heard of them: objects of the API tell how far they are at present
// alone. It may be lost at any moment, and is bounded whatever jobs tell.
type History struct {
	mu    sync.Mutex
	lives map[types.UID][]point
}

// Handler hears of ElasticJobs.
func (h *History) Handler() toolscache.ResourceEventHandler {
	return toolscache.ResourceEventHandlerFuncs{
		AddFunc: h.hear, UpdateFunc: h.change, DeleteFunc: h.forget,
	}
}

// change hears of a job anew; or of another of its name, where nobody has heard that the one before it was deleted.
func (h *History) change(before, after any) {
	a, was := before.(*v1alpha1.ElasticJob)
	if b, is := after.(*v1alpha1.ElasticJob); was && is && a.UID != b.UID {
		h.forget(a)
	}
	h.hear(after)
}

func (h *History) hear(object any) {
	job, ok := object.(*v1alpha1.ElasticJob)
	if !ok {
		return
	}
	seen, err := job.Status.Progress.ObservedAt.Time()
	if err != nil {
		return
	}
	is := point{seen.Unix(), job.Status.Progress.PartsPerMillion}
	h.mu.Lock()
	defer h.mu.Unlock()
	life, known := h.lives[job.UID]
	if !known && len(h.lives) >= mostLives {
		return
	}
	if last := len(life) - 1; last >= 0 && (is.at <= life[last].at || is.done == life[last].done) {
		return
	}
	if h.lives == nil {
		h.lives = map[types.UID][]point{}
	}
	h.lives[job.UID] = append(thinned(life), is)
}

// thinned leaves out every second of as many points as are kept.
func thinned(life []point) []point {
	if len(life) < mostPoints {
		return life
	}
	kept := make([]point, 0, mostPoints)
	for i := 0; i < len(life); i += 2 {
		kept = append(kept, life[i])
	}
	return kept
}

func (h *History) forget(object any) {
	if gone, is := object.(toolscache.DeletedFinalStateUnknown); is {
		object = gone.Obj
	}
	if job, ok := object.(*v1alpha1.ElasticJob); ok {
		h.mu.Lock()
		defer h.mu.Unlock()
		delete(h.lives, job.UID)
	}
}

// between are the points of a job after one moment and before another.
func (h *History) between(job types.UID, from, to time.Time) (points []point) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, p := range h.lives[job] {
		if p.at > from.Unix() && p.at < to.Unix() {
			points = append(points, p)
		}
	}
	return points
}

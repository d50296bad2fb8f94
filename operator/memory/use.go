package memory

import (
	"time"

	"github.com/takt-dev/takt/operator/progress"
)

// mostSeldom is how often the rest doubles between two questions for what nobody serves.
const mostSeldom = 3

// Idleness says that the job does not use its GPUs; empty if it does, or nobody can tell.
func (r *Job) Idleness() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.use
}

// DueToWatch says whether it is time to read how busy the GPUs are, and counts that as done.
func (r *Job) DueToWatch(now time.Time, every time.Duration) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if now.Before(r.watchedAt.Add(every)) {
		return false
	}
	r.watchedAt = now
	return true
}

// NotServed takes that nobody serves how busy the GPUs are. It is not asked for again before a rest, which is twice as
// long each time, up to a bound.
func (r *Job) NotServed(now time.Time, rest time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.watchedAt = now.Add(rest << min(r.unserved, mostSeldom))
	r.unserved++
}

// WasNotServed says that nobody served it when it was last asked for.
func (r *Job) WasNotServed() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.unserved > 0
}

// Watched takes a reading of how busy the GPUs are, and says whether that changes what is told.
func (r *Job) Watched(use progress.Usage, rule progress.IdleRule, gpus int) (changed bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	before := r.use != ""
	r.unserved = 0
	r.idle = r.idle.Fed(use, rule)
	if idle, sentence := r.idle.Idle(gpus, rule); idle {
		r.use = sentence
	} else {
		r.use = ""
	}
	return before != (r.use != "")
}

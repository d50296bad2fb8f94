package memory

import (
	"time"

	"github.com/takt-dev/takt/operator/progress"
)

// mostSeldom is how often the rest doubles between two questions for what nobody serves.
const mostSeldom = 3

// Idleness says that the job does not use its GPUs; empty if it does, or nobody can tell.
func (j *Job) Idleness() string {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.use
}

// DueToWatch says whether it is time to read how busy the GPUs are, and counts that as done.
func (j *Job) DueToWatch(now time.Time, every time.Duration) bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	if now.Before(j.watchedAt.Add(every)) {
		return false
	}
	j.watchedAt = now
	return true
}

// NotServed takes that nobody serves how busy the GPUs are. It is not asked for again before a rest, which is twice as
// long each time, up to a bound.
func (j *Job) NotServed(now time.Time, rest time.Duration) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.watchedAt = now.Add(rest << min(j.unserved, mostSeldom))
	j.unserved++
}

// WasNotServed says that nobody served it when it was last asked for.
func (j *Job) WasNotServed() bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.unserved > 0
}

// Watched takes a reading of how busy the GPUs are, and says whether that changes what is told.
func (j *Job) Watched(use progress.Usage, rule progress.IdleRule, gpus int) (changed bool) {
	j.mu.Lock()
	defer j.mu.Unlock()
	before := j.use != ""
	j.unserved = 0
	j.idle = j.idle.Fed(use, rule)
	if idle, sentence := j.idle.Idle(gpus, rule); idle {
		j.use = sentence
	} else {
		j.use = ""
	}
	return before != (j.use != "")
}

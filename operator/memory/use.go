package memory

import (
	"time"

	"github.com/takt-dev/takt/operator/progress"
)

// use is what is remembered of how busy the GPUs of a job are.
type use struct {
	idleSays string // what is wrong with that; empty if all is well
	idle     progress.Idleness
	askedAt  time.Time // when that was last read, or is not to be before
	unserved int       // how often in turn nobody has served it
}

// mostSeldom is how often the rest doubles between two questions for what nobody serves.
const mostSeldom = 3

// Idleness says that the job does not use its GPUs; empty if it does, or nobody can tell.
func (j *Job) Idleness() string {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.idleSays
}

// DueToReadUse says whether it is time to read how busy the GPUs are, and counts that as done.
func (j *Job) DueToReadUse(now time.Time, every time.Duration) bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	if now.Before(j.askedAt.Add(every)) {
		return false
	}
	j.askedAt = now
	return true
}

// NotServed takes that nobody serves how busy the GPUs are. It is not asked for again before a rest, which is twice as
// long each time, up to a bound.
func (j *Job) NotServed(now time.Time, rest time.Duration) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.askedAt = now.Add(rest << min(j.unserved, mostSeldom))
	j.unserved++
}

// WasNotServed says that nobody served it when it was last asked for.
func (j *Job) WasNotServed() bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.unserved > 0
}

// SawNoUse takes that nobody can tell how busy the GPUs are, and says whether that changes what is told: what was seen
// last says nothing after a while.
func (j *Job) SawNoUse(now time.Time, rule progress.IdleRule) (changed bool) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.idleSays == "" || !j.idle.Passed(now, rule) {
		return false
	}
	j.idle, j.idleSays = progress.Idleness{}, ""
	return true
}

// SawUse takes a reading of how busy the GPUs are, and says whether that changes what is told.
func (j *Job) SawUse(seen progress.Usage, rule progress.IdleRule, gpus int) (changed bool) {
	j.mu.Lock()
	defer j.mu.Unlock()
	before := j.idleSays != ""
	j.unserved = 0
	j.idle = j.idle.Fed(seen, rule)
	if idle, sentence := j.idle.Idle(gpus, rule); idle {
		j.idleSays = sentence
	} else {
		j.idleSays = ""
	}
	return before != (j.idleSays != "")
}

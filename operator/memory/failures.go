package memory

import "time"

// failures is what is remembered of pods of the job that have failed.
type failures struct {
	failed      int
	failedAt    time.Time // the last of them; zero if nobody knows of any
	failedKnown bool
}

// LastFailed is when the last of so many pods that have failed did; zero if nobody knows of any. When those had failed
// that this process found when it first saw the job nobody can tell: it may have been just now, unless all workers are
// there again.
func (j *Job) LastFailed(failed int, complete func() bool, now time.Time) time.Time {
	j.mu.Lock()
	defer j.mu.Unlock()
	if failed > j.failed && (j.failedKnown || !complete()) {
		j.failedAt = now
	}
	j.failed, j.failedKnown = max(j.failed, failed), true
	return j.failedAt
}

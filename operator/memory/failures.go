package memory

import "time"

// failures is what is remembered of pods of the job that have failed.
type failures struct {
	failed      int
	failedAt    time.Time // the last of them; zero if none has lately
	failedKnown bool
}

// LastFailed is when the last of so many pods that have failed did; zero if that was too long ago to matter. Of those
// that had failed before this process first saw the job nobody knows: it may have been just now, unless all workers
// are there.
func (j *Job) LastFailed(failed int, complete bool, now time.Time) time.Time {
	j.mu.Lock()
	defer j.mu.Unlock()
	if failed > j.failed && (j.failedKnown || !complete) {
		j.failedAt = now
	}
	j.failed, j.failedKnown = failed, true
	return j.failedAt
}

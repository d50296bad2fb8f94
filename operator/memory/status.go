package memory

import "time"

// writes is what is remembered of what was written for a job.
type writes struct {
	// wroteAt is when this process last wrote the status, and worseAt when it last wrote a verdict that was worse than the
	// one before.
	wroteAt, worseAt time.Time
	// recorded says that what has happened to the job is about to be written down, or was.
	recorded bool
	// closed says that all that its end has taught is stored, but for that record.
	closed bool
}

// Written is when this process last wrote the status; zero if it has not, or there is no job.
func (j *Job) Written() time.Time {
	if j == nil {
		return time.Time{}
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.wroteAt
}

// ToBeRecorded says that what has happened to the job is to be written down: once for each process.
func (j *Job) ToBeRecorded() bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	was := j.recorded
	j.recorded = true
	return !was
}

// Close takes that all that the end of the job has taught is stored.
func (j *Job) Close() {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.closed = true
}

// Closed says that this process has stored all that the end of the job has taught, and has given its record away.
func (j *Job) Closed() bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.closed
}

// Wrote takes that the status was written just now.
func (j *Job) Wrote(at time.Time) {
	if j == nil {
		return
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	j.wroteAt = at
}

// Worsened takes that the status tells a worse verdict since just now.
func (j *Job) Worsened(at time.Time) {
	if j == nil {
		return
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	j.worseAt = at
}

// WorseSince is when the verdict last became worse; zero if it has not.
func (j *Job) WorseSince() time.Time {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.worseAt
}

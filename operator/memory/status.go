package memory

import (
	"time"
)

// Written is when this process last wrote the status; zero if it has not, or there is no job.
func (r *Job) Written() time.Time {
	if r == nil {
		return time.Time{}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.wroteAt
}

// ToBeRecorded says that what has happened to the job is to be written down: once for each process.
func (r *Job) ToBeRecorded() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	was := r.recorded
	r.recorded = true
	return !was
}

// Close takes that all that the end of the job has taught is stored.
func (r *Job) Close() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.closed = true
}

// Closed says that this process has stored all that the end of the job has taught, and has given its record away.
func (r *Job) Closed() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.closed
}

// Wrote takes that the status was written just now.
func (r *Job) Wrote(at time.Time) {
	if r == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.wroteAt = at
}

// Worsened takes that the status tells a worse verdict since just now.
func (r *Job) Worsened(at time.Time) {
	if r == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.worseAt = at
}

// WorseSince is when the verdict last became worse; zero if it has not.
func (r *Job) WorseSince() time.Time {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.worseAt
}

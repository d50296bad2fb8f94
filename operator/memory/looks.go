package memory

import "time"

// looks is what is remembered of the looks at the progress of a job.
type looks struct {
	// answered says that the progress was read, or that it was found that it cannot be.
	answered bool
	// slow says that the last reading took long, or that one before it did and none has told anything since.
	slow bool
	// since is when this process first saw the job, or the end of the last gap between two looks, or between two that
	// were answered. The last was at lookedAt, the last answered one at sawAt; zero before the first, and while there is
	// nothing to see.
	since, lookedAt, sawAt time.Time
	// gap is how long after the last look the next is overdue.
	gap time.Duration
	// tells is what events had told at the last look, found what that look has found, and lookAt when the next is due
	// unless they tell anything else. It was at foundAt that the job was last found to be further.
	tells   uint64
	found   Found
	foundAt time.Time
	lookAt  time.Time
	// wordAt is when a job that has ended had said last how far it was, which is word; it was asked for if asked.
	wordAt time.Time
	word   float64
	asked  bool
	// endSeenAt is when this process has first seen that the job has ended; zero if it has not.
	endSeenAt time.Time
}

// EndSeen is when this process has first seen the end of the job, which has ended by now.
func (j *Job) EndSeen(now time.Time) time.Time {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.endSeenAt.IsZero() {
		j.endSeenAt = now
	}
	return j.endSeenAt
}

// KeepLastWord remembers what a job that has ended had said last of how far it is, and when; nothing, if it cannot be
// read.
func (j *Job) KeepLastWord(at time.Time, done float64) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.wordAt, j.word, j.asked = at, done, true
}

// HasLastWord says that it was tried to read what the job had said last.
func (j *Job) HasLastWord() bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.asked
}

// LastWord is what a job that has ended had said last of how far it is, and when; zero if that is not known.
func (j *Job) LastWord() (at time.Time, done float64) {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.wordAt, j.word
}

// Looked says that the progress was read just now, or could not be; heard, whether that has ever told how far
// the job is, or that it does not say. A reading that failed in a way that may pass tells neither. A look that comes
// later than it was due begins anew; the next is due within a gap.
func (j *Job) Looked(now time.Time, gap time.Duration, heard bool) {
	j.mu.Lock()
	defer j.mu.Unlock()
	now = now.Round(0) // of the clock on the wall, which goes on where a machine is suspended
	if !j.lookedAt.IsZero() && now.Sub(j.lookedAt) > j.gap {
		j.since = now
	}
	j.answered, j.lookedAt, j.gap = j.answered || heard, now, gap
}

// Saw says that at a moment something answered how far the job is, or that nothing tells it. What comes after a longer
// gap begins anew, as a look does: what was told within it cannot be made up for.
func (j *Job) Saw(at time.Time, gap time.Duration) {
	j.mu.Lock()
	defer j.mu.Unlock()
	at = at.Round(0)
	if !j.sawAt.IsZero() && at.Sub(j.sawAt) > gap {
		j.since = at
	}
	j.sawAt = at
}

// SeenAt is when something last answered, as far as this process knows.
func (j *Job) SeenAt() time.Time {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.sawAt
}

// Quiet is for how long a job has told nothing new that told something at a moment last, if at all: as far as this
// process would have heard it.
func (j *Job) Quiet(told, now time.Time) time.Duration {
	j.mu.Lock()
	defer j.mu.Unlock()
	if told.Before(j.since) {
		told = j.since
	}
	return now.Sub(told)
}

// NothingToSee says that nobody trains, so that no look is due.
func (j *Job) NothingToSee() {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.lookedAt, j.sawAt = time.Time{}, time.Time{}
}

// Heard says that the progress was read, or that it was found that it cannot be.
func (j *Job) Heard() bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.answered
}

// FirstPlanWaits says that the first plan may wait for a reading of this job: there was none yet that told anything,
// and the job has not been known for long.
func (j *Job) FirstPlanWaits(now time.Time) bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	return !j.answered && now.Sub(j.since) < MostPatience
}

// IsSlow says whether a reading is likely to take long.
func (j *Job) IsSlow() bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.slow
}

// Took takes whether a reading was slow, and whether it has told anything.
func (j *Job) Took(slow, told bool) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.slow = slow || j.slow && !told
}

// WatchedSince is since when this process has watched the progress without a gap. While there should have
// been a look long ago, it does not watch: it was held up, and has not looked since.
func (j *Job) WatchedSince(now time.Time, gap time.Duration) time.Time {
	j.mu.Lock()
	defer j.mu.Unlock()
	if now = now.Round(0); !j.lookedAt.IsZero() && now.Sub(j.lookedAt) > gap {
		return now
	}
	return j.since
}

// Rests is how long the next look is not due yet, as long as the same is told as at the last one.
func (j *Job) Rests(tells uint64, now time.Time) time.Duration {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.tells != tells {
		return 0
	}
	return j.lookAt.Sub(now)
}

// RestsFor has the next look be due after a while.
func (j *Job) RestsFor(tells uint64, now time.Time, wait time.Duration) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.tells, j.lookAt = tells, now.Add(wait)
}

// Unread says that nobody looks at the progress of a job: the next look is overdue, or there was none yet.
func (j *Job) Unread(now time.Time) bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	return now.Sub(j.lookedAt) > j.gap
}

// Unwatched is how long after a look at the progress of a job that is looked at so often nobody has watched it any
// more: the next looks are overdue, and what is left of the time to verify a resize could be too short for them.
func Unwatched(every, timeout, verifyWithin time.Duration) time.Duration {
	return max(3*every+timeout, verifyWithin/2)
}

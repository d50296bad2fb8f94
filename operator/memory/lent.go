package memory

// SeeInterruptible takes whether the job may be stopped now, and whether it runs. One that may not be stopped from its
// start on has GPUs of its own, and so has one that this process, and those before it, have seen only as that. One that
// somebody says so of later has what it has until others are promised or guaranteed it.
func (j *Job) SeeInterruptible(interruptible, runs bool) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.lent = interruptible || j.lent && runs
}

// Lent says that others may be promised what the job has.
func (j *Job) Lent() bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.lent
}

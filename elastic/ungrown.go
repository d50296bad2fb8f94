package elastic

import "slices"

// Ungrown is why a job is not given more workers for now than it has. What it cannot have is left to others.
type Ungrown struct {
	// Until is until when it is not grown, as that has failed, or was taken back more than once.
	Until Seconds `json:"until,omitempty"`
	// Stuck says that further workers could not help it: one that it has cannot run, or is not to be had back from its
	// node.
	Stuck bool `json:"stuck,omitempty"`
	// Spare is the size that it was last to be given as GPUs were free; absent if it was not.
	Spare Workers `json:"spare,omitempty"`
}

// ungrown is the snapshot without the sizes that jobs cannot be given now, unless these are promised: until they may be
// tried again, nobody else is promised them. One that could not start begins to wait anew. One that is not to be
// interrupted any more has no larger size again, whatever it was promised before that was said.
func (s Snapshot) ungrown() Snapshot {
	stays := func(j Job) bool {
		return j.Lent && j.Workers > 0 ||
			j.Ungrown != nil && (s.Now < j.Ungrown.Until || j.Ungrown.Stuck && j.Workers > 0)
	}
	if !slices.ContainsFunc(s.Jobs, stays) {
		return s
	}
	s.Jobs = slices.Clone(s.Jobs)
	for i := range s.Jobs {
		switch j := &s.Jobs[i]; {
		case !stays(*j):
		case j.Workers == 0:
			j.WaitsSince = s.Now
		case j.Lent:
			j.Sizes = j.sizesUpTo(j.Workers)
		default:
			j.Sizes = j.sizesUpTo(max(j.Workers, j.promisedSize()))
		}
	}
	return s
}

// restsUntil is until when a job that waits is not started, as that has failed, or was taken back more than once; false
// if it may start now. One with a promise keeps what is reserved for it all the same.
func (j *trainee) restsUntil(now Seconds) (until Seconds, rests bool) {
	if j.Ungrown == nil || j.Workers > 0 || j.Promised || j.Ungrown.Until <= now {
		return now, false
	}
	return j.Ungrown.Until, true
}

// rests says that a job is not started yet, and has it planned again once it may be.
func (p *pool) rests(j *trainee) bool {
	until, rests := j.restsUntil(p.now)
	if rests {
		p.wake = min(p.wake, until)
	}
	return rests
}

// sizesUpTo are the sizes of a job up to one; the smallest, if there is none.
func (j *Job) sizesUpTo(most Workers) []Size {
	beyond := slices.IndexFunc(j.Sizes, func(size Size) bool { return size.Workers > most })
	if beyond < 0 {
		return j.Sizes
	}
	return j.Sizes[:max(beyond, 1)]
}

// promisedSize is the most that a job is to have for its promise; 0 if it has none. A size that it was growing to into
// free GPUs is none: it was reserved only because the job was about to have it.
func (j *Job) promisedSize() (most Workers) {
	if !j.Promised {
		return 0
	}
	for i, span := range j.Reserved {
		if i > 0 || span.Workers != j.Ungrown.Spare {
			most = max(most, span.Workers)
		}
	}
	return most
}

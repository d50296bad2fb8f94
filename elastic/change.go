package elastic

// Change is a change of the size of a job that trains, from the size that it had to its Workers, as long as it is under
// way: what the job may lose by it is not lost yet.
type Change struct {
	From      Workers     `json:"from"`
	BusyUntil Seconds     `json:"busyUntil,omitempty"` // with the change before
	Since     Seconds     `json:"since"`               // when it began
	Reason    ResizeCause `json:"reason"`
	// Settled says that it cannot be given up any more. Until then the training knows nothing of it: it goes on as it
	// is, and loses nothing if the change is given up. One that has stopped for it loses no more by that.
	Settled bool `json:"settled,omitempty"`
}

// asDecided is a job as it is once the change is over that is under way, after it has lost at worst what that loses.
// Until then its work does not tell of that, and what was reserved for it would seem to be more than enough.
func (j Job) asDecided(now Seconds) Job {
	to, until := j.Workers, j.BusyUntil
	j.Workers = j.Changes.From
	j = j.afterChange(to, now)
	if j.BusyUntil = until; j.Unsaved {
		j.SavedAt = until
	}
	return j
}

// withoutChange is a job as if the change that is under way had not been decided.
func (j Job) withoutChange() Job {
	j.Reserved = j.reservedWithout(j.Workers)
	j.Workers, j.BusyUntil = j.Changes.From, j.Changes.BusyUntil
	j.On = j.On[:min(len(j.On), int(j.Using(j.Workers)))]
	j.Changes = nil
	return j
}

// mayBeGivenUp says so of a growth into GPUs that nobody needed.
func (c *Change) mayBeGivenUp() bool { return !c.Settled && c.Reason == SpareCapacity }

// givesWay says that a job is becoming smaller to make room for others, and that the training knows nothing of it yet.
func (j Job) givesWay() bool {
	c := j.Changes
	return c != nil && !c.Settled && j.Workers < c.From && (c.Reason == GaveBack || c.Reason == Stopped)
}

package elastic

// Change is a change of the size of a job that trains, from the size that it had to its Workers, as long as it is under
// way.
type Change struct {
	From      Workers     `json:"from"`
	BusyUntil Seconds     `json:"busyUntil,omitempty"` // with the change before
	Since     Seconds     `json:"since"`               // when it began
	Reason    ResizeCause `json:"reason"`
	// Settled says that it cannot be given up any more. Until then the training knows nothing of it: it goes on as it
	// is, and loses nothing if the change is given up.
	Settled bool `json:"settled,omitempty"`
}

// withoutChange is a job as if the change that is under way had not been decided.
func (j Job) withoutChange() Job {
	j.Reserved = j.reservedWithout(j.Workers)
	j.Workers, j.BusyUntil, j.On = j.Changes.From, j.Changes.BusyUntil, nil
	j.Changes = nil
	return j
}

// mayBeGivenUp says so of a growth into GPUs that nobody needed.
func (c *Change) mayBeGivenUp() bool { return !c.Settled && c.Reason == SpareCapacity }

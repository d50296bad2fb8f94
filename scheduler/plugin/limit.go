package plugin

import "time"

// All others wait while a gang is tried, so pods that are in each other's way are tried in so many rounds, and for so
// long. What was found until then is told as what fits. Only what is done once for each pod, or once for each
// kind of pods and each node, is done however long it takes: a gang that gets along as its resources say is
// placed on the slowest machine, and costs no more than as many plain pods.
const (
	mostRounds = 8
	mostTime   = 2 * time.Second
)

// limit is until when a trial may go on. Half of the time is for finding out what the nodes take, lest nothing
// be left for what it was found out for.
type limit struct {
	half, whole time.Time
}

func (h *sharedState) limit() limit {
	now := h.clock()
	return limit{now.Add(mostTime / 2), now.Add(mostTime)}
}

// runsOut says that a moment has come, and notes that the trial is cut short then.
func (tr *trial) runsOut(by time.Time) bool {
	late := !tr.t.clock().Before(by)
	tr.cut = tr.cut || late
	return late
}

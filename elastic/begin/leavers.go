package begin

import "github.com/takt-dev/takt/elastic"

// Leaver is a pod that was told to go, and is still there.
type Leaver struct {
	GoneBy elastic.Seconds `json:"goneBy"` // when its node kills it at the latest
	// Stuck says that its node does not answer, or is not well: nobody knows when it is gone.
	Stuck bool `json:"stuck,omitempty"`
}

// IsStuck says that a worker stays for now, whatever is asked of it: it is on a node that is lost, or it was told to go
// where the node is not well.
func IsStuck(lost, toldToGo, well bool) bool { return lost || toldToGo && !well }

// LeaveUntil is until when a job that is stopped waits for those who leave: a pod of the same name can only be made
// once the one before it is gone. It waits for none that is stuck, and for none that takes too long.
func (w Waits) LeaveUntil(leavers []Leaver) (until elastic.Seconds) {
	for _, l := range leavers {
		if !l.Stuck {
			until = max(until, l.GoneBy+w.Stop)
		}
	}
	return until
}

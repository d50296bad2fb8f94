package page

import (
	"slices"

	"github.com/takt-dev/takt/simulator"
)

// spell is a time in which a job holds the same GPUs.
type spell struct {
	job      *simulator.Training
	from, to simulator.Seconds
	gpus     int
}

// spells are the times between the changes of each job, in the order in which they begin. A job
// that holds GPUs after its last change holds them until the end.
func spells(changes []simulator.Change, end simulator.Seconds) []spell {
	var all []spell
	next := map[*simulator.Training]simulator.Seconds{}
	for _, change := range slices.Backward(changes) {
		until, ok := next[change.Job]
		if !ok {
			until = end
		}
		next[change.Job] = change.At
		if change.Size > 0 && until > change.At {
			all = append(all, spell{change.Job, change.At, until, change.Size})
		}
	}
	slices.Reverse(all)
	return all
}

// paused is when the job trains again after the resize that the spell began with.
func (s spell) paused(cost simulator.Seconds) simulator.Seconds { return min(s.to, s.from+cost) }

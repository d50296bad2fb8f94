package resize

import (
	"fmt"
	"slices"
	"time"
)

// unwrap starts a job without the agent where that cannot be installed, such as where nobody may pull its image. The
// job is asked once more, for pods without it, and keeps a word of why; then those go that are waiting for it. Of a job
// that trains with the agent nobody joins without: there the growth is turned round, as such pods would hold their GPUs
// for nothing.
func (v view) unwrap() (Step, bool) {
	if v.base() > 0 {
		return Step{}, false
	}
	gang := v.gang()
	if v.Job.Bare {
		var rest []Index
		for _, p := range gang {
			if p.Wrapped && p.State != PodTraining {
				rest = append(rest, p.Index)
			}
		}
		return Step{Do: DeletePods, Pods: rest, Reason: AgentNotInstalled, Message: fmt.Sprintf(
			"Make %s anew, without the agent.", names(rest))}, len(rest) > 0
	}
	if v.FirstPodOverdue() && v.Job.Refused != "" && !v.Job.RefusedAnyway {
		return v.ask(v.stage(), v.goal(), false, AgentNotInstalled, fmt.Sprintf(
			"No pod can be made with the agent (%s): the job starts without it.", v.Job.Refused)), true
	}
	i := slices.IndexFunc(gang, func(p Pod) bool { return p.Hindered })
	if i < 0 {
		return Step{}, false
	}
	return v.ask(v.stage(), v.goal(), false, AgentNotInstalled, fmt.Sprintf(
		"The agent cannot be installed in worker-%d: the job starts without it.", gang[i].Index)), true
}

// FirstPodOverdue says of a job that starts that none of its pods is there, though they should have been for a while:
// its controller has a lot to do, or they are refused, such as by a policy that forbids what the agent needs.
func (o Observed) FirstPodOverdue() bool {
	v := view{o}
	by, none := v.noPod()
	return none && v.over(by)
}

// noPod says that no pod is there of a job that starts, and until when that is nothing to wonder at.
func (v view) noPod() (by time.Time, none bool) {
	none = v.Job.State == JobGoesOn && v.base() == 0 && v.wanted() > 0 && len(v.Pods) == 0
	return v.makesFrom().Add(v.Limits.PlaceWithin / 2), none
}

// anew says that the pods which were placed are not those that are to come: the job was asked for others since.
func (v view) anew() bool {
	c, found := v.condition(Placed)
	return v.Job.Bare && found && v.Job.Asked.At.After(c.At)
}

package resize

import (
	"slices"
	"time"
)

// replaces says that all workers of a job begin anew, and each of them had a node. Whoever is missing since is made
// again, as after an eviction, and is waited for: to turn round would stop all the others once more.
func (v view) replaces() bool {
	return v.stage() == Forward && v.base() == 0 && v.has(Placed) && !v.anew()
}

// trainsOn says that all workers of a job begin anew, with nobody who holds them back, and that those who are there
// have trained since: to turn round for one that is missing would stop them. They may meet anew at the moment.
func (v view) trainsOn() bool {
	p, trains := v.Progress, func(p Pod) bool { return p.State == PodTraining }
	return v.stage() == Forward && v.base() == 0 && !v.Agent && v.has(Placed) && p.Reported &&
		later(p.AdvancedAt, p.StoppedAt).After(v.Job.Asked.At) && slices.ContainsFunc(v.gang(), trains)
}

// replacedBy is until when those are waited for: as long as for others that start, but where one is there and finds no
// node, no longer than for others that look for one.
func (v view) replacedBy() time.Time {
	by := v.readyBy()
	for _, p := range v.gang() {
		if p.State == PodHeld {
			by = earlier(by, p.CreatedAt.Add(v.Limits.PlaceWithin))
		}
	}
	return by
}

// madeAgain says that a pod has replaced another since all had nodes. One that fails like the one before it is no
// accident.
func (v view) madeAgain(p Pod) bool {
	c, found := v.condition(Placed)
	return found && p.CreatedAt.After(c.At)
}

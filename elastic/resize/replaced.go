package resize

import "time"

// replaces says that all workers of a job begin anew, and each of them had a node. Whoever is missing since is made
// again, as after an eviction, and is waited for: to turn round would stop all the others once more.
func (v view) replaces() bool {
	return v.stage() == Forward && v.base() == 0 && v.has(Placed) && !v.anew()
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

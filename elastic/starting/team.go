package starting

import (
	"slices"
	"time"
)

// Team is what is seen of the workers of a job, each of which has a node.
type Team struct {
	Workers []Worker
	// Together says that the job trains with all of them or not at all.
	Together bool
	// Idle says that its GPUs were seen idle for as long as counts.
	Idle bool
	// Moved is when it has last told anything new; zero if it never has.
	Moved time.Time
}

// Worker is one of them.
type Worker struct {
	Made time.Time
	// Pending says that it does not run yet.
	Pending bool
	// Hurdle is what keeps it, or what trains in it, from running; nil if nothing does.
	Hurdle *Hurdle
}

// Hurdle is what keeps a worker from running.
type Hurdle struct {
	Lasts  bool // it does not pass by itself
	Partly bool // a container of the worker runs all the same
}

// madeTogether is how far apart the workers of one start are made, at most: one that is made later took the place of
// another, with which the rest may have trained.
const madeTogether = 2 * time.Minute

// NotBegun says that the job has trained nothing with these workers: none of them has run, or those that run are seen
// to wait for the others. ForGood says that what keeps those does not pass by itself.
func (t Team) NotBegun() (notBegun, forGood bool) {
	pending, passes := 0, false
	for _, w := range t.Workers {
		if w.Pending {
			pending++
			passes = passes || w.Hurdle == nil
		}
		passes = passes || w.Hurdle != nil && (!w.Hurdle.Lasts || w.Hurdle.Partly)
	}
	if pending == 0 || pending < len(t.Workers) && !t.standsStill() {
		return false, false
	}
	return true, !passes
}

// standsStill says that those workers that run wait for the others: the job trains with all of them or not at all, all
// were made together, it has told nothing since, and its GPUs were seen idle for long.
func (t Team) standsStill() bool {
	first, last := t.Made()
	return t.Together && t.Idle && last.Sub(first) <= madeTogether && !t.Moved.After(last)
}

// Made is when the first and the last of the workers were made.
func (t Team) Made() (first, last time.Time) {
	byMade := func(a, b Worker) int { return a.Made.Compare(b.Made) }
	return slices.MinFunc(t.Workers, byMade).Made, slices.MaxFunc(t.Workers, byMade).Made
}

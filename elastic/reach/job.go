package reach

import (
	"cmp"
	"slices"

	"github.com/takt-dev/takt/elastic/resize"
)

// Job is what is said of the sizes of a job.
type Job struct {
	Size resize.Workers // that it has; 0 while it is stopped
	// Kept is the size that it keeps, whatever it is asked for; 0 if it keeps none.
	Kept resize.Workers
	// Own is the range that it has itself, and Seen the one that it was first seen with, as far as that is remembered.
	Own, Seen Range
	// Resized says that Takt has given it a size.
	Resized bool
	// Fewest is the size that it has at least, whatever it is asked for.
	Fewest resize.Workers
	// Together is how many workers a gang scheduler other than Takt's starts at once at least; 0 for any.
	Together resize.Workers
	Asked    Asked
	// Started is the range that its running workers were started for, which they cannot leave. A most of 0 is none.
	Started Range
	// Bound says that workers which are started next cannot leave it either.
	Bound bool
}

// Asked is what somebody asks for of the sizes of a job. Nil and none are whatever the job says itself.
type Asked struct {
	Least, Most *resize.Workers
	Choice
}

// Range is the sizes from one to another; it has none if the first is above the second.
type Range struct{ Least, Most resize.Workers }

// Range is the sizes that the job may have: the one that it keeps, else what it is asked for, else its own. A live job
// cannot outgrow the range that its running workers were started for; if it may have nothing of that, it is given
// another by a restart.
func (j Job) Range() Range {
	if j.Kept > 0 {
		return Range{j.Kept, j.Kept}
	}
	asked := j.asked()
	if j.outOfReach(asked) {
		return asked
	}
	return j.Asked.within(j.running(asked))
}

// OutOfReach says that running workers can have no size that the job may have, and that those which are started next
// can. It is resized by a restart then.
func (j Job) OutOfReach() bool { return j.outOfReach(j.asked()) }

func (j Job) outOfReach(asked Range) bool {
	return !j.Bound && j.Started.Most > 0 && !asked.none() && j.Asked.within(j.running(asked)).none()
}

// Beyond is how many workers the job may have at most that cannot have as many while it runs; 0 if it can.
func (j Job) Beyond() resize.Workers {
	asked := j.asked()
	keeps := j.Kept > 0 || j.Size == 0
	if keeps || j.Started.Most == 0 || asked.Most <= j.Started.Most || j.outOfReach(asked) {
		return 0
	}
	return asked.Most
}

// asked is the range that the job is to have, whatever its running workers can. Its ends are sizes that it may have.
func (j Job) asked() Range {
	least, most := j.Own.Least, j.Own.Most
	if j.Resized && least == most && j.Seen.Least > 0 {
		// A job without a range of its own has had one size. It is the one that it was first seen with, not the one that
		// it was resized to.
		least, most = j.Seen.Least, j.Seen.Most
	}
	atLeast, atMost := j.Asked.Least, j.Asked.Most
	if sizes := j.Asked.Sizes; len(sizes) > 0 {
		atLeast, atMost = cmp.Or(atLeast, new(slices.Min(sizes))), cmp.Or(atMost, new(slices.Max(sizes)))
	}
	if atLeast != nil {
		least = max(*atLeast, j.Fewest)
	}
	switch {
	case atMost != nil && atLeast == nil:
		most = *atMost
		least = max(min(least, most), j.Fewest) // no less than the job can be asked for
	case atMost != nil:
		most = *atMost
	case atLeast != nil:
		most = max(most, least)
	}
	// One that runs with fewer goes on: its gang has started.
	if fewest := min(j.Together, most); j.Size == 0 || j.Size >= fewest {
		least = max(least, fewest)
	}
	return j.Asked.within(Range{least, most})
}

// running is what running workers can have of a range.
func (j Job) running(asked Range) Range {
	return Range{max(asked.Least, j.Started.Least), min(asked.Most, cmp.Or(j.Started.Most, asked.Most))}
}

func (r Range) none() bool { return r.Least > r.Most }

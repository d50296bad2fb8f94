package begin

import (
	"slices"

	"github.com/takt-dev/takt/elastic"
)

// HearWithin is for how long the first plan of a process waits at most for what jobs have to tell.
const HearWithin = elastic.Seconds(10)

// Start is a process that has made no plan yet.
type Start struct {
	Since elastic.Seconds // when its first plan was due
	Jobs  []Heard
}

// Heard is what a process that has just started knows of how far a job is.
type Heard struct {
	Trains bool // workers of it run
	Told   bool // it has told this process, be it that it tells nothing
	Lately bool // it has told the process before this one, so lately that it holds
}

// Early says whether to wait a little longer before anything is decided: the process has not heard yet how far the jobs
// are that train, and would decide as if nobody could tell.
func (s Start) Early(now elastic.Seconds) bool {
	unheard := func(h Heard) bool { return h.Trains && !h.Told && !h.Lately }
	return now-s.Since <= HearWithin && slices.ContainsFunc(s.Jobs, unheard)
}

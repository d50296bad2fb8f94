package planning

import (
	"fmt"
	"time"

	"github.com/takt-dev/takt/operator/memory"
	"github.com/takt-dev/takt/operator/view"
)

// againAfter is how many times as long as a start may take a job is not started again that could not run.
const againAfter = 3

// startsWithin is how long a start of Takt's own may take before it is taken back.
func (p *Planner) startsWithin() time.Duration { return p.Limits.PlaceWithin + p.Limits.ReadyWithin }

// rests says of a job that was stopped, as none of its workers could run, for how long others come before it.
func (p *Planner) rests(s *view.Subject, sc *Scene) (memory.Hindrance, bool) {
	why, stopped := s.Known.CouldNotRunFor()
	until := stopped.Add(againAfter * p.startsWithin())
	if stopped.IsZero() || s.Size() > 0 || s.Active() != nil || !sc.At.Before(until) {
		return memory.Hindrance{}, false
	}
	sc.later.meet(until)
	return memory.Hindrance{Reason: memory.ReasonCannotRun, Message: fmt.Sprintf("It was stopped at %s, as none of its "+
		"workers could run (%s), and others needed its GPUs. It may start again from %s on.",
		stopped.UTC().Format("15:04 MST"), why, until.UTC().Format("15:04 MST"))}, true
}

package resize

import (
	"fmt"
	"time"
)

// Refusal is that the next step of a resize cannot be taken, however often it is tried.
type Refusal struct {
	Since time.Time
	Says  string // what it was refused with, as sentences
	// Passing says that it may come about by itself, as where a webhook does not answer.
	Passing bool
}

// passingFor is how many times as long somebody has to mend what may pass.
const passingFor = 5

// GiveUp ends a resize that is refused its next step: nobody mends that, and the resize would keep the GPUs that it was
// to have. A job that it has stopped goes back to what it was. False is that there is still time.
func GiveUp(o Observed, next Step, r Refusal) (Step, bool) {
	refused, patience := o.Now.Sub(r.Since), o.Limits.DrainWithin
	if r.Passing {
		patience *= passingFor
	}
	if refused < patience {
		return Step{}, false
	}
	how := fmt.Sprintf("For %s what comes next (%s) could not be written: %s",
		span(refused.Truncate(time.Second)), next.Reason, r.Says)
	v := view{o}
	if v.stage() == Forward && !v.starts() && v.begun() && v.Job.Asked.Suspended && v.Job.Suspended && v.Record.To > 0 {
		return v.goBack(Refused, how), true
	}
	return add(Failed, Refused, "%s The job is left as it is.", how), true
}

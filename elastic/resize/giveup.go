package resize

import (
	"fmt"
	"time"
)

// GiveUp ends a resize whose next step is refused, however often it is tried, and has been since a moment: nobody
// mends that, and the resize would keep the GPUs that it was to have. A job that it has stopped goes back to what it
// was. Says is what it was refused with, as sentences. False is that there is still time.
func GiveUp(o Observed, next Step, since time.Time, says string) (Step, bool) {
	refused := o.Now.Sub(since)
	if refused < o.Limits.DrainWithin {
		return Step{}, false
	}
	how := fmt.Sprintf("For %s the API server has refused what comes next (%s). It says: %s",
		span(refused.Truncate(time.Second)), next.Reason, says)
	v := view{o}
	if v.stage() == Forward && !v.starts() && v.begun() && v.Job.Asked.Suspended && v.Job.Suspended && v.Record.To > 0 {
		return v.goBack(Refused, how), true
	}
	return add(Failed, Refused, "%s The job is left as it is.", how), true
}

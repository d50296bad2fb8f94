package resize

import (
	"time"
)

// GiveUp ends a resize whose next step is refused, however often it is tried, and has been since a moment: nobody mends
// that, and the resize would keep the GPUs that it was to have. Says is what it was refused with, as sentences. False
// is that there is still time.
func GiveUp(o Observed, next Step, since time.Time, says string) (Step, bool) {
	refused := o.Now.Sub(since)
	if refused < o.Limits.DrainWithin {
		return Step{}, false
	}
	return add(Failed, Refused, "For %s the API server has refused what comes next (%s). It says: %s "+
		"The job is left as it is.", span(refused.Truncate(time.Second)), next.Reason, says), true
}

package planning

import (
	"time"

	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/elastic/begin"
	"github.com/takt-dev/takt/operator/coretime"
	"github.com/takt-dev/takt/operator/view"
)

// HeldUntil is until when a job is not grown, because growing it has failed, or was taken back more than once; zero if
// nothing keeps it. Refused says that the job may not be changed, whichever way.
func (p *Planner) HeldUntil(s *view.Subject) (until time.Time, refused bool) {
	at, refused := begin.NotBefore(past(s), p.retry())
	if at == 0 {
		return time.Time{}, refused
	}
	return coretime.Time(at), refused
}

// mayNotGrow says that a job is not grown at a moment.
func (p *Planner) mayNotGrow(s *view.Subject, at time.Time) bool {
	until, _ := p.HeldUntil(s)
	return at.Before(until)
}

// retry is how long is waited after a resize that has failed.
func (p *Planner) retry() elastic.Seconds {
	return elastic.Seconds(p.Settings.Resizes.RetryAfter.Seconds())
}

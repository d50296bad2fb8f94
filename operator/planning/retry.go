package planning

import (
	"time"

	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/elastic/begin"
	"github.com/takt-dev/takt/elastic/coretime"
	"github.com/takt-dev/takt/operator/view"
)

// notGrownUntil is until when a job is not grown, because growing it has failed, or was taken back more than once; zero
// if nothing keeps it.
func (p *Planner) notGrownUntil(s *view.Subject) time.Time {
	at, _ := begin.NotBefore(past(s), p.retry())
	if at == 0 {
		return time.Time{}
	}
	return coretime.Time(at)
}

// retry is how long is waited after a resize that has failed.
func (p *Planner) retry() elastic.Seconds {
	return elastic.Seconds(p.Settings.Resizes.RetryAfter.Seconds())
}

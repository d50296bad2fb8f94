package planning

import (
	"time"

	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/elastic/begin"
	"github.com/takt-dev/takt/elastic/coretime"
	"github.com/takt-dev/takt/operator/view"
)

// notGrownUntil is until when a job is not grown, because growing it has failed, or was taken back more than once, or
// because it trains and its controller makes no new pods, or because nobody may make a Resize of it; zero if nothing
// keeps it.
func (p *Planner) notGrownUntil(s *view.Subject) (until time.Time) {
	return p.notGrownAfter(s, past(s))
}

// notGrownAfter is notGrownUntil where its past is at hand.
func (p *Planner) notGrownAfter(s *view.Subject, before []begin.Past) (until time.Time) {
	at, _ := begin.NotBefore(before, p.retry())
	if s.Size() > 0 {
		at = max(at, p.waits().PaidBackAt(before))
	}
	if at != 0 {
		until = coretime.Time(at)
	}
	if held := s.HeldBack(); s.Size() > 0 && held.After(until) {
		until = held
	}
	if s.Known != nil && s.Known.ResizeRestsUntil().After(until) {
		return s.Known.ResizeRestsUntil()
	}
	return until
}

// guarded says that the API server refuses to change a job, which is not tried again yet.
func (p *Planner) guarded(s *view.Subject, before []begin.Past, now time.Time) bool {
	until, refused := begin.NotBefore(before, p.retry())
	return refused && now.Before(coretime.Time(until)) || now.Before(s.Known.ResizeRestsUntil())
}

// retry is how long is waited after a resize that has failed.
func (p *Planner) retry() elastic.Seconds {
	return elastic.Seconds(p.Settings.Resizes.RetryAfter.Seconds())
}

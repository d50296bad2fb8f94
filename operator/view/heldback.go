package view

import (
	"time"

	"github.com/takt-dev/takt/elastic/resize"
)

// seeFailures remembers when pods of the job have failed.
func (s *Subject) seeFailures(now time.Time) {
	s.failedAt = s.Known.LastFailed(s.Job.Failures, len(s.Running()) >= int(s.Job.Size), now)
}

// HeldBack is until when the controller of the job makes no new pods, as others have failed, or when it made the first
// again; zero if it holds none back.
func (s *Subject) HeldBack() time.Time {
	if s.failedAt.IsZero() || s.Job.HoldsBack == 0 || s.Job.State != resize.JobGoesOn {
		return time.Time{}
	}
	until := s.failedAt.Add(s.Job.HoldsBack)
	for _, w := range s.Pods {
		if made := w.Pod.CreationTimestamp.Time; made.After(s.failedAt) && made.Before(until) {
			until = made
		}
	}
	return until
}

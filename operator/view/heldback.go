package view

import (
	"time"

	"github.com/takt-dev/takt/elastic/resize"
)

// seeFailures remembers when pods of the job have failed.
func (s *Subject) seeFailures(now time.Time) {
	s.failedAt = s.Known.LastFailed(s.Job.Failures, s.complete, now)
}

// complete says that its controller has made a pod for each worker.
func (s *Subject) complete() bool {
	if s.Job.Suspended {
		return true
	}
	there := 0
	for _, w := range s.Pods {
		if w.Index < resize.Index(s.Job.Size) && !HasEnded(w.Pod) && w.Pod.DeletionTimestamp == nil {
			there++
		}
	}
	return there >= int(s.Job.Size)
}

// HeldBack is until when the controller of the job makes no new pods, as others have failed; or, once it has made one
// again, when it did. It is zero if it holds none back: neither does it where none is missing.
func (s *Subject) HeldBack() time.Time {
	if s.failedAt.IsZero() || s.Job.HoldsBack == 0 || s.Job.State != resize.JobGoesOn {
		return time.Time{}
	}
	until, made := s.failedAt.Add(s.Job.HoldsBack), false
	for _, w := range s.Pods {
		if at := w.Pod.CreationTimestamp.Time; at.After(s.failedAt) {
			made = true
			if at.Before(until) {
				until = at
			}
		}
	}
	if !made && s.complete() {
		return time.Time{}
	}
	return until
}

package view

import (
	"time"

	"github.com/takt-dev/takt/elastic/ending"
)

// Leaving asks the core which workers of a job may have been about to leave when it ended; nil if none was.
func (s *Subject) Leaving() *ending.Leaving {
	d := ending.Departures{
		Ended: s.Job.EndedAt, Size: s.Job.Size, EndsByLeaver: s.Job.EndsByLeaver, PodsStay: s.Job.PodsStay,
		Suspended: s.Job.Suspended, Asked: s.Job.Asked, Grace: s.grace(),
	}
	for _, r := range s.Past {
		d.Resizes = append(d.Resizes, Record(r))
	}
	if s.Known != nil {
		if scaled := s.Known.ScaledDown(); scaled != nil {
			d.Scaled = &ending.Scaled{From: scaled.From, To: scaled.To, At: scaled.At}
		}
		if leaver := s.Known.Leaver(); leaver != nil {
			d.Leaver = leaver.At
		}
	}
	return d.AtTheEnd()
}

// grace is how long a worker may take to leave.
func (s *Subject) grace() time.Duration {
	if s.Job.Worker == nil || s.Job.Worker.Spec.TerminationGracePeriodSeconds == nil {
		return 0
	}
	return time.Duration(*s.Job.Worker.Spec.TerminationGracePeriodSeconds) * time.Second
}

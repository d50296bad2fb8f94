package view

import (
	"github.com/takt-dev/takt/elastic/resize"
	"github.com/takt-dev/takt/operator/shorthand"
)

// Held says that the size of a job stays, whatever others need.
func (s *Subject) Held() bool { return shorthand.Holds(s.Job.UID, s.Job.Annotations) }

// Scaled says that another hand than Takt's has given a running job its size, or has started it.
func (s *Subject) Scaled() bool {
	switch {
	case s.Job.State != resize.JobGoesOn || s.Active() != nil || s.Known == nil:
		return false
	case s.Job.Suspended:
		return s.ScaledHalfWay()
	case s.StartedByOthers():
		return true
	case s.Job.Asked.Epoch > 0:
		return s.Job.Asked.Suspended || s.Job.ScaledByOthers()
	}
	return s.Known.Sized(s.Job.Size)
}

// ScaledHalfWay says that it was given another size while Takt had it stopped, to start it at once at one of its own.
func (s *Subject) ScaledHalfWay() bool { return s.Job.ReturnsTo > 0 && s.Job.ScaledByOthers() }

// StartedByOthers says that a job runs which is marked as held until Takt starts it. The mark is to go: once its
// user suspends the job, it would say that Takt has.
func (s *Subject) StartedByOthers() bool {
	return s.Job.Held && !s.Job.Suspended && s.Job.Asked.Epoch == 0
}

package view

import (
	"time"

	"github.com/takt-dev/takt/elastic/resize"
	"github.com/takt-dev/takt/operator/memory"
	"github.com/takt-dev/takt/operator/shorthand"
)

// Held says that the size of a job stays, whatever others need.
func (s *Subject) Held() bool { return s.mayHold != "" || s.HeldForSure() }

// HeldForSure says that somebody has written so, and not only what may be meant as that, which is HeldBy.
func (s *Subject) HeldForSure() bool { return shorthand.Holds(s.Job.UID, s.Job.Annotations) }

// HeldBy is the key on the job that keeps its size.
func (s *Subject) HeldBy() string {
	if s.HeldForSure() {
		return shorthand.HoldAnnotation
	}
	return s.mayHold
}

// Interruptible says that the job may be stopped or restarted once it runs: as somebody says, or as nobody who has made
// it would take that for its failure.
func (s *Subject) Interruptible() bool {
	said := s.ElasticJob.Spec.Interruptible
	return said != nil && *said || said == nil && !s.LeftToItsMaker()
}

// LeftToItsMaker says that the job has the size that it was written for, and is not stopped, as nobody says whether
// what has made it can do with anything else.
func (s *Subject) LeftToItsMaker() bool {
	return s.Job.MadeBy != "" && s.ElasticJob.Spec.Interruptible == nil
}

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

// seeSize remembers the size that the job has, by which a hand that makes it smaller is known. Of one that is stopped
// nobody leaves.
func (s *Subject) seeSize(now time.Time) {
	ended := s.Job.State == resize.JobFinished
	switch {
	case ended:
		now = s.Job.EndedAt
	case s.Job.State != resize.JobGoesOn || s.Job.Suspended:
		return
	}
	asked := resize.Workers(0)
	if s.Job.Asked.Epoch > 0 {
		asked = s.Job.Asked.Workers
	}
	s.Known.SeeSize(s.Job.Size, asked, now, ended)
}

// seeLeavers remembers which of its workers are told to leave though its size stays. Where another comes in the place
// of one, the job has not ended by that.
func (s *Subject) seeLeavers(now time.Time) {
	if s.Job.State != resize.JobGoesOn || s.Job.Suspended || !s.Job.EndsByLeaver {
		return
	}
	for _, w := range s.Pods {
		switch {
		case w.Index >= resize.Index(s.Job.Size):
		case w.Pod.DeletionTimestamp == nil:
			s.Known.SeeWorker(w.Index, w.Pod.UID)
		default:
			s.Known.SeeLeaver(memory.Leaver{Pod: w.Pod.Name, UID: w.Pod.UID, Index: w.Index, At: now})
		}
	}
}

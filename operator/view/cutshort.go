package view

import (
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic/ending"
	"github.com/takt-dev/takt/elastic/resize"
)

// CutShort asks the core whether a job which counts as finished was not: a worker that was told to leave has exited
// with 0, and its controller takes that for the success of all.
func (s *Subject) CutShort() bool {
	return s.Object != nil && s.Job.State == resize.JobFinished && s.end().CutShort()
}

// AwaitsLastWord says that nothing is said of the end of a job before what it has said last was read.
func (s *Subject) AwaitsLastWord(now time.Time) bool {
	if s.Object == nil || s.Known == nil || s.Job.State != resize.JobFinished || s.Known.HasLastWord() {
		return false
	}
	end := s.end()
	end.SeenAt = s.Known.EndSeen(now)
	return end.AwaitsLastWord(now)
}

// State is that of the job, by its work and not by what it says alone.
func (s *Subject) State() resize.JobState {
	if s.CutShort() {
		return resize.JobCutShort
	}
	return s.Job.State
}

// end is what is seen of the end of a job that counts as finished.
func (s *Subject) end() ending.Seen {
	seen := ending.Seen{At: s.Job.EndedAt, Said: s.saidOfItsEnd()}
	if seen.Said != "" {
		return seen
	}
	if seen.Leaving = s.Leaving(); seen.Leaving == nil {
		return seen
	}
	seen.Read, seen.Done = s.lastRead()
	seen.Earliest, _ = s.ElasticJob.Status.Prediction.Earliest.Time()
	seen.Expected, _ = s.ElasticJob.Status.Prediction.ETA.Time()
	seen.Rate = s.rateWith(seen.Leaving.Workers)
	if seen.Began = s.Job.CreatedAt; len(s.Past) > 0 && s.Past[0].Spec.From == 0 {
		seen.Began = s.Past[0].CreationTimestamp.Time
	}
	return seen
}

// AheadAtMost is how far the clock of another process may be ahead of this one: what is of later than that nobody has
// written who means well.
const AheadAtMost = time.Minute

// saidOfItsEnd is what the status says of the end of this job.
func (s *Subject) saidOfItsEnd() ending.Said {
	for _, kind := range []string{v1alpha1.ConditionFailed, v1alpha1.ConditionSucceeded} {
		c := meta.FindStatusCondition(s.ElasticJob.Status.Conditions, kind)
		if c != nil && c.Status == metav1.ConditionTrue &&
			!c.LastTransitionTime.Add(AheadAtMost).Before(s.Job.EndedAt) {
			if c.Reason == string(resize.JobIsCutShort) {
				return ending.CutShort
			}
			return ending.Done
		}
	}
	return ""
}

// EndStands says that the status tells how the job has ended, and that the job is about to go since, is gone, or is
// another. None of that changes how it has ended.
func (s *Subject) EndStands() bool {
	return s.ElasticJob.Status.Over() &&
		(s.Object == nil || s.Job.State == resize.JobDeleted || OfEarlierJob(s.ElasticJob, s.Job.UID))
}

// rateWith is which share of the work so many workers do in a second; 0 if nobody knows.
func (s *Subject) rateWith(workers resize.Workers) float64 {
	if s.Known == nil {
		return 0
	}
	shapes, _ := s.Known.Sizes()
	account := s.Known.Run.Account(shapes, s.Job.EndedAt)
	for _, speed := range account.Speeds {
		if resize.Workers(speed.Shape.Workers) == workers && speed.PerSecond > 0 && account.Total > 0 {
			return speed.PerSecond / account.Total
		}
	}
	return 0
}

// lastRead is when a job was last read, and which share of it was done: what it said last, what the process knows, or
// else what was said of it.
func (s *Subject) lastRead() (at time.Time, done float64) {
	said := s.ElasticJob.Status.Progress
	at, _ = said.ObservedAt.Time()
	done = float64(said.PartsPerMillion) / 1e6
	if s.Known == nil {
		return at, done
	}
	if known, share, ok := s.Known.Run.LastRead(); ok && known.After(at) {
		at, done = known, share
	}
	if word, share := s.Known.LastWord(); share >= 1 || word.After(at) {
		at, done = word, share
	}
	return at, done
}

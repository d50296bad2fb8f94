package view

import (
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic/resize"
)

// CutShort says that a job which counts as finished was not: a worker that was told to leave has exited with
// 0, and its controller takes that for the success of all. It ended while it was made smaller, by whomever, and sooner
// than what was last known of it allows. What was said of its end once stays: what it was judged by may be gone since.
func (s *Subject) CutShort() bool {
	if s.Object == nil || s.Job.State != resize.JobFinished {
		return false
	}
	if short, said := s.endAsSaid(); said {
		return short
	}
	told, left := s.departure()
	if !left {
		return false
	}
	read, done := s.lastRead()
	if done >= 1 {
		return false
	}
	ended := s.Job.EndedAt.Add(time.Second) // it is told in whole seconds
	if s.doneBy(ended, read, done, int(told.workers)) {
		return false
	}
	if earliest, err := s.ElasticJob.Status.Prediction.Earliest.Time(); err == nil && ended.Before(earliest) {
		return true
	}
	if read.IsZero() {
		read = told.since
	}
	rest, known := s.leftAfter(read, done)
	if !known {
		// Of what told nothing nobody knows how far it was. That it was just done within those seconds is less likely.
		return told.soon
	}
	return ended.Sub(read) < rest/2
}

// lastWordWithin is how long the end of a job waits at most for what it said last.
const lastWordWithin = 30 * time.Second

// AwaitsLastWord says that it depends on what a job has said last whether it was cut short, and that nobody has read
// that yet. Nothing is said of its end until then.
func (s *Subject) AwaitsLastWord(now time.Time) bool {
	if s.Object == nil || s.Known == nil || s.Job.State != resize.JobFinished || s.Known.HasLastWord() ||
		now.Sub(s.Job.EndedAt) > lastWordWithin {
		return false
	}
	_, said := s.endAsSaid()
	_, left := s.departure()
	return !said && left
}

// doneBy says that so many workers, which a job had until those left that were told to, have done by some moment what
// was left when it was last read, as fast as they train. What was said last is of the fewer that it was to have then.
func (s *Subject) doneBy(moment, read time.Time, done float64, workers int) bool {
	if s.Known == nil || read.IsZero() || done == 0 {
		return false
	}
	shapes, _ := s.Known.Sizes()
	account := s.Known.Run.Account(shapes, s.Job.EndedAt)
	for _, speed := range account.Speeds {
		if int(speed.Shape.Workers) == workers && speed.PerSecond > 0 && account.Total > 0 {
			return (1-done)*account.Total/speed.PerSecond <= moment.Sub(read).Seconds()
		}
	}
	return false
}

// endAsSaid is what the status says of the end of this job, if it says anything of it.
func (s *Subject) endAsSaid() (short, said bool) {
	for _, kind := range []string{v1alpha1.ConditionFailed, v1alpha1.ConditionSucceeded} {
		c := meta.FindStatusCondition(s.ElasticJob.Status.Conditions, kind)
		if c != nil && c.Status == metav1.ConditionTrue &&
			!c.LastTransitionTime.Time.Before(s.Job.EndedAt.Truncate(time.Second)) {
			return c.Reason == string(resize.JobIsCutShort), true
		}
	}
	return false, false
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

// State is that of the job, by its work and not by what it says alone.
func (s *Subject) State() resize.JobState {
	if s.CutShort() {
		return resize.JobCutShort
	}
	return s.Job.State
}

// leftAfter is how long a job was going to take from a moment on: as it was said, or as long for each part as the parts
// before have taken; false if nothing is known of it.
func (s *Subject) leftAfter(read time.Time, done float64) (time.Duration, bool) {
	if expected, err := s.ElasticJob.Status.Prediction.ETA.Time(); err == nil {
		return expected.Sub(read), true
	}
	if done == 0 {
		return 0, false
	}
	began := s.Job.CreatedAt
	if len(s.Past) > 0 && s.Past[0].Spec.From == 0 {
		began = s.Past[0].CreationTimestamp.Time
	}
	return time.Duration(float64(read.Sub(began)) * (1 - done) / done), true
}

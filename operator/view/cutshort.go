package view

import (
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic/resize"
)

// CutShort says that a job which counts as finished was not: a worker that was told to leave has exited with
// 0, and its controller takes that for the success of all. It ended while it was made smaller, and sooner than
// what was last known of it allows. What was said of its end once stays: what it was judged by may be gone since.
func (s *Subject) CutShort() bool {
	if s.Object == nil || s.Job.State != resize.JobFinished {
		return false
	}
	if short, said := s.endAsSaid(); said {
		return short
	}
	shrink := s.shrunkAtItsEnd()
	if shrink == nil {
		return false
	}
	read, done := s.lastRead()
	if done >= 1 {
		return false
	}
	ended := s.Job.EndedAt.Add(time.Second) // it is told in whole seconds
	if s.doneBy(ended, read, done, int(max(shrink.Spec.From, shrink.Spec.To))) {
		return false
	}
	if earliest, err := s.ElasticJob.Status.Prediction.Earliest.Time(); err == nil && ended.Before(earliest) {
		return true
	}
	if read.IsZero() {
		read = shrink.CreationTimestamp.Time
	}
	left, known := s.leftAfter(read, done)
	if !known {
		// Of what told nothing nobody knows how far it was. That it was just done within those seconds is less likely.
		end := shrink.Ending()
		return end == nil || ended.Sub(end.LastTransitionTime.Time) < shortly
	}
	return ended.Sub(read) < left/2
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
	return !said && s.shrunkAtItsEnd() != nil
}

// shortly is how long after the end of a Resize a job that told nothing may have ended by it.
const shortly = 10 * time.Minute

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

// shrunkAtItsEnd is the Resize for which workers of a job were told to leave when it ended: of a job that was made
// smaller, or whose growth was taken back.
func (s *Subject) shrunkAtItsEnd() *v1alpha1.Resize {
	for _, r := range s.Past {
		// A Job of Kubernetes is done once all of its workers have exited with 0, also when they were told to stop.
		if ask := s.Job.Asked; s.Job.PodsStay && ask.Suspended && int64(ask.Epoch) == r.Spec.Epoch {
			return r
		}
		told, leaving := s.toldToLeave(r)
		if leaving && s.Job.EndsByLeaver && !told.Truncate(time.Second).After(s.Job.EndedAt) && s.mayLeaveAtTheEnd(r, told) {
			return r
		}
	}
	return nil
}

// toldToLeave says when workers of a running job were told to leave for a Resize, if they were. What was only written
// down told nobody.
func (s *Subject) toldToLeave(r *v1alpha1.Resize) (at time.Time, told bool) {
	if r.Spec.Mode != v1alpha1.ResizeLive || r.Spec.From == 0 || r.Spec.To == 0 {
		return time.Time{}, false
	}
	kind, stage := v1alpha1.ConditionCommitted, resize.Forward
	if r.Spec.To > r.Spec.From {
		kind, stage = v1alpha1.ConditionRollingBack, resize.Back
	}
	ask, c := s.Job.Asked, meta.FindStatusCondition(r.Status.Conditions, kind)
	now := int64(ask.Epoch) == r.Spec.Epoch && (ask.Stage == stage || stage == resize.Forward)
	if c == nil || !now && int64(ask.Epoch) <= r.Spec.Epoch {
		return time.Time{}, false
	}
	return c.LastTransitionTime.Time, true
}

// mayLeaveAtTheEnd says that those may have been about to leave when the job ended that were told to by then. Where the
// training was seen to go on without them, they had left before, unless they may take their time.
func (s *Subject) mayLeaveAtTheEnd(r *v1alpha1.Resize, told time.Time) bool {
	end := r.Ending()
	if end == nil || end.Reason == string(resize.PodsNotGone) && int64(s.Job.Asked.Epoch) == r.Spec.Epoch {
		return true // the latter leave once their controller hears of it
	}
	gone := told
	if end.Reason != string(resize.ProgressSeen) {
		gone = end.LastTransitionTime.Time
	}
	if last := told.Add(s.grace()); s.grace() > usualGrace && gone.Before(last) {
		gone = last
	}
	return end.Reason != string(resize.ProgressSeen) && !gone.Before(s.Job.EndedAt) || gone.After(s.Job.EndedAt)
}

// usualGrace is how long pods may take to leave that do not say. A Resize waits for longer than that.
const usualGrace = corev1.DefaultTerminationGracePeriodSeconds * time.Second

// grace is how long a worker may take to leave.
func (s *Subject) grace() time.Duration {
	if s.Job.Worker == nil || s.Job.Worker.Spec.TerminationGracePeriodSeconds == nil {
		return 0
	}
	return time.Duration(*s.Job.Worker.Spec.TerminationGracePeriodSeconds) * time.Second
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

package operator

import (
	"fmt"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic/resize"
	"github.com/takt-dev/takt/operator/wording"
)

// cutShort says that a job which counts as finished was not: a worker that was told to leave has exited with
// 0, and training-operator takes that for the success of all. It ended while it was made smaller, and sooner than
// what was last said of it allows.
func (s *subject) cutShort() bool {
	if s.object == nil || s.job.State != resize.JobFinished {
		return false
	}
	shrink := s.shrunkAtItsEnd()
	if shrink == nil || s.ej.Status.Progress.PartsPerMillion >= 1e6 {
		return false
	}
	if earliest, err := s.ej.Status.Prediction.Earliest.Time(); err == nil && s.job.EndedAt.Before(earliest) {
		return true
	}
	read, err := s.ej.Status.Progress.ObservedAt.Time()
	if err != nil {
		read = shrink.CreationTimestamp.Time
	}
	left, known := s.leftAfter(read)
	// Of what told nothing nobody knows how far it was. That it was just done within those seconds is less likely.
	return !known || s.job.EndedAt.Sub(read) < left/2
}

// state is that of the job, by its work and not by what it says alone.
func (s *subject) state() resize.JobState {
	if s.cutShort() {
		return resize.JobCutShort
	}
	return s.job.State
}

// shrunkAtItsEnd is the Resize for which workers of a job were told to leave when it ended.
func (s *subject) shrunkAtItsEnd() *v1alpha1.Resize {
	for _, r := range s.past {
		told := meta.FindStatusCondition(r.Status.Conditions, v1alpha1.ConditionCommitted)
		leaving := r.Spec.To < r.Spec.From && r.Spec.To > 0 && r.Spec.Mode == v1alpha1.ResizeLive
		if !leaving || told == nil || told.LastTransitionTime.Truncate(time.Second).After(s.job.EndedAt) {
			continue
		}
		if end := r.Ending(); end == nil || !end.LastTransitionTime.Time.Before(s.job.EndedAt) {
			return r
		}
	}
	return nil
}

// leftAfter is how long a job was going to take from a moment on: as it was said, or as long for each part as the parts
// before have taken; false if nothing is known of it.
func (s *subject) leftAfter(read time.Time) (time.Duration, bool) {
	if expected, err := s.ej.Status.Prediction.ETA.Time(); err == nil {
		return expected.Sub(read), true
	}
	done := float64(s.ej.Status.Progress.PartsPerMillion) / 1e6
	if done == 0 {
		return 0, false
	}
	began := s.job.CreatedAt
	if len(s.past) > 0 && s.past[0].Spec.From == 0 {
		began = s.past[0].CreationTimestamp.Time
	}
	return time.Duration(float64(read.Sub(began)) * (1 - done) / done), true
}

// saidCutShort says that a status tells already that the job was cut short.
func saidCutShort(status *v1alpha1.ElasticJobStatus) bool {
	c := meta.FindStatusCondition(status.Conditions, v1alpha1.ConditionFailed)
	return c != nil && c.Reason == string(resize.JobIsCutShort)
}

// cutShortAt says so to people.
func (s *subject) cutShortAt(partsPerMillion int32) string {
	at, next := "", ""
	if partsPerMillion > 0 {
		at = fmt.Sprintf(" at %d %%,", partsPerMillion/1e4)
	}
	if s.ej.Spec.Profile != "" {
		next = "Other jobs of its profile are resized by a restart from now on."
	}
	return wording.Sentences(fmt.Sprintf("The job has ended%s while Takt made it smaller: a worker that was told to leave has exited with 0, "+
		"which counts as the success of the whole job. Submit it again, with a training that exits with another code when it is "+
		"told to stop before its work is done.", at), next)
}

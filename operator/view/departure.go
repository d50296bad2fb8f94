package view

import (
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic/resize"
	"github.com/takt-dev/takt/operator/memory"
)

// departure is that workers of a job were about to leave when it ended, as they were told to.
type departure struct {
	workers resize.Workers // that trained until then
	since   time.Time      // when that began
	soon    bool           // the job ended so soon after it that it did by that, where nothing tells how far it was
}

// departure finds it: of a job that Takt has made smaller, or else of one that somebody has, or of which one worker was
// told to leave.
func (s *Subject) departure() (departure, bool) {
	if r := s.shrunkAtItsEnd(); r != nil {
		end, workers := r.Ending(), resize.Workers(max(r.Spec.From, r.Spec.To))
		soon := end == nil || s.Job.EndedAt.Sub(end.LastTransitionTime.Time) < shortly
		return departure{workers, r.CreationTimestamp.Time, soon}, true
	}
	if scaled := s.ScaledAtItsEnd(); scaled != nil {
		soon := !scaled.At.IsZero() && (s.Job.EndsByLeaver || scaled.To == 0)
		return departure{scaled.From, scaled.At, soon}, true
	}
	if leaver := s.LeaverAtItsEnd(); leaver != nil {
		return departure{s.Job.Size, leaver.At, true}, true
	}
	return departure{}, false
}

// shortly is how long after the end of a Resize a job that told nothing may have ended by it.
const shortly = 10 * time.Minute

// LeaverAtItsEnd is a worker of a job that was told to leave, and may have been about to when the job ended; nil if
// there is none, or if others left for another size.
func (s *Subject) LeaverAtItsEnd() *memory.Leaver {
	if s.Known == nil || s.shrunkAtItsEnd() != nil || s.ScaledAtItsEnd() != nil {
		return nil
	}
	leaver := s.Known.Leaver()
	if leaver == nil || s.leftBefore(leaver.At) {
		return nil
	}
	return leaver
}

// hearing is how long the controller of a job may take to hear of the size that somebody has given it, or of the end of
// a worker.
const hearing = 30 * time.Second

// leftBefore says that whoever was told to leave at a moment had left before the job ended.
func (s *Subject) leftBefore(told time.Time) bool {
	return s.Job.EndedAt.Sub(told) > hearing+max(s.grace(), usualGrace)
}

// ScaledAtItsEnd is how somebody has made a job smaller whose workers may have been about to leave for that when it
// ended; nil if nobody has, or if they left for a Resize. Of a Job of Kubernetes that is suspended all leave.
func (s *Subject) ScaledAtItsEnd() *memory.Scaled {
	if s.Known == nil || s.shrunkAtItsEnd() != nil {
		return nil
	}
	if s.Job.PodsStay && s.Job.Suspended && !s.Job.Asked.Suspended {
		return &memory.Scaled{From: s.Job.Size, At: s.Job.EndedAt}
	}
	scaled := s.Known.ScaledDown()
	if scaled == nil || !s.Job.EndsByLeaver && !s.Job.PodsStay || !scaled.At.IsZero() && s.leftBefore(scaled.At) {
		return nil
	}
	return scaled
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

package planning

import (
	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/elastic/coretime"
	"github.com/takt-dev/takt/elastic/resize"
	"github.com/takt-dev/takt/operator/view"
)

// underWay is how far the Resize of a job has come that is not over.
func underWay(s *view.Subject, active *v1alpha1.Resize) resize.UnderWay {
	o := resize.Observed{
		Record: view.Record(active), Job: resize.Job{Asked: s.Job.Asked},
		Withdrawn: active.Annotations[view.WithdrawnAnnotation],
	}
	if s.Known != nil {
		o.Progress = s.Known.Run.Progress()
	}
	return o.UnderWay()
}

// staysAsItWas says of a job whose size is not to change any more that a change is under way of which no training knows
// yet: it is planned with the size that it has, and the change is withdrawn.
func staysAsItWas(s *view.Subject, active *v1alpha1.Resize) bool {
	return active != nil && active.Spec.From > 0 && (s.Held() || !s.Interruptible()) && underWay(s, active).Unnoted
}

// fillUnderWay fills in until when a resize keeps a job busy, and the change of its size by it. The job has its pause.
func fillUnderWay(job *elastic.Job, active *v1alpha1.Resize, under resize.UnderWay, now elastic.Seconds) {
	if under.Unnoticed {
		return
	}
	since, before := coretime.Seconds(active.CreationTimestamp.Time), job.BusyUntil
	job.BusyUntil = elastic.BusyUntil(since, now, job.Pause)
	if starts(active) && job.Unsaved && job.Done == 0 { // nothing is lost that it does before it trains
		job.SavedAt = job.BusyUntil
	}
	if !under.Changes {
		return
	}
	job.Changes = &elastic.Change{From: elastic.Workers(active.Spec.From), BusyUntil: before, Since: since,
		Reason: elastic.ResizeCause(active.Spec.Reason), Settled: under.Settled}
	if under.Stopped { // it pauses in either case
		job.Changes.BusyUntil = job.BusyUntil
	}
}

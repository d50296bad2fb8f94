package reporting

import (
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/elastic/resize"
	"github.com/takt-dev/takt/operator/memory"
	"github.com/takt-dev/takt/operator/view"
)

// admitted says whether the job may run, and whether its deadline is promised.
func admitted(s *view.Subject, refused *view.Refusal) metav1.Condition {
	c := metav1.Condition{Type: v1alpha1.ConditionAdmitted, Status: metav1.ConditionTrue}
	if old := meta.FindStatusCondition(s.ElasticJob.Status.Conditions, c.Type); old != nil {
		c.Status, c.Reason, c.Message = old.Status, old.Reason, old.Message
	}
	ended := s.EndStands() || s.Object != nil && s.Job.State != resize.JobGoesOn
	switch {
	case ended && c.Reason != "":
		return c
	case refused != nil:
		c.Status, c.Reason, c.Message = metav1.ConditionFalse, refused.Reason, refused.Message
		return c
	}
	d, h := s.Known.Decided(), s.Known.HinderedBy()
	switch {
	case s.Blocked() != nil:
		c.Status, c.Reason, c.Message = metav1.ConditionFalse, s.Blocked().Reason, s.Blocked().Sentence
	case d == nil && (h.Reason == memory.ReasonQuota || h.Reason == memory.ReasonNoNode):
		c.Status, c.Reason, c.Message = metav1.ConditionFalse, h.Reason, h.Message
	case d == nil && (c.Reason == "" || c.Status == metav1.ConditionFalse && !view.OfPlan(c.Reason)):
		c.Status, c.Reason, c.Message = metav1.ConditionUnknown, "NotPlannedYet",
			"No plan has been made since the job was seen."
	case d == nil:
	case d.Promised && d.Verdict == elastic.Infeasible:
		c.Status, c.Reason, c.Message = metav1.ConditionTrue, view.ReasonPromised,
			"The deadline was promised, and that cannot be kept."
	case d.Promised:
		c.Status, c.Reason, c.Message = metav1.ConditionTrue, view.ReasonPromised, "The deadline is promised."
	case promisedAndPassed(s):
		c.Message = "The deadline was promised, and has passed."
	case view.OfPlan(string(d.Reason)):
		c.Status, c.Reason, c.Message = metav1.ConditionFalse, string(d.Reason), d.Why
	default:
		c.Status, c.Reason, c.Message = metav1.ConditionTrue, "Planned", mayRun(d)+" No deadline is promised."
	}
	return c
}

// wordsOf are what was said of a job that may run, by what has become of it since. That it may, and why, stays, as
// others go by it.
func wordsOf(c metav1.Condition, s *view.Subject, now time.Time) string {
	choose := func(promised, planned string) string {
		if c.Reason == view.ReasonPromised {
			return promised
		}
		return planned
	}
	at, dated := s.Deadline()
	switch {
	case c.Status != metav1.ConditionTrue:
		return c.Message
	case s.Object != nil && s.Job.State != resize.JobGoesOn:
		return choose("The deadline was promised.", "It was planned for. No deadline was promised.")
	case s.SuspendedByUser():
		return choose("The deadline was promised, and somebody has suspended the job since.",
			"It may run once somebody resumes it. No deadline is promised.")
	case dated && !now.Before(at):
		return choose("The deadline was promised, and has passed.", c.Message)
	case s.Known.SetAside():
		return choose("The deadline was promised, and the job is not planned for at present.",
			"It may run, and is not planned for at present. No deadline is promised.")
	}
	return c.Message
}

// promisedAndPassed says that the deadline has passed which the last decision was made for, and was promised.
func promisedAndPassed(s *view.Subject) bool {
	due, overdue := s.Known.Overdue()
	return overdue && s.IsPromised(due)
}

// mayRun says how a job runs that was promised nothing.
func mayRun(d *elastic.Outcome) string {
	switch {
	case d.Workers == 0:
		return "It may run, and waits for its GPUs."
	case len(d.Reserved) > 0:
		return "It runs as it is planned."
	}
	return "It runs on what is free."
}

// Outspoken says whether the status of an ElasticJob tells already whether the job may run. What that
// depends on is more than what the reporter watches, such as queues.
func Outspoken(s *view.Subject, refused *view.Refusal) bool {
	was, is := ConditionOf(&s.ElasticJob.Status), admitted(s, refused)
	return was.Status == is.Status && was.Reason == is.Reason
}

// ConditionOf is the condition that says whether the job may run.
func ConditionOf(status *v1alpha1.ElasticJobStatus) metav1.Condition {
	if c := meta.FindStatusCondition(status.Conditions, v1alpha1.ConditionAdmitted); c != nil {
		return *c
	}
	return metav1.Condition{}
}

package reporting

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/elastic/resize"
	"github.com/takt-dev/takt/operator/memory"
	"github.com/takt-dev/takt/operator/view"
	"github.com/takt-dev/takt/operator/wording"
)

// conditionsIn says what holds now, in the order in which people read it. A condition that is as before keeps its time.
func conditionsIn(st *v1alpha1.ElasticJobStatus, s *view.Subject, refused *view.Refusal, now time.Time) {
	for _, c := range s.ElasticJob.Status.Conditions {
		st.Conditions = append(st.Conditions, *c.DeepCopy())
	}
	may := admitted(s, refused)
	may.Message = wordsOf(may, s, now)
	list := []metav1.Condition{
		may,
		running(st, s, now),
		condition(v1alpha1.ConditionOnTrack, st.Verdict == v1alpha1.VerdictOnTrack || st.Verdict == v1alpha1.VerdictMet,
			string(st.Verdict), string(st.Verdict), st.Message),
		resizing(s, refused),
		suspended(s, refused),
	}
	if s.Object != nil {
		succeeded, failed := ended(s, st)
		list = append(list, succeeded, failed)
	}
	for _, c := range list {
		c.Message = wording.Sentences(c.Message)
		c.ObservedGeneration = s.ElasticJob.Generation
		c.LastTransitionTime = metav1.NewTime(now)
		meta.SetStatusCondition(&st.Conditions, c)
	}
	slices.SortStableFunc(st.Conditions, byWeight)
}

// condition is one that holds or not, with its reason in either case.
func condition(kind string, holds bool, yes, no, message string) metav1.Condition {
	c := metav1.Condition{Type: kind, Status: metav1.ConditionFalse, Reason: no, Message: message}
	if holds {
		c.Status, c.Reason = metav1.ConditionTrue, yes
	}
	return c
}

// resizing says whether the job is being resized, or what keeps it from that. What keeps it by the word of a process
// before this one stands until this one has planned: the plan goes by it.
func resizing(s *view.Subject, refused *view.Refusal) metav1.Condition {
	active := s.Active()
	c := condition(v1alpha1.ConditionResizing, active != nil, "ResizeUnderWay", "SizeKept", "")
	if active == nil {
		old := meta.FindStatusCondition(s.ElasticJob.Status.Conditions, c.Type)
		if h := hinders(s); h.Reason != "" {
			c.Reason, c.Message = h.Reason, h.Message
		} else if old != nil && old.Status == metav1.ConditionFalse && isToBePlanned(s, refused) {
			c.Reason, c.Message = old.Reason, old.Message
		}
		return c
	}
	says := toChange(active)
	if turned := meta.FindStatusCondition(active.Status.Conditions, v1alpha1.ConditionRollingBack); turned != nil {
		says = turned.Message
	}
	c.Reason, c.Message = string(active.Spec.Reason), fmt.Sprintf("Resize %s: %s", active.Name, says)
	return c
}

// suspended says whether the job keeps no GPU: workers that are on their way out still have theirs.
func suspended(s *view.Subject, refused *view.Refusal) metav1.Condition {
	stopped := s.Object != nil && s.Job.Suspended && s.Job.State == resize.JobGoesOn && len(s.Pods) == 0
	c := condition(v1alpha1.ConditionSuspended, stopped, "SuspendedByTakt", v1alpha1.ReasonNotSuspended, "")
	switch {
	case s.Object == nil:
		c.Reason = "NoJob"
	case s.SuspendedByUser():
		c.Reason, c.Message = v1alpha1.ReasonSuspendedByUser, resumeIt
	case stopped && refused != nil:
		c.Message = "It has no workers and keeps no GPU: Takt does not start it."
	case stopped && len(s.Awaits()) > 0: // and maybe in vain
		c.Message = fmt.Sprintf("It has no workers and keeps no GPU: it waits for %s to succeed.", awaited(s))
	case stopped:
		c.Message = "It has no workers and keeps no GPU: Takt starts it when its turn has come."
	}
	return c
}

// ended says whether the job has succeeded, and whether it has failed.
func ended(s *view.Subject, st *v1alpha1.ElasticJobStatus) (succeeded, failed metav1.Condition) {
	succeeded = condition(v1alpha1.ConditionSucceeded, s.Job.State == resize.JobFinished && !s.CutShort(), "JobFinished",
		how(s.Job.State), "")
	failed = condition(v1alpha1.ConditionFailed, s.Job.State == resize.JobFailed, "JobFailed", how(s.Job.State), "")
	switch s.State() { //nolint:exhaustive // the others have not ended
	case resize.JobCutShort:
		succeeded.Reason = string(resize.JobIsCutShort)
		failed.Status, failed.Reason, failed.Message = metav1.ConditionTrue, string(resize.JobIsCutShort), st.Message
	case resize.JobFinished:
		succeeded.Message = cmp.Or(s.Job.Message, "The job has finished.")
	case resize.JobFailed:
		failed.Message = wording.Sentences("The job has failed.", s.Job.Message)
	}
	return succeeded, failed
}

// isToBePlanned says that this process has not planned for a job yet, and is to.
func isToBePlanned(s *view.Subject, refused *view.Refusal) bool {
	return refused == nil && s.Job.State == resize.JobGoesOn && !s.SuspendedByUser() && s.Known.Decided() == nil
}

// hinders is what keeps a job from having another size.
func hinders(s *view.Subject) memory.Hindrance {
	if s.Known == nil || s.Job.State != resize.JobGoesOn {
		return memory.Hindrance{}
	}
	return s.Known.HinderedBy()
}

// byWeight is the order in which people read conditions: first how the job has ended, whether it may run and
// will be in time; last those that have nothing to say.
func byWeight(a, b metav1.Condition) int {
	order := []string{
		v1alpha1.ConditionSucceeded, v1alpha1.ConditionFailed, v1alpha1.ConditionAdmitted, v1alpha1.ConditionOnTrack,
		v1alpha1.ConditionResizing, v1alpha1.ConditionSuspended, v1alpha1.ConditionRunning,
	}
	silent := func(c metav1.Condition) int {
		if c.Message == "" {
			return 1
		}
		return 0
	}
	return cmp.Or(silent(a)-silent(b), cmp.Compare(slices.Index(order, a.Type), slices.Index(order, b.Type)))
}

// run says how many workers run.
func run(workers int32) string {
	switch workers {
	case 0:
		return "No worker runs."
	case 1:
		return "1 worker runs."
	}
	return elastic.Count(elastic.Workers(workers)) + " run."
}

// how is the state of a job as a reason.
func how(state resize.JobState) string {
	if state == resize.JobGoesOn {
		return "JobGoesOn"
	}
	return "Job" + string(state)
}

// toChange says what a Resize changes.
func toChange(r *v1alpha1.Resize) string {
	switch to := elastic.Count(elastic.Workers(r.Spec.To)); {
	case r.Spec.From == 0:
		return fmt.Sprintf("the job starts with %s.", to)
	case r.Spec.To == 0:
		return "the job stops, and keeps no GPU."
	default:
		return fmt.Sprintf("the job is to have %s instead of %d.", to, r.Spec.From)
	}
}

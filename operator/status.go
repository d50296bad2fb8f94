package operator

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/elastic/resize"
	"github.com/takt-dev/takt/operator/coretime"
	"github.com/takt-dev/takt/operator/learn"
	"github.com/takt-dev/takt/operator/memory"
	"github.com/takt-dev/takt/operator/wording"
)

// Reasons of conditions.
const (
	reasonPromised = "Promised"
	reasonByUser   = v1alpha1.ReasonSuspendedByUser
	// reasonNotSuspended says that a job was seen, and was not suspended.
	reasonNotSuspended = "NotSuspended"
)

// statusOf is the status of an ElasticJob, and when to look again at the latest, if ever.
func (o *Operator) statusOf(s *subject, refused *refusal) (v1alpha1.ElasticJobStatus, time.Duration) {
	now := o.now()
	old := s.ej.Status
	st := v1alpha1.ElasticJobStatus{ObservedGeneration: s.ej.Generation, Memory: old.Memory}
	for _, c := range old.Conditions {
		st.Conditions = append(st.Conditions, *c.DeepCopy())
	}
	st.Summary.Job = s.ej.Spec.JobRef.String()
	at, dated := s.deadline()
	if dated {
		st.Deadline = v1alpha1.NewTime(at)
	}
	st.Promised, st.Pool = old.Promised, old.Pool
	if s.known != nil && s.known.Decided() != nil {
		st.Pool = s.known.Decided().Pool
	}
	if s.known != nil && refused == nil && s.job.State == resize.JobGoesOn {
		if d := s.known.DecidedFor(at); d != nil && d.Promised {
			st.Promised = st.Deadline
		} else if d != nil {
			st.Promised = ""
		}
	}
	if s.object != nil {
		o.sizeIn(&st, s)
		o.progressIn(&st, s, now)
		o.predictionIn(&st, s, now)
	} else {
		st.Workers, st.Progress = old.Workers, old.Progress
		st.Summary.Workers, st.Summary.Progress = old.Summary.Workers, old.Summary.Progress
	}
	o.judge(&st, s, refused, now)
	if cold := s.onlyCold(); refused == nil && s.job.State == resize.JobGoesOn && !strings.Contains(st.Message, cold) {
		st.Message = wording.Sentences(st.Message, cold)
	}
	if refused == nil {
		st.Message = wording.Sentences(st.Message, s.endsFirst(&st, now))
	}
	st.Message = wording.Clip(st.Message)
	o.noteMisspelt(&st, s, refused)
	for _, c := range conditions(s, refused, &st) {
		c.Message = wording.Sentences(c.Message)
		c.ObservedGeneration = s.ej.Generation
		c.LastTransitionTime = metav1.NewTime(now)
		meta.SetStatusCondition(&st.Conditions, c)
	}
	slices.SortStableFunc(st.Conditions, byWeight)
	again := time.Duration(0)
	if dated && now.Before(at) && s.job.State == resize.JobGoesOn {
		again = at.Sub(now) + time.Second
	}
	return st, again
}

func (o *Operator) sizeIn(st *v1alpha1.ElasticJobStatus, s *subject) {
	least, most := s.sizes()
	if least > most { // what is asked for cannot be: it is refused, and the job keeps to its own range
		least, most = s.job.Least, s.job.Most
	}
	running := int32(len(s.running()))
	st.Workers = v1alpha1.WorkerStatus{Running: running, Desired: int32(s.size()), Min: int32(least), Max: int32(most)}
	if d := s.known.LastPlanned(); d != nil && s.job.State == resize.JobGoesOn && (d.Workers == 0 || d.Workers >= elastic.Workers(least) && d.Workers <= elastic.Workers(most)) {
		st.Workers.Desired = int32(d.Workers) // else it was decided before it was to be of these sizes
	}
	if s.job.State != resize.JobGoesOn {
		st.Workers.Running, st.Workers.Desired = 0, 0
	}
	st.Summary.Workers = fmt.Sprintf("%d/%d", st.Workers.Running, most)
}

func (o *Operator) progressIn(st *v1alpha1.ElasticJobStatus, s *subject, now time.Time) {
	view := s.known.Run.View(now, o.settings.Progress.StaleAfter.Duration)
	if view.Known {
		st.Progress.PartsPerMillion = int32(math.Round(max(0, min(view.Done, 1)) * 1e6))
		st.Progress.Source = string(view.Source)
		st.Progress.ObservedAt = v1alpha1.NewTime(view.ObservedAt)
		if st.Progress.LastCheckpointAt = s.ej.Status.Progress.LastCheckpointAt; !view.SavedAt.IsZero() {
			st.Progress.LastCheckpointAt = v1alpha1.NewTime(view.SavedAt)
		}
	} else {
		st.Progress = s.ej.Status.Progress // of a process before this one
	}
	if s.job.State == resize.JobFinished && !s.cutShort() {
		st.Progress.PartsPerMillion = 1e6
	}
	if view.Known || st.Progress.PartsPerMillion > 0 {
		st.Summary.Progress = fmt.Sprintf("%d%%", st.Progress.PartsPerMillion/1e4)
	}
}

func (o *Operator) predictionIn(st *v1alpha1.ElasticJobStatus, s *subject, now time.Time) {
	at, dated := s.deadline()
	d := s.known.DecidedFor(at)
	switch {
	case s.cutShort():
		st.Prediction = s.ej.Status.Prediction // by which that is known
		return
	case d == nil && s.known.Decided() != nil && s.job.State == resize.JobGoesOn: // until it is planned anew
		st.Prediction, st.Summary.Slack = s.ej.Status.Prediction, s.ej.Status.Summary.Slack
		return
	}
	if d == nil || s.job.State != resize.JobGoesOn || d.Expected == nil {
		if s.job.State == resize.JobFinished && !s.job.EndedAt.IsZero() {
			if dated {
				st.Summary.Slack = wording.Span(at.Sub(s.job.EndedAt))
			}
			st.Prediction.ETA = v1alpha1.NewTime(s.job.EndedAt)
		}
		return
	}
	// All of these are of the plan, as the message is: figures of the present size would contradict it.
	st.Prediction.ETA = v1alpha1.NewTime(coretime.Time(*d.Expected))
	if d.Early != nil {
		st.Prediction.Earliest = v1alpha1.NewTime(coretime.Time(*d.Early))
	}
	if d.Late != nil {
		st.Prediction.Latest = v1alpha1.NewTime(coretime.Time(*d.Late))
	}
	if !dated {
		return
	}
	st.Summary.Slack = wording.Span(at.Sub(coretime.Time(*d.Expected)))
	if onTime, known := d.OnTime(coretime.Seconds(at)); known {
		percent := int32(math.Round(onTime * 100))
		st.Prediction.OnTimePercent = &percent
	}
	sizes, _ := s.known.Sizes()
	if enough := s.known.Run.Prediction(sizes, now, at).Sufficient; enough > 0 {
		workers := int32(enough)
		st.Prediction.SufficientWorkers = &workers
	}
}

// judge says whether the job will be, or was, finished in time.
func (o *Operator) judge(st *v1alpha1.ElasticJobStatus, s *subject, refused *refusal, now time.Time) {
	at, dated := s.deadline()
	switch {
	case s.cutShort():
		st.Verdict, st.Message = v1alpha1.VerdictBestEffort, s.cutShortAt(st.Progress.PartsPerMillion)
		if dated {
			st.Verdict = v1alpha1.VerdictMissed
		}
		return
	case s.job.State == resize.JobFinished && s.object != nil:
		st.Verdict, st.Message = v1alpha1.VerdictBestEffort, "The job has finished."
		// An end is told in whole seconds: within the same one, what was said before it stays true.
		sameSecond := at.Sub(s.job.EndedAt).Abs() < time.Second
		if end := s.job.EndedAt; dated && !end.After(at) && (!sameSecond || s.ej.Status.Verdict != v1alpha1.VerdictMissed) {
			st.Verdict, st.Message = v1alpha1.VerdictMet, fmt.Sprintf("It finished %s before its deadline.", wording.Span(at.Sub(end)))
		} else if dated {
			st.Verdict, st.Message = v1alpha1.VerdictMissed, fmt.Sprintf("It finished %s after its deadline.", wording.Span(end.Sub(at)))
		}
		return
	case s.job.State == resize.JobFailed && s.object != nil:
		st.Verdict, st.Message = v1alpha1.VerdictBestEffort, wording.Sentences("The job has failed.", s.job.Message)
		if dated {
			st.Verdict = v1alpha1.VerdictMissed
		}
		return
	case dated && !now.Before(at):
		st.Verdict = v1alpha1.VerdictMissed
		st.Message = wording.Sentences("Its deadline has passed, and it is not finished.", o.afterwards(s, refused))
		return
	case refused.leavesAlone():
		st.Verdict, st.Message = v1alpha1.VerdictLeftAlone, refused.sentence()
		return
	case refused != nil:
		st.Verdict, st.Message = v1alpha1.VerdictEstimating, refused.sentence()
		if !dated {
			st.Verdict = v1alpha1.VerdictBestEffort
		}
		return
	case s.suspendedByUser():
		st.Verdict, st.Message = v1alpha1.VerdictAtRisk, resumeIt
		if !dated {
			st.Verdict = v1alpha1.VerdictBestEffort
		}
		return
	}
	d := s.known.DecidedFor(at)
	if d == nil {
		// What a process before this one has said stands until this one has planned.
		st.Verdict, st.Message = s.ej.Status.Verdict, withoutNote(s.ej.Status.Message)
		st.Prediction, st.Summary.Slack = s.ej.Status.Prediction, s.ej.Status.Summary.Slack
		if st.Verdict == v1alpha1.VerdictLeftAlone { // it is not any more
			st.Verdict, st.Message = "", ""
		}
		if st.Verdict == "" {
			st.Verdict = v1alpha1.VerdictEstimating
		}
		if st.Message == "" {
			st.Message = "The job has just been seen: the next plan says more."
		}
		if hinders := s.known.HinderedBy().Message; hinders != "" && !s.known.OnlyPlannedBefore() {
			st.Message, st.Prediction, st.Summary.Slack = hinders, v1alpha1.PredictionStatus{}, ""
		}
		return
	}
	st.Verdict, st.Message = v1alpha1.Verdict(d.Verdict), d.Message
	if st.Verdict == v1alpha1.VerdictInfeasible {
		st.Message = wording.Sentences(d.Message, o.moreWorkers(s, now, at))
	}
	view := s.known.Run.View(now, o.settings.Progress.StaleAfter.Duration)
	if s.active() != nil && view.Health == learn.Unread {
		view.Sentence = "" // its workers are about to start, or to start anew
	}
	switch hinders := s.known.HinderedBy().Message; {
	case len(s.running()) == 0:
		st.Message = wording.Sentences(st.Message, s.inWait(d, now), hinders)
	case st.Verdict == v1alpha1.VerdictOnTrack && view.Health.Doubtful() && d.Believed == "" && s.active() == nil:
		// The estimate goes by readings that may not be true any more. The promise stands all the same.
		st.Verdict = v1alpha1.VerdictAtRisk
		st.Message = wording.Sentences(view.Sentence, "So nobody can tell whether it is still in time.", hinders, s.known.Idleness())
	default:
		st.Message = wording.Sentences(st.Message, view.Sentence, hinders, s.known.Idleness())
	}
}

const resumeIt = "Somebody has suspended the job: resume it, and Takt goes on with it."

// afterwards says what becomes of a job whose deadline has passed.
func (o *Operator) afterwards(s *subject, refused *refusal) string {
	switch {
	case refused != nil:
		return refused.sentence()
	case s.suspendedByUser():
		return resumeIt
	}
	if d := s.known.Decided(); d != nil && d.Expected != nil {
		return fmt.Sprintf("It goes on as best-effort, and is expected to end at %s.", coretime.Time(*d.Expected).UTC().Format(time.RFC3339))
	}
	return "It goes on as best-effort."
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

// conditions are those that hold now.
func conditions(s *subject, refused *refusal, st *v1alpha1.ElasticJobStatus) []metav1.Condition {
	is := func(kind string, holds bool, yes, no, message string) metav1.Condition {
		c := metav1.Condition{Type: kind, Status: metav1.ConditionFalse, Reason: no, Message: message}
		if holds {
			c.Status, c.Reason = metav1.ConditionTrue, yes
		}
		return c
	}
	active := s.active()
	list := []metav1.Condition{
		admitted(s, refused),
		is(v1alpha1.ConditionRunning, st.Workers.Running > 0, "WorkersRun", "NoWorkers", run(st.Workers.Running)),
		is(v1alpha1.ConditionOnTrack, st.Verdict == v1alpha1.VerdictOnTrack || st.Verdict == v1alpha1.VerdictMet, string(st.Verdict), string(st.Verdict), st.Message),
	}
	resizing := is(v1alpha1.ConditionResizing, active != nil, "ResizeUnderWay", "SizeKept", "")
	if h := hinders(s); active == nil && h.Reason != "" {
		resizing.Reason, resizing.Message = h.Reason, h.Message
	}
	if active != nil {
		resizing.Reason = string(active.Spec.Reason)
		resizing.Message = fmt.Sprintf("Resize %s: %s", active.Name, toChange(active))
		if turned := meta.FindStatusCondition(active.Status.Conditions, v1alpha1.ConditionRollingBack); turned != nil {
			resizing.Message = fmt.Sprintf("Resize %s: %s", active.Name, turned.Message)
		}
	}
	list = append(list, resizing)
	// It is suspended once it keeps no GPU: workers that are on their way out still have theirs.
	stopped := s.object != nil && s.job.Suspended && s.job.State == resize.JobGoesOn && len(s.pods) == 0
	suspended := is(v1alpha1.ConditionSuspended, stopped, "SuspendedByTakt", reasonNotSuspended, "")
	if stopped {
		suspended.Message = "It has no workers and keeps no GPU: Takt starts it when its turn has come."
	}
	switch {
	case s.object == nil:
		suspended.Reason = "NoJob"
	case s.suspendedByUser():
		suspended.Reason, suspended.Message = reasonByUser, resumeIt
	case stopped && refused != nil:
		suspended.Message = "It has no workers and keeps no GPU: Takt does not start it."
	}
	list = append(list, suspended)
	if s.object != nil {
		list = append(list,
			is(v1alpha1.ConditionSucceeded, s.job.State == resize.JobFinished && !s.cutShort(), "JobFinished", how(s.job.State), ""),
			is(v1alpha1.ConditionFailed, s.job.State == resize.JobFailed, "JobFailed", how(s.job.State), ""))
		switch ended := list[len(list)-2:]; s.state() { //nolint:exhaustive // the others have not ended
		case resize.JobCutShort:
			ended[0].Reason = string(resize.JobIsCutShort)
			ended[1].Status, ended[1].Reason, ended[1].Message = metav1.ConditionTrue, string(resize.JobIsCutShort), st.Message
		case resize.JobFinished:
			ended[0].Message = cmp.Or(s.job.Message, "The job has finished.")
		case resize.JobFailed:
			ended[1].Message = wording.Sentences("The job has failed.", s.job.Message)
		}
	}
	return list
}

// hinders is what keeps a job from having another size.
func hinders(s *subject) memory.Hindrance {
	if s.known == nil || s.job.State != resize.JobGoesOn {
		return memory.Hindrance{}
	}
	return s.known.HinderedBy()
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

// admitted says whether the job may run, and whether its deadline is promised.
func admitted(s *subject, refused *refusal) metav1.Condition {
	c := metav1.Condition{Type: v1alpha1.ConditionAdmitted, Status: metav1.ConditionTrue}
	if old := meta.FindStatusCondition(s.ej.Status.Conditions, c.Type); old != nil {
		c.Status, c.Reason, c.Message = old.Status, old.Reason, old.Message
	}
	ended := s.object != nil && s.job.State != resize.JobGoesOn
	switch {
	case ended && c.Reason != "":
		return c
	case refused != nil:
		c.Status, c.Reason, c.Message = metav1.ConditionFalse, refused.reason, refused.message
		return c
	}
	d, h := s.known.Decided(), s.known.HinderedBy()
	switch {
	case d == nil && (h.Reason == memory.ReasonQuota || h.Reason == memory.ReasonNoNode):
		c.Status, c.Reason, c.Message = metav1.ConditionFalse, h.Reason, h.Message
	case d == nil && (c.Reason == "" || c.Status == metav1.ConditionFalse && !ofPlan(c.Reason)):
		c.Status, c.Reason, c.Message = metav1.ConditionUnknown, "NotPlannedYet", "No plan has been made since the job was seen."
	case d == nil:
	case d.Promised && d.Verdict == elastic.Infeasible:
		c.Status, c.Reason, c.Message = metav1.ConditionTrue, reasonPromised, "The deadline was promised, and that cannot be kept."
	case d.Promised:
		c.Status, c.Reason, c.Message = metav1.ConditionTrue, reasonPromised, "The deadline is promised."
	case ofPlan(string(d.Reason)):
		c.Status, c.Reason, c.Message = metav1.ConditionFalse, string(d.Reason), d.Why
	default:
		c.Status, c.Reason, c.Message = metav1.ConditionTrue, "Planned", mayRun(d)+" No deadline is promised."
	}
	return c
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

// ofPlan says whether it is the plan that keeps a job from being admitted, and not a refusal.
func ofPlan(reason string) bool {
	return slices.Contains([]string{string(elastic.NotPromised), string(elastic.NoSizes), memory.ReasonQuota, memory.ReasonNoNode}, reason)
}

// outspoken says whether the status of an ElasticJob tells already whether the job may run. What that
// depends on is more than what the reporter watches, such as queues.
func outspoken(s *subject, refused *refusal) bool {
	was, is := conditionOf(&s.ej.Status), admitted(s, refused)
	return was.Status == is.Status && was.Reason == is.Reason
}

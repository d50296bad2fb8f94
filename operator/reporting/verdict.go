package reporting

import (
	"fmt"
	"time"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/elastic/forecast"
	"github.com/takt-dev/takt/elastic/resize"
	"github.com/takt-dev/takt/operator/learn"
	"github.com/takt-dev/takt/operator/view"
	"github.com/takt-dev/takt/operator/wording"
)

// judge says whether the job will be, or was, finished in time.
func (r *Reporter) judge(st *v1alpha1.ElasticJobStatus, s *view.Subject, refused *view.Refusal, now time.Time) {
	at, dated := s.Deadline()
	blocked := s.Blocked()
	is := func(verdict v1alpha1.Verdict, message string) { st.Verdict, st.Message = verdict, message }
	switch {
	case s.CutShort():
		is(ofDeadline(s, v1alpha1.VerdictMissed), cutShortAt(s, st.Progress.PartsPerMillion))
	case s.Job.State == resize.JobFinished && s.Object != nil:
		is(finished(s))
	case s.Job.State == resize.JobFailed && s.Object != nil:
		is(ofDeadline(s, v1alpha1.VerdictMissed), wording.Sentences("The job has failed.", s.Job.Message))
	case dated && !now.Before(at) && refused == nil && saidMissed(st, s):
		asBefore(st, s)
	case dated && !now.Before(at):
		verdict := v1alpha1.VerdictMissed
		if refused.LeavesAlone() { // what becomes of it is not Takt's
			verdict = v1alpha1.VerdictLeftAlone
		}
		is(verdict, wording.Sentences(passed(s, at), r.afterwards(st, s, refused, now)))
	case refused.LeavesAlone():
		is(v1alpha1.VerdictLeftAlone, wording.Sentences(refused.Sentence(), standsStill(s)))
	case refused != nil:
		is(ofDeadline(s, v1alpha1.VerdictEstimating), refused.Sentence())
	case s.SuspendedByUser():
		is(ofDeadline(s, v1alpha1.VerdictAtRisk), resumeIt)
	case blocked != nil:
		is(ofDeadline(s, v1alpha1.VerdictAtRisk), blocked.Sentence)
	default:
		r.judgePlan(st, s, s.Known.DecidedFor(at), now)
	}
}

// ofDeadline is a verdict on a job that has a deadline. Of one that has none there is no more to say.
func ofDeadline(s *view.Subject, verdict v1alpha1.Verdict) v1alpha1.Verdict {
	if _, dated := s.Deadline(); !dated {
		return v1alpha1.VerdictBestEffort
	}
	return verdict
}

// finished says how a job that has done its work stands to its deadline.
func finished(s *view.Subject) (verdict v1alpha1.Verdict, message string) {
	at, dated := s.Deadline()
	end := s.Job.EndedAt
	// An end is told in whole seconds: within the same one, what was said before it stays true.
	sameSecond := at.Sub(end).Abs() < time.Second
	switch {
	case !dated:
		return v1alpha1.VerdictBestEffort, "The job has finished."
	case !end.After(at) && (!sameSecond || s.ElasticJob.Status.Verdict != v1alpha1.VerdictMissed):
		return v1alpha1.VerdictMet, fmt.Sprintf("It finished %s before its deadline.", wording.Away(at.Sub(end)))
	}
	return v1alpha1.VerdictMissed, fmt.Sprintf("It finished %s after its deadline.", wording.Away(end.Sub(at)))
}

// judgePlan says what was decided about the job, if anything was, and what that does not know.
func (r *Reporter) judgePlan(st *v1alpha1.ElasticJobStatus, s *view.Subject, d *elastic.Outcome, now time.Time) {
	hinders := s.Known.HinderedBy().Message
	if d == nil {
		asBefore(st, s)
		if hinders != "" && !s.Known.OnlyPlannedBefore() {
			st.Message, st.Prediction, st.Summary.Slack = hinders, v1alpha1.PredictionStatus{}, ""
		}
		if s.Known.SetAside() { // whatever was said of it before
			st.Verdict = ofDeadline(s, v1alpha1.VerdictAtRisk)
		}
		return
	}
	told := r.toldBy(s, now)
	at, _ := s.Deadline()
	verdict, doubt := forecast.Seen{
		Planned: d.Verdict, Left: at.Sub(now), Trains: len(s.Running()) > 0, Resized: s.Active() != nil,
		Overruns: told.Overruns, By: now.Sub(told.MovedAt), Doubtful: told.Health.Doubtful(), Believed: d.Believed != "",
	}.Verdict()
	st.Verdict, st.Message = v1alpha1.Verdict(verdict), d.Message
	if verdict == elastic.Infeasible {
		st.Message = wording.Sentences(d.Message, r.moreWorkers(s, now, at))
	}
	if told.Overruns {
		overrun(st, d.Verdict, doubt)
	}
	if doubt == forecast.Unread {
		st.Message = wording.Sentences(told.Sentence, "So nobody can tell whether it is still in time.")
		told.Sentence = ""
	}
	hurdles := hurdlesOf(s, now)
	st.Message = beside(st.Message, s, d, told, hurdles, now)
	hurdled(st, hurdles)
}

// toldBy is what a job tells. Of one that tells nothing, as its workers are about to start, or cannot run, that is no
// news.
func (r *Reporter) toldBy(s *view.Subject, now time.Time) learn.View {
	told := s.Known.Run.View(now, r.Settings.Progress.StaleAfter.Duration)
	if told.Health == learn.Unread && (s.Active() != nil || s.Waits(now)) {
		told.Sentence = ""
	}
	return told
}

// beside adds to what is said of a plan what is seen of its job.
func beside(says string, s *view.Subject, d *elastic.Outcome, told learn.View, hurdles []view.Hurdle,
	now time.Time) string {
	hinders := s.Known.HinderedBy().Message
	switch {
	case len(s.Running()) == 0 && len(hurdles) > 0:
		return wording.Sentences(says, hinders)
	case len(s.Running()) == 0:
		return wording.Sentences(says, inWait(s, d, now), hinders)
	}
	says = wording.Sentences(says, told.Sentence, hinders, s.Job.AtItsEnd, s.Known.Idleness())
	if len(hurdles) == 0 && s.Active() == nil {
		says = wording.Sentences(workerYetToRun(s, now), says)
	}
	return says
}

// asBefore says what was said of the job before, perhaps by another process, until this one has planned: it stands for
// as long as the deadline that it is about does.
func asBefore(st *v1alpha1.ElasticJobStatus, s *view.Subject) {
	old := &s.ElasticJob.Status
	st.Verdict, st.Message = old.Verdict, withoutNote(old.Message)
	st.Prediction, st.Summary.Slack = old.Prediction, old.Summary.Slack
	switch {
	case old.Verdict == v1alpha1.VerdictLeftAlone: // it is not any more
		st.Verdict, st.Message = "", ""
	case old.Verdict != "" && old.Deadline != st.Deadline:
		st.Verdict, st.Message = "", "Its deadline is another now: the next plan says more."
		if st.Deadline == "" {
			st.Verdict, st.Message = v1alpha1.VerdictBestEffort, "It has no deadline any more: the next plan says more."
		}
		st.Prediction.OnTimePercent, st.Prediction.SufficientWorkers, st.Summary.Slack = nil, nil, ""
	}
	if st.Verdict == "" {
		st.Verdict = v1alpha1.VerdictEstimating
	}
	if st.Message == "" {
		st.Message = "The job has just been seen: the next plan says more."
	}
}

// standsStill says of a job that is left alone that it does not run for now. One that waits for others is not let run
// before they have succeeded.
func standsStill(s *view.Subject) string {
	switch {
	case s.Object == nil || !s.Job.Suspended:
		return ""
	case s.SuspendedByUser():
		return "It is suspended, and stays so until somebody resumes it."
	case !s.Job.StoppedByTakt():
		return "It is suspended, and stays so until that is put right, or somebody resumes it."
	case len(s.Awaits()) > 0:
		return fmt.Sprintf("It waits for %s to succeed, and stays stopped until then. Unless what is wrong is put right by "+
			"then, it runs as it is written.", awaited(s))
	case s.Job.Asked.Suspended:
		return "Takt had stopped it before: unless that is put right within a minute, it runs again."
	}
	return "Unless that is put right within a minute, it runs as it is written."
}

const resumeIt = "Somebody has suspended the job: resume it, and Takt goes on with it."

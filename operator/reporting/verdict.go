package reporting

import (
	"fmt"
	"time"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/elastic/coretime"
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
	case dated && !now.Before(at):
		is(v1alpha1.VerdictMissed, wording.Sentences(passed(s, at), r.afterwards(s, refused)))
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
	told := s.Known.Run.View(now, r.Settings.Progress.StaleAfter.Duration)
	at, _ := s.Deadline()
	verdict, doubt := forecast.Seen{
		Planned: d.Verdict, Left: at.Sub(now), Trains: len(s.Running()) > 0, Resized: s.Active() != nil,
		Overruns: told.Overruns, By: now.Sub(told.MovedAt), Doubtful: told.Health.Doubtful(), Believed: d.Believed != "",
	}.Verdict()
	st.Verdict, st.Message = v1alpha1.Verdict(verdict), d.Message
	if verdict == elastic.Infeasible {
		st.Message = wording.Sentences(d.Message, r.moreWorkers(s, now, at))
	}
	if s.Active() != nil && told.Health == learn.Unread {
		told.Sentence = "" // its workers are about to start, or to start anew
	}
	if told.Overruns {
		overrun(st, d.Verdict, doubt)
	}
	hurdles := hurdlesOf(s, now)
	if s.Waits(now) && told.Health == learn.Unread {
		told.Sentence = "" // who cannot run tells nothing
	}
	switch {
	case len(s.Running()) == 0 && len(hurdles) > 0:
		st.Message = wording.Sentences(st.Message, hinders)
	case len(s.Running()) == 0:
		st.Message = wording.Sentences(st.Message, inWait(s, d, now), hinders)
	case doubt == forecast.Unread:
		st.Message = wording.Sentences(told.Sentence, "So nobody can tell whether it is still in time.", hinders,
			s.Known.Idleness())
	default:
		st.Message = wording.Sentences(st.Message, told.Sentence, hinders, s.Job.AtItsEnd, s.Known.Idleness())
	}
	if len(hurdles) == 0 && len(s.Running()) > 0 && s.Active() == nil {
		st.Message = wording.Sentences(workerYetToRun(s, now), st.Message)
	}
	hurdled(st, hurdles)
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

// standsStill says of a job that is left alone that it does not run for now.
func standsStill(s *view.Subject) string {
	switch {
	case s.Object == nil || !s.Job.Suspended:
		return ""
	case s.SuspendedByUser():
		return "It is suspended, and stays so until somebody resumes it."
	case !s.Job.StoppedByTakt():
		return "It is suspended, and stays so until that is put right, or somebody resumes it."
	case s.Job.Asked.Suspended:
		return "Takt had stopped it before: unless that is put right within a minute, it runs again."
	}
	return "Unless that is put right within a minute, it runs as it is written."
}

const resumeIt = "Somebody has suspended the job: resume it, and Takt goes on with it."

// passed says that the deadline of a job has passed. One that had before the job was created is a slip of the pen, such
// as last year's date.
func passed(s *view.Subject, at time.Time) string {
	if s.Object != nil && at.Before(s.Job.CreatedAt) {
		return fmt.Sprintf("Its deadline, %s, was over before the job was created: write one that is to come.",
			at.UTC().Format(time.RFC3339))
	}
	return "Its deadline has passed, and it is not finished."
}

// afterwards says what becomes of a job whose deadline has passed.
func (r *Reporter) afterwards(s *view.Subject, refused *view.Refusal) string {
	switch {
	case refused != nil:
		return refused.Sentence()
	case s.SuspendedByUser():
		return resumeIt
	}
	if d := s.Known.Decided(); d != nil && d.ExpectedEnd != nil {
		return fmt.Sprintf("It goes on as best-effort, and is expected to end at %s.",
			coretime.Time(*d.ExpectedEnd).UTC().Format(time.RFC3339))
	}
	return "It goes on as best-effort."
}

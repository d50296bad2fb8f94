package reporting

import (
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/elastic/resize"
	"github.com/takt-dev/takt/operator/coretime"
	"github.com/takt-dev/takt/operator/learn"
	"github.com/takt-dev/takt/operator/view"
	"github.com/takt-dev/takt/operator/wording"
)

// StatusOf is the status of an ElasticJob, and when to look again at the latest, if ever.
func (r *Reporter) StatusOf(s *view.Subject, refused *view.Refusal) (v1alpha1.ElasticJobStatus, time.Duration) {
	now, old := r.Now(), &s.ElasticJob.Status
	st := v1alpha1.ElasticJobStatus{ObservedGeneration: s.ElasticJob.Generation, Memory: old.Memory}
	st.Summary.Job = s.ElasticJob.Spec.JobRef.String()
	at, dated := s.Deadline()
	if dated {
		st.Deadline, st.DeadlineQueue = v1alpha1.NewTime(at), queueOfDeadline(s)
	}
	promiseIn(&st, s, refused)
	if s.Object != nil {
		r.sizeIn(&st, s)
		r.progressIn(&st, s, now)
		r.predictionIn(&st, s, now)
		r.costIn(&st, s, now)
		st.After = s.Succeeded
	} else {
		st.Workers, st.Progress, st.Cost, st.After = old.Workers, old.Progress, old.Cost, old.After
		st.Summary.Workers, st.Summary.Progress, st.Summary.Cost = old.Summary.Workers, old.Summary.Progress, old.Summary.Cost
	}
	r.judge(&st, s, refused, now)
	r.remark(&st, s, refused, now)
	again := r.steady(&st, s, now, at)
	r.noteMisspelt(&st, s, refused)
	conditionsIn(&st, s, refused, now)
	if dated && now.Before(at) && s.Job.State == resize.JobGoesOn && again == 0 {
		again = at.Sub(now) + time.Second
	}
	return st, again
}

// promiseIn says in which pool the job is planned, and whether its deadline is promised.
func promiseIn(st *v1alpha1.ElasticJobStatus, s *view.Subject, refused *view.Refusal) {
	st.Promised, st.Pool = s.ElasticJob.Status.Promised, s.ElasticJob.Status.Pool
	if s.Known == nil {
		return
	}
	if d := s.Known.Decided(); d != nil {
		st.Pool = d.Pool
	}
	if refused != nil || s.Job.State != resize.JobGoesOn {
		return
	}
	at, _ := s.Deadline()
	if s.Known.HasPromised(at) {
		st.Promised = st.Deadline
	} else if s.Known.HasPromisedNothing(at) {
		st.Promised = ""
	}
}

// remark adds to a verdict what the plan does not know, or does not say.
func (r *Reporter) remark(st *v1alpha1.ElasticJobStatus, s *view.Subject, refused *view.Refusal, now time.Time) {
	if refused == nil && s.Job.State == resize.JobGoesOn {
		for _, says := range []string{HowResized(s), ofItsQueue(st)} {
			if !strings.Contains(st.Message, says) {
				st.Message = wording.Sentences(st.Message, says)
			}
		}
		st.Message = wording.Sentences(st.Message, afterOthers(s))
		st.Message = wording.Sentences(st.Message, withoutAgent(s, r.Settings.AgentDefault()))
	}
	if refused == nil {
		st.Message = wording.Sentences(st.Message, endsFirst(s, st, now))
	}
	st.Message = wording.Clip(st.Message)
}

func (r *Reporter) sizeIn(st *v1alpha1.ElasticJobStatus, s *view.Subject) {
	least, most := s.Sizes()
	if least > most { // what is asked for cannot be: it is refused, and the job keeps to its own range
		least, most = s.Job.Least, s.Job.Most
	}
	running := int32(len(s.Running()))
	st.Workers = v1alpha1.WorkerStatus{Running: running, Desired: int32(s.Size()), Min: int32(least), Max: int32(most)}
	if d := s.Known.LastPlanned(); d != nil && s.Job.State == resize.JobGoesOn &&
		(d.Workers == 0 || d.Workers >= elastic.Workers(least) && d.Workers <= elastic.Workers(most)) {
		st.Workers.Desired = int32(d.Workers) // else it was decided before it was to be of these sizes
	}
	if s.Job.State != resize.JobGoesOn {
		st.Workers.Running, st.Workers.Desired = 0, 0
	}
	st.Summary.Workers = fmt.Sprintf("%d/%d", st.Workers.Running, most)
}

func (r *Reporter) progressIn(st *v1alpha1.ElasticJobStatus, s *view.Subject, now time.Time) {
	view := s.Known.Run.View(now, r.Settings.Progress.StaleAfter.Duration)
	if view.Known {
		st.Progress.PartsPerMillion = int32(math.Round(max(0, min(view.Done, 1)) * 1e6))
		st.Progress.Source = string(view.Source)
		st.Progress.ObservedAt = v1alpha1.NewTime(view.ObservedAt)
		if st.Progress.LastCheckpointAt = s.ElasticJob.Status.Progress.LastCheckpointAt; !view.SavedAt.IsZero() {
			st.Progress.LastCheckpointAt = v1alpha1.NewTime(view.SavedAt)
		}
	} else {
		st.Progress = s.ElasticJob.Status.Progress // of a process before this one
		if view.Refuted {
			st.Progress.PartsPerMillion = 0
		}
	}
	if s.Job.State == resize.JobFinished && !s.CutShort() {
		st.Progress.PartsPerMillion = 1e6
	}
	if view.Known || st.Progress.PartsPerMillion > 0 {
		st.Summary.Progress = fmt.Sprintf("%d%%", st.Progress.PartsPerMillion/1e4)
	}
}

func (r *Reporter) predictionIn(st *v1alpha1.ElasticJobStatus, s *view.Subject, now time.Time) {
	at, dated := s.Deadline()
	d := s.Known.DecidedFor(at)
	switch {
	case s.CutShort():
		st.Prediction = s.ElasticJob.Status.Prediction // by which that is known
		return
	case d == nil && s.Known.Decided() != nil && s.Job.State == resize.JobGoesOn: // until it is planned anew
		asBefore(st, s)
		return
	}
	if d != nil && s.Job.State == resize.JobGoesOn && d.Starts != nil {
		st.Prediction.StartsAt = v1alpha1.NewTime(coretime.Time(*d.Starts))
	}
	if d == nil || s.Job.State != resize.JobGoesOn || d.Expected == nil {
		if s.Job.State == resize.JobFinished && !s.Job.EndedAt.IsZero() {
			if dated {
				st.Summary.Slack = wording.Span(at.Sub(s.Job.EndedAt))
			}
			st.Prediction.ETA = v1alpha1.NewTime(s.Job.EndedAt)
		}
		return
	}
	// All of these are of the plan, as the message is: figures of the present size would contradict it.
	st.Prediction.ETA = v1alpha1.NewTime(coretime.Time(*d.Expected))
	if d.Earliest != nil {
		st.Prediction.Earliest = v1alpha1.NewTime(coretime.Time(*d.Earliest))
	}
	if d.Latest != nil {
		st.Prediction.Latest = v1alpha1.NewTime(coretime.Time(*d.Latest))
	}
	if !dated {
		return
	}
	st.Summary.Slack = wording.Span(at.Sub(coretime.Time(*d.Expected)))
	if onTime, known := d.OnTime(coretime.Seconds(at)); known {
		percent := int32(math.Round(onTime * 100))
		st.Prediction.OnTimePercent = &percent
	}
	sizes, _ := s.Known.Sizes()
	if enough := s.Known.Run.Prediction(sizes, now, at).Sufficient; enough > 0 {
		workers := int32(enough)
		st.Prediction.SufficientWorkers = &workers
	}
}

// judge says whether the job will be, or was, finished in time.
func (r *Reporter) judge(st *v1alpha1.ElasticJobStatus, s *view.Subject, refused *view.Refusal, now time.Time) {
	at, dated := s.Deadline()
	switch {
	case s.CutShort():
		st.Verdict, st.Message = v1alpha1.VerdictBestEffort, cutShortAt(s, st.Progress.PartsPerMillion)
		if dated {
			st.Verdict = v1alpha1.VerdictMissed
		}
		return
	case s.Job.State == resize.JobFinished && s.Object != nil:
		st.Verdict, st.Message = v1alpha1.VerdictBestEffort, "The job has finished."
		// An end is told in whole seconds: within the same one, what was said before it stays true.
		sameSecond := at.Sub(s.Job.EndedAt).Abs() < time.Second
		if end := s.Job.EndedAt; dated && !end.After(at) &&
			(!sameSecond || s.ElasticJob.Status.Verdict != v1alpha1.VerdictMissed) {
			st.Verdict, st.Message = v1alpha1.VerdictMet,
				fmt.Sprintf("It finished %s before its deadline.", wording.Away(at.Sub(end)))
		} else if dated {
			st.Verdict, st.Message = v1alpha1.VerdictMissed,
				fmt.Sprintf("It finished %s after its deadline.", wording.Away(end.Sub(at)))
		}
		return
	case s.Job.State == resize.JobFailed && s.Object != nil:
		st.Verdict, st.Message = v1alpha1.VerdictBestEffort, wording.Sentences("The job has failed.", s.Job.Message)
		if dated {
			st.Verdict = v1alpha1.VerdictMissed
		}
		return
	case dated && !now.Before(at):
		st.Verdict = v1alpha1.VerdictMissed
		st.Message = wording.Sentences("Its deadline has passed, and it is not finished.", r.afterwards(s, refused))
		return
	case refused.LeavesAlone():
		st.Verdict, st.Message = v1alpha1.VerdictLeftAlone, wording.Sentences(refused.Sentence(), standsStill(s))
		return
	case refused != nil:
		st.Verdict, st.Message = v1alpha1.VerdictEstimating, refused.Sentence()
		if !dated {
			st.Verdict = v1alpha1.VerdictBestEffort
		}
		return
	case s.SuspendedByUser():
		st.Verdict, st.Message = v1alpha1.VerdictAtRisk, resumeIt
		if !dated {
			st.Verdict = v1alpha1.VerdictBestEffort
		}
		return
	}
	if blocked := s.Blocked(); blocked != nil {
		st.Verdict, st.Message = v1alpha1.VerdictAtRisk, blocked.Sentence
		if !dated {
			st.Verdict = v1alpha1.VerdictBestEffort
		}
		return
	}
	d := s.Known.DecidedFor(at)
	if d == nil {
		asBefore(st, s)
		if hinders := s.Known.HinderedBy().Message; hinders != "" && !s.Known.OnlyPlannedBefore() {
			st.Message, st.Prediction, st.Summary.Slack = hinders, v1alpha1.PredictionStatus{}, ""
		}
		return
	}
	st.Verdict, st.Message = v1alpha1.Verdict(d.Verdict), d.Message
	if st.Verdict == v1alpha1.VerdictInfeasible {
		st.Message = wording.Sentences(d.Message, r.moreWorkers(s, now, at))
	}
	view := s.Known.Run.View(now, r.Settings.Progress.StaleAfter.Duration)
	if s.Active() != nil && view.Health == learn.Unread {
		view.Sentence = "" // its workers are about to start, or to start anew
	}
	switch hinders := s.Known.HinderedBy().Message; {
	case len(s.Running()) == 0:
		st.Message = wording.Sentences(st.Message, inWait(s, d, now), hinders)
	case st.Verdict == v1alpha1.VerdictOnTrack && view.Health.Doubtful() && d.Believed == "" && s.Active() == nil:
		// The estimate goes by readings that may not be true any more. The promise stands all the same.
		st.Verdict = v1alpha1.VerdictAtRisk
		st.Message = wording.Sentences(view.Sentence, "So nobody can tell whether it is still in time.", hinders,
			s.Known.Idleness())
	default:
		st.Message = wording.Sentences(st.Message, view.Sentence, hinders, s.Known.Idleness())
	}
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

// standsStill says of a job that is left alone that it does not run for now, where that is Takt's doing.
func standsStill(s *view.Subject) string {
	switch {
	case s.Object == nil || !s.Job.StoppedByTakt() || s.SuspendedByUser():
		return ""
	case s.Job.Asked.Suspended:
		return "Takt had stopped it before: unless that is put right within a minute, it runs again."
	}
	return "Unless that is put right within a minute, it runs as it is written."
}

const resumeIt = "Somebody has suspended the job: resume it, and Takt goes on with it."

// afterwards says what becomes of a job whose deadline has passed.
func (r *Reporter) afterwards(s *view.Subject, refused *view.Refusal) string {
	switch {
	case refused != nil:
		return refused.Sentence()
	case s.SuspendedByUser():
		return resumeIt
	}
	if d := s.Known.Decided(); d != nil && d.Expected != nil {
		return fmt.Sprintf("It goes on as best-effort, and is expected to end at %s.",
			coretime.Time(*d.Expected).UTC().Format(time.RFC3339))
	}
	return "It goes on as best-effort."
}

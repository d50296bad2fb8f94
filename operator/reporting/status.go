package reporting

import (
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/elastic/coretime"
	"github.com/takt-dev/takt/elastic/resize"
	"github.com/takt-dev/takt/operator/view"
	"github.com/takt-dev/takt/operator/wording"
)

// StatusOf is the status of an ElasticJob, and when to look again at the latest, if ever.
func (r *Reporter) StatusOf(s *view.Subject, refused *view.Refusal) (v1alpha1.ElasticJobStatus, time.Duration) {
	now, old := r.Now(), &s.ElasticJob.Status
	if s.EndStands() {
		st := *old.DeepCopy()
		st.ObservedGeneration = s.ElasticJob.Generation
		return st, 0
	}
	st := v1alpha1.ElasticJobStatus{ObservedGeneration: s.ElasticJob.Generation, Memory: old.Memory}
	st.Summary.Job = s.ElasticJob.Spec.JobRef.String()
	at, dated := s.Deadline()
	if dated {
		st.Deadline, st.DeadlineQueue = v1alpha1.NewTime(at), queueOfDeadline(s)
	}
	promiseIn(&st, s, refused)
	if s.Object != nil {
		r.sizeIn(&st, s, now)
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
	var notes []string
	if refused == nil && s.Job.State == resize.JobGoesOn {
		notes = append(notes, HowResized(s), ofItsQueue(st), afterOthers(s), withoutAgent(s, r.Settings.AgentDefault()))
	}
	if refused == nil {
		notes = append(notes, endsFirst(s, st, now))
	}
	for _, says := range notes {
		if !strings.Contains(st.Message, says) { // as in one that was written before
			st.Message = wording.Sentences(st.Message, says)
		}
	}
	st.Message = wording.Clip(st.Message)
}

func (r *Reporter) sizeIn(st *v1alpha1.ElasticJobStatus, s *view.Subject, now time.Time) {
	least, most := s.Sizes()
	if least > most { // what is asked for cannot be: it is refused, and the job keeps to its own range
		least, most = s.Job.Least, s.Job.Most
	}
	running := int32(len(s.Running())) - crashing(s, now)
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
	told := s.Known.Run.View(now, r.Settings.Progress.StaleAfter.Duration)
	if told.Known {
		st.Progress.PartsPerMillion = int32(math.Round(max(0, min(told.Done, 1)) * 1e6))
		st.Progress.Source = string(told.Source)
		st.Progress.ObservedAt = v1alpha1.NewTime(told.ObservedAt)
		if st.Progress.LastCheckpointAt = s.ElasticJob.Status.Progress.LastCheckpointAt; !told.SavedAt.IsZero() {
			st.Progress.LastCheckpointAt = v1alpha1.NewTime(told.SavedAt)
		}
	} else {
		st.Progress = s.ElasticJob.Status.Progress // of a process before this one
		if told.Refuted {
			st.Progress.PartsPerMillion = 0
		}
	}
	if s.Job.State == resize.JobFinished && !s.CutShort() {
		st.Progress.PartsPerMillion = 1e6
	}
	if told.Known || st.Progress.PartsPerMillion > 0 {
		st.Summary.Progress = fmt.Sprintf("%d%%", st.Progress.PartsPerMillion/1e4)
	}
}

func (r *Reporter) predictionIn(st *v1alpha1.ElasticJobStatus, s *view.Subject, now time.Time) {
	at, dated := s.Deadline()
	d := s.Known.DecidedFor(at)
	switch {
	case s.CutShort():
		return // when it was to end is over
	case d == nil && s.Known.Decided() != nil && s.Job.State == resize.JobGoesOn: // until it is planned anew
		asBefore(st, s)
		return
	}
	if d != nil && s.Job.State == resize.JobGoesOn && d.Starts != nil {
		st.Prediction.StartsAt = v1alpha1.NewTime(coretime.Time(*d.Starts))
	}
	if d == nil || s.Job.State != resize.JobGoesOn || d.ExpectedEnd == nil {
		if s.Job.State == resize.JobFinished && !s.Job.EndedAt.IsZero() {
			if dated {
				st.Summary.Slack = wording.Span(at.Sub(s.Job.EndedAt))
			}
			st.Prediction.ETA = v1alpha1.NewTime(s.Job.EndedAt)
		}
		return
	}
	// All of these are of the plan, as the message is: figures of the present size would contradict it.
	st.Prediction.ETA = v1alpha1.NewTime(coretime.Time(*d.ExpectedEnd))
	if d.Earliest != nil {
		st.Prediction.Earliest = v1alpha1.NewTime(coretime.Time(*d.Earliest))
	}
	if d.Latest != nil {
		st.Prediction.Latest = v1alpha1.NewTime(coretime.Time(*d.Latest))
	}
	if !dated {
		return
	}
	st.Summary.Slack = wording.Span(at.Sub(coretime.Time(*d.ExpectedEnd)))
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

package reporting

import (
	"fmt"
	"time"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/elastic/coretime"
	"github.com/takt-dev/takt/operator/learn"
	"github.com/takt-dev/takt/operator/view"
	"github.com/takt-dev/takt/operator/wording"
)

// passed says that the deadline of a job has passed. One that had before the job was created is a slip of the pen, such
// as last year's date.
func passed(s *view.Subject, at time.Time) string {
	if s.Object != nil && at.Before(s.Job.CreatedAt) {
		return fmt.Sprintf("Its deadline, %s, was over before the job was created: write one that is to come.",
			at.UTC().Format(time.RFC3339))
	}
	return "Its deadline has passed, and it is not finished."
}

// saidMissed says that the process before this one has planned for a job and told that it has missed this deadline, and
// that this one has yet to plan.
func saidMissed(st *v1alpha1.ElasticJobStatus, s *view.Subject) bool {
	old := &s.ElasticJob.Status
	return old.Verdict == v1alpha1.VerdictMissed && old.Deadline == st.Deadline && s.Known.OnlyPlannedBefore() &&
		!s.SuspendedByUser()
}

// afterwards says what becomes of a job whose deadline has passed, and what is the matter with it: as before that, but
// for its plan, which has no deadline any more.
func (r *Reporter) afterwards(st *v1alpha1.ElasticJobStatus, s *view.Subject, refused *view.Refusal,
	now time.Time) string {
	switch {
	case refused.LeavesAlone():
		return wording.Sentences(refused.Sentence(), standsStill(s))
	case refused != nil:
		return refused.Sentence()
	case s.SuspendedByUser():
		return resumeIt
	case s.Blocked() != nil:
		return s.Blocked().Sentence
	case s.Known.SetAside():
		return s.Known.HinderedBy().Message
	}
	d, told, hurdles := s.Known.Decided(), r.toldBy(s, now), hurdlesOf(s, now)
	if d == nil {
		return goesOn(s, nil, told, now)
	}
	if told.Overruns {
		overrun(st, d.Verdict, "")
	}
	return wording.Sentences(cannotRun(hurdles), beside(goesOn(s, d, told, now), s, d, told, hurdles, now))
}

// goesOn says how a job goes on that has no deadline to meet any more, and until when if anybody can tell: as long as
// it stands still, or does what it has not told of, nobody can.
func goesOn(s *view.Subject, d *elastic.Outcome, told learn.View, now time.Time) string {
	doubtful := told.Health.Doubtful() && s.Active() == nil && (d == nil || d.Believed == "")
	says := "It goes on as best-effort."
	if len(s.Running()) == 0 || doubtful {
		says = "It is best-effort from now on."
	}
	if d == nil || d.ExpectedEnd == nil || doubtful || told.Overruns {
		return says
	}
	end := coretime.Time(*d.ExpectedEnd)
	if !end.After(now) {
		return says
	}
	return says + fmt.Sprintf(" It is expected to end at %s.", end.UTC().Format(time.RFC3339))
}

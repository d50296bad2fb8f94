package reporting

import (
	"time"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/elastic/forecast"
	"github.com/takt-dev/takt/operator/view"
)

// steady keeps what was said of a job that is just about in time, for as long as the core says, and says how long that
// is.
func (r *Reporter) steady(st *v1alpha1.ElasticJobStatus, s *view.Subject, now, due time.Time) time.Duration {
	old := &s.ElasticJob.Status
	if old.Deadline != st.Deadline || old.SuspendedByUser() { // and it goes on
		return 0
	}
	change := forecast.Change{
		Told: elastic.Verdict(old.Verdict), Now: elastic.Verdict(st.Verdict), Left: due.Sub(now),
	}
	if latest, err := st.Prediction.Latest.Time(); err == nil {
		change.Spare = new(due.Sub(latest))
	}
	holds := change.Keeps()
	if holds == 0 { // as of one whose job nobody knows
		return 0
	}
	wait := s.Known.WorseSince().Add(holds).Sub(now)
	if wait <= 0 {
		return 0
	}
	st.Verdict, st.Message = old.Verdict, withoutNote(old.Message)
	st.Prediction, st.Summary.Slack = old.Prediction, old.Summary.Slack
	return wait
}

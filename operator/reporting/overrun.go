package reporting

import (
	"time"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/operator/learn"
	"github.com/takt-dev/takt/operator/view"
)

// overrun takes back when a job will end that has told all of its work and still runs. It is sure to be in time for as
// long as it may run that much longer.
func (r *Reporter) overrun(st *v1alpha1.ElasticJobStatus, s *view.Subject, told learn.View, now time.Time) {
	st.Prediction, st.Summary.Slack = v1alpha1.PredictionStatus{StartsAt: st.Prediction.StartsAt}, ""
	due, dated := s.Deadline()
	switch {
	case !dated || st.Verdict != v1alpha1.VerdictOnTrack:
	case due.Sub(now) < elastic.OverrunsBy*now.Sub(told.MovedAt):
		st.Verdict, st.Message = v1alpha1.VerdictAtRisk, "Nobody can tell whether it is still in time."
	default:
		st.Message = ""
	}
}

package reporting

import (
	"time"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/operator/learn"
	"github.com/takt-dev/takt/operator/view"
)

// overrunsBy is how many times as long as it runs already a job may well go on that has told all of its work: of those
// of which nobody knows more than that they have not ended, one in ten does.
const overrunsBy = 9

// overrun takes back when a job will end that has told all of its work and still runs. It is sure to be in time for as
// long as it may run that much longer.
func (r *Reporter) overrun(st *v1alpha1.ElasticJobStatus, s *view.Subject, told learn.View, now time.Time) {
	st.Prediction, st.Summary.Slack = v1alpha1.PredictionStatus{StartsAt: st.Prediction.StartsAt}, ""
	due, dated := s.Deadline()
	switch {
	case !dated || st.Verdict != v1alpha1.VerdictOnTrack:
	case due.Sub(now) < overrunsBy*now.Sub(told.MovedAt):
		st.Verdict, st.Message = v1alpha1.VerdictAtRisk, "Nobody can tell whether it is still in time."
	default:
		st.Message = ""
	}
}

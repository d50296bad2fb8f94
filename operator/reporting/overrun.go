package reporting

import (
	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/elastic/forecast"
)

// overrun takes back when a job will end that has told all of its work and still runs. It is sure to be in time for as
// long as it may run that much longer.
func overrun(st *v1alpha1.ElasticJobStatus, planned elastic.Verdict, doubt forecast.Doubt) {
	st.Prediction, st.Summary.Slack = v1alpha1.PredictionStatus{StartsAt: st.Prediction.StartsAt}, ""
	switch {
	case doubt == forecast.Overrun:
		st.Message = "Nobody can tell whether it is still in time."
	case planned == elastic.OnTrack:
		st.Message = ""
	}
}

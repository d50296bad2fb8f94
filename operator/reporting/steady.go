package reporting

import (
	"slices"
	"time"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/operator/memory"
	"github.com/takt-dev/takt/operator/view"
)

const (
	// A verdict that has become worse stays for worseHoldsPart of the time until the deadline, but for leastHolds at least
	// and for mostHolds at most: what is said beside it is as old as it is.
	worseHoldsPart = memory.EtaMoves
	leastHolds     = 10 * time.Second
	mostHolds      = time.Minute
)

// forecasts are the verdicts on a job that may still be in time, the worst first.
var forecasts = []v1alpha1.Verdict{v1alpha1.VerdictInfeasible, v1alpha1.VerdictAtRisk, v1alpha1.VerdictOnTrack}

// worse says that one forecast is worse than another.
func worse(one, than v1alpha1.Verdict) bool {
	i, k := slices.Index(forecasts, one), slices.Index(forecasts, than)
	return i >= 0 && i < k
}

// steady keeps what was said of a job that is just about in time: what has become worse is said at once, and that it is
// better again only where it is clearly so, or after a while. It says how long that takes. Figures that pass each other
// with every reading would else make an event each time.
func (r *Reporter) steady(st *v1alpha1.ElasticJobStatus, s *view.Subject, now, due time.Time) time.Duration {
	old := &s.ElasticJob.Status
	if !worse(old.Verdict, st.Verdict) || old.Deadline != st.Deadline {
		return 0
	}
	if old.SuspendedByUser() {
		return 0 // and it goes on
	}
	holds := min(max(leastHolds, time.Duration(worseHoldsPart*float64(due.Sub(now)))), mostHolds)
	if latest, err := st.Prediction.Latest.Time(); err == nil && st.Verdict == v1alpha1.VerdictOnTrack &&
		due.Sub(latest) > holds {
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

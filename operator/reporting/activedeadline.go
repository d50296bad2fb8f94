package reporting

import (
	"fmt"
	"time"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic/resize"
	"github.com/takt-dev/takt/operator/view"
	"github.com/takt-dev/takt/operator/wording"
)

// endsFirst says of a job that its controller may end it before it is done, and before its deadline: of that no plan
// knows.
func endsFirst(s *view.Subject, st *v1alpha1.ElasticJobStatus, now time.Time) string {
	due, dated := s.Deadline()
	if s.Job.Lasts <= 0 || !dated || s.Job.State != resize.JobGoesOn {
		return ""
	}
	begun := s.Job.StartedAt
	if begun.IsZero() {
		begun = now
	}
	ends := begun.Add(s.Job.Lasts)
	if latest, err := st.Prediction.Latest.Time(); !ends.Before(due) || err == nil && latest.Before(ends) {
		return ""
	}
	return fmt.Sprintf("The job is ended %s after it has begun or gone on, whether it is done or not, and so before "+
		"its deadline: raise %s, or remove it.", wording.Span(s.Job.Lasts), s.Kind.Words().Lifetime)
}

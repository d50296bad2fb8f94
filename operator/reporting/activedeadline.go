package reporting

import (
	"fmt"
	"time"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic/resize"
	"github.com/takt-dev/takt/operator/view"
	"github.com/takt-dev/takt/operator/wording"
)

// endsFirst says of a job that its controller may end it before it is done: of that no plan knows.
func endsFirst(s *view.Subject, st *v1alpha1.ElasticJobStatus, now time.Time) string {
	if s.Job.Lasts <= 0 || s.Job.State != resize.JobGoesOn {
		return ""
	}
	begun := s.Job.StartedAt
	if begun.IsZero() {
		begun = now
	}
	ends := begun.Add(s.Job.Lasts)
	latest, err := st.Prediction.Latest.Time()
	known, so := err == nil, ""
	if due, dated := s.Deadline(); dated && ends.Before(due) {
		known, so = true, ", and so before its deadline"
	}
	if !known || err == nil && latest.Before(ends) {
		return ""
	}
	return fmt.Sprintf("The job is ended %s after it has begun or gone on, whether it is done or not%s: raise %s, or "+
		"remove it.", wording.Span(s.Job.Lasts), so, s.Kind.Words().Lifetime)
}

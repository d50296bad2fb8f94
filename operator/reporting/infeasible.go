package reporting

import (
	"fmt"
	"time"

	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/elastic/resize"
	"github.com/takt-dev/takt/operator/learn"
	"github.com/takt-dev/takt/operator/view"
	"github.com/takt-dev/takt/predictor"
)

// moreWorkers says how many workers would meet a deadline that no size which the job may have can
// meet; empty if nobody can tell.
func (r *Reporter) moreWorkers(s *view.Subject, now, deadline time.Time) string {
	if s.Job.AtItsEnd != "" {
		return "" // it is to have no more
	}
	_, most := s.Sizes()
	return wouldDo(s.Known.Run, s.Further(), most, now, deadline)
}

// wouldDo looks at shapes beyond the greatest of a job.
func wouldDo(run *learn.Run, beyond []predictor.Shape, most resize.Workers, now, deadline time.Time) string {
	enough := run.Prediction(beyond, now, deadline).Sufficient
	switch {
	case enough == 0:
		return ""
	case enough > int(most):
		return fmt.Sprintf("With %s it would be in time: it may have %d at most.",
			elastic.Count(elastic.Workers(enough)), most)
	default:
		return fmt.Sprintf("With %s it would be in time: it may have as many, but the nodes have no room for them.",
			elastic.Count(elastic.Workers(enough)))
	}
}

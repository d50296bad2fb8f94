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
	_, most := s.Sizes()
	sizes, perNode := s.Known.Sizes()
	if len(sizes) == 0 {
		return ""
	}
	const times = 4 // the greatest size; the predictor trusts itself less far than that
	greatest := resize.Workers(sizes[len(sizes)-1].Workers)
	return wouldDo(s.Known.Run, sizes[len(sizes)-1], s.Beyond(greatest, times*greatest), perNode, most, now, deadline)
}

// wouldDo looks at sizes beyond the greatest of a job, as far as a prediction is worth anything.
func wouldDo(run *learn.Run, greatest predictor.Shape, sizes []resize.Workers, perNode int, most resize.Workers, now,
	deadline time.Time) string {
	var beyond []predictor.Shape
	for _, workers := range sizes {
		shape := view.Packed(int(workers), perNode, greatest.GPU)
		shape.Nodes = max(shape.Nodes, greatest.Nodes)
		beyond = append(beyond, shape)
	}
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

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
	return wouldDo(s.Known.Run, sizes, perNode, most, now, deadline)
}

// wouldDo looks beyond the sizes of a job, as far as a prediction is worth anything.
func wouldDo(run *learn.Run, sizes []predictor.Shape, perNode int, most resize.Workers, now, deadline time.Time) string {
	const times = 4 // the greatest size; the predictor trusts itself less far than that
	if len(sizes) == 0 {
		return ""
	}
	greatest := sizes[len(sizes)-1]
	var beyond []predictor.Shape
	for _, workers := range view.Candidates(resize.Workers(greatest.Workers)+1, times*resize.Workers(greatest.Workers), 0) {
		shape := view.Packed(int(workers), perNode, greatest.GPU)
		shape.Nodes = max(shape.Nodes, greatest.Nodes)
		beyond = append(beyond, shape)
	}
	enough := run.Prediction(beyond, now, deadline).Sufficient
	switch {
	case enough == 0:
		return ""
	case enough > int(most):
		return fmt.Sprintf("With %s it would be in time: it may have %d at most.", elastic.Count(elastic.Workers(enough)), most)
	default:
		return fmt.Sprintf("With %s it would be in time: it may have as many, but the nodes have no room for them.", elastic.Count(elastic.Workers(enough)))
	}
}

package planning

import (
	"slices"

	"github.com/takt-dev/takt/elastic/resize"
	"github.com/takt-dev/takt/operator/capacity"
	"github.com/takt-dev/takt/operator/view"
)

// growth is how a job gets more workers. Those of one that is frozen while it runs may come to any nodes that its
// template lets them: where that are those of other pools as well, it grows by a restart, which keeps all to one.
func (sc *Scene) growth(s *view.Subject, pool string) resize.Mode {
	if s.Job.Frozen && s.Size() > 0 && slices.ContainsFunc(sc.Supply.Fits(placed(s, s.Job.Worker)),
		func(f capacity.Fit) bool { return f.Pool != pool }) {
		return resize.Cold
	}
	return s.Mode()
}

package planning

import (
	"fmt"
	"time"

	"k8s.io/apimachinery/pkg/labels"

	"github.com/takt-dev/takt/operator/capacity"
	"github.com/takt-dev/takt/operator/view"
)

// fitsOf are the pools that workers of a job may come to. Those of one that is to run, none of which has a node, can
// only come to the nodes that its last start has bound it to. Where none of these is left, the job is stranded since
// some moment, zero if it is not, and the pools are those that it could start in.
func (sc *Scene) fitsOf(s *view.Subject, hasHome bool) (fits []capacity.Fit, stranded time.Time) {
	fits = sc.Supply.Fits(placedAs(s))
	if hasHome || s.Size() == 0 || s.Active() != nil || s.Holding() > 0 {
		return fits, s.Known.Strand(false, sc.At)
	}
	if bound := sc.Supply.Fits(placed(s, s.Job.Worker)); len(bound) > 0 {
		return bound, s.Known.Strand(false, sc.At)
	}
	return fits, s.Known.Strand(len(fits) > 0, sc.At)
}

// mayStop says that Takt may stop a job.
func mayStop(s *view.Subject) bool { return s.Interruptible() && !s.Ends() && !s.Held() }

// whyStranded says what is in the way of a job that is stranded, and that Takt may not stop.
func whyStranded(s *view.Subject) string {
	nodes := labels.Set{}
	for key, value := range s.Job.Pinned() {
		nodes[key] = string(value)
	}
	gone := fmt.Sprintf("Takt has started it on nodes with the labels %s, and none of these is left.", nodes)
	switch {
	case s.Held():
		return gone + " Somebody has set its size, so Takt does not stop it to start it on others. " + letsGo(s)
	case s.Ends():
		return gone + " Its training is at its end, so Takt does not stop it to start it on others: add such a node."
	}
	return gone + " It is not to be interrupted, so Takt does not stop it to start it on others: add such a node."
}

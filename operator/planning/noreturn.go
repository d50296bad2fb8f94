package planning

import (
	"fmt"

	"github.com/takt-dev/takt/operator/view"
)

// keepWhoCannotReturn has the size stay of jobs that train, and that could come to no node by their templates: what
// their pods have beside these, such as a toleration that a policy adds as they are created, is not known of those that
// are yet to be made. Once stopped they would never be started again. It says whether there are any.
func (sc *Scene) keepWhoCannotReturn() bool {
	planned := sc.Subjects[:0]
	for _, s := range sc.Subjects {
		if node := nodeOfNoReturn(s, sc); node != "" {
			sc.noReturn[s] = node
			sc.Held = append(sc.Held, s)
		} else {
			planned = append(planned, s)
		}
	}
	sc.Subjects = planned
	return len(sc.noReturn) > 0
}

// nodeOfNoReturn is a node of such a job; empty if it is none.
func nodeOfNoReturn(s *view.Subject, sc *Scene) string {
	if s.Size() == 0 || s.Active() != nil || !mayStop(s) || len(sc.Supply.Fits(placedAs(s))) > 0 {
		return ""
	}
	for _, w := range s.Pods {
		if _, ours := sc.Supply.PoolOf(w.Pod.Spec.NodeName); ours && holds(w.Pod) {
			return w.Pod.Spec.NodeName
		}
	}
	return ""
}

// saysNoReturn says that the size of such a job stays.
func saysNoReturn(s *view.Subject, node string) string {
	return fmt.Sprintf("Its workers are on nodes such as %s, and by its template they could come to none that Takt may "+
		"use, as where a policy adds tolerations to pods. Once stopped it would not start again, so its size stays at %d. "+
		"Takt resizes a job whose template says what its pods need for these nodes.", node, s.Job.Size)
}

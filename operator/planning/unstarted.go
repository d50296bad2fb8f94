package planning

import (
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/elastic/coretime"
	"github.com/takt-dev/takt/elastic/resize"
	"github.com/takt-dev/takt/elastic/starting"
	"github.com/takt-dev/takt/operator/view"
)

// unstarted asks the core whether a job, each of whose workers has a node, has not begun to train; nil if it may have.
// What the kubelet says of them wakes nobody.
func unstarted(s *view.Subject, now time.Time) *elastic.Unstarted {
	if s.Active() != nil || s.Size() == 0 || len(s.Pods) == 0 || s.Ends() {
		return nil
	}
	pends := false
	for _, w := range s.Pods {
		if w.Pod.Spec.NodeName == "" || view.HasEnded(w.Pod) {
			return nil
		}
		pends = pends || w.Pod.Status.Phase == corev1.PodPending
	}
	if !pends { // as of most jobs: what keeps their workers from running takes longer to find out
		return nil
	}
	hurdles := map[types.UID]*starting.Hurdle{}
	for _, h := range s.Hurdles(now) {
		hurdles[h.Pod.UID] = &starting.Hurdle{Lasts: h.Lasts, Partly: h.Partly}
	}
	team := starting.Team{Together: s.Mode() == resize.Cold, Idle: s.Known.Idleness() != ""}
	for _, w := range s.Pods {
		team.Workers = append(team.Workers, starting.Worker{
			Made:    w.Pod.CreationTimestamp.Time,
			Pending: w.Pod.Status.Phase == corev1.PodPending, Hurdle: hurdles[w.Pod.UID],
		})
	}
	if team.Together && team.Idle { // else it does not matter, and takes long to find out
		team.Moved = s.Known.Run.View(now, 0).MovedAt
	}
	notBegun, forGood := team.NotBegun()
	if !notBegun {
		return nil
	}
	_, last := team.Made()
	return &elastic.Unstarted{Since: coretime.Seconds(last), ForGood: forGood}
}

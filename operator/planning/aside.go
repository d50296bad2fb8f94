package planning

import (
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/elastic/coretime"
	"github.com/takt-dev/takt/operator/capacity"
	"github.com/takt-dev/takt/operator/memory"
	"github.com/takt-dev/takt/operator/view"
	"github.com/takt-dev/takt/operator/wording"
)

// setsAside asks the core whether a job takes no part in the plan, and notes why. What was seen of it before is
// replaced.
func (p *Planner) setsAside(s *view.Subject, sc *Scene, idle elastic.Idle) bool {
	if idle.Blocked == "" && strings.HasPrefix(s.Known.HinderedBy().Reason, memory.ReasonPredecessor) { // not any more
		p.withhold(s, memory.Hindrance{}, sc.At)
	}
	all := &sc.Snapshot.Idle
	if last := len(*all) - 1; last >= 0 && (*all)[last].Name == idle.Name {
		*all = (*all)[:last]
	}
	if idle == (elastic.Idle{Name: idle.Name}) {
		return false
	}
	*all = append(*all, idle)
	a, aside := sc.Snapshot.Settings.SetsAside(idle, sc.Snapshot.Now)
	if !aside {
		return false
	}
	if a.Reason == elastic.WorkersNotPlaced {
		s.Known.HasLeftRoom()
	}
	p.withhold(s, memory.Hindrance{Reason: string(a.Reason), Message: p.whyAside(s, sc, a)}, sc.At)
	return true
}

// idle is what is seen of a job that may keep it from using GPUs.
func (p *Planner) idle(s *view.Subject, sc *Scene, fits []capacity.Fit, hasHome bool) elastic.Idle {
	idle := elastic.Idle{Name: nameOf(s)}
	if blocked := s.Blocked(); blocked != nil {
		idle.Blocked = elastic.AsideReason(blocked.Reason)
		return idle
	}
	p.seeRoom(s, sc, fits, &idle)
	if _, at := s.Known.CouldNotRunFor(); !at.IsZero() && s.Size() == 0 && s.Active() == nil {
		idle.CouldNotRunAt = new(coretime.Seconds(at))
	}
	idle.NoNode = !hasHome && len(fits) == 0
	return idle
}

// seeRoom notes since when there has been room for a job none of whose workers has a node.
func (p *Planner) seeRoom(s *view.Subject, sc *Scene, fits []capacity.Fit, idle *elastic.Idle) {
	if !p.unplaced(s) {
		s.Known.UsesRoom()
		return
	}
	told := meta.FindStatusCondition(s.ElasticJob.Status.Conditions, v1alpha1.ConditionResizing)
	if told != nil && told.Reason == memory.ReasonUnplaced { // by a process that is gone, maybe
		s.Known.HasLeftRoom()
	}
	room := elastic.Workers(0)
	for _, fit := range fits {
		room += fit.Room
	}
	since, left := s.Known.LeavesRoom(room >= elastic.Workers(s.Size()), sc.At)
	if idle.LeftRoom = left; !since.IsZero() {
		idle.RoomSince = new(coretime.Seconds(since))
	}
}

// whyAside says why a job takes no part in the plan, and what to do.
func (p *Planner) whyAside(s *view.Subject, sc *Scene, a elastic.Aside) string {
	switch a.Reason {
	case elastic.WorkersNotPlaced:
		return p.whyUnplaced(s)
	case elastic.WorkersCannotRun:
		why, stopped := s.Known.CouldNotRunFor()
		return fmt.Sprintf("It was stopped at %s, as workers of it could not run (%s), and others needed its GPUs. It may "+
			"start again from %s on.",
			stopped.UTC().Format("15:04 MST"), why, coretime.Time(*a.Until).UTC().Format("15:04 MST"))
	case elastic.NoNodeFits:
		return fmt.Sprintf("No node that Takt may use can run its workers: each takes %s, "+
			"on a node that matches its nodeSelector, affinity and tolerations and has all else that it asks for.",
			elastic.CountGPUs(capacity.GPUs(&s.Job.Worker.Spec, p.GPUs)))
	case elastic.QuotaReached:
		return fmt.Sprintf("It cannot start: %s.", sc.caps[s].why)
	default:
		return s.Blocked().Sentence
	}
}

// unplaced says that a job was started, and not by Takt, none of whose workers has a node. Room is made for one that
// its scheduler says lacks GPUs, so that is not meant.
func (p *Planner) unplaced(s *view.Subject) bool {
	for _, w := range s.Pods {
		if _, lacks := p.GPUs.LacksSince(w.Pod); lacks || w.Pod.Spec.NodeName != "" {
			return false
		}
	}
	return s.Active() == nil && s.Size() > 0
}

// whyUnplaced says what is known of why none of the workers of a job has come to a node.
func (p *Planner) whyUnplaced(s *view.Subject) string {
	within := wording.Span(p.Limits.PlaceWithin)
	says := fmt.Sprintf("There was room for its workers for %s, and none of them has come to a node.", within)
	if len(s.Pods) == 0 {
		says = fmt.Sprintf("There was room for its workers for %s, and nobody has created their pods: look at the events "+
			"of the job, and whether there is a ResourceQuota.", within)
	}
	for _, w := range s.Pods {
		if said := unschedulable(w.Pod); said != "" {
			says += fmt.Sprintf(" Their scheduler says: %q.", said)
			break
		}
	}
	return says + " Others have its GPUs until it can use them."
}

// unschedulable is why a pod has no node, as its scheduler says.
func unschedulable(pod *corev1.Pod) string {
	for _, c := range pod.Status.Conditions {
		if c.Type == corev1.PodScheduled && c.Status == corev1.ConditionFalse {
			return wording.ClipTo(strings.TrimSuffix(strings.Join(strings.Fields(c.Message), " "), "."), longestSaid)
		}
	}
	return ""
}

// longestSaid is how much is passed on of what a scheduler says, in bytes.
const longestSaid = 200

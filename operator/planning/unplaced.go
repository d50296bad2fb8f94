package planning

import (
	"context"
	"fmt"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/elastic/coretime"
	"github.com/takt-dev/takt/operator/capacity"
	"github.com/takt-dev/takt/operator/memory"
	"github.com/takt-dev/takt/operator/view"
	"github.com/takt-dev/takt/operator/wording"
)

// unplaced says that a job is to run, and is not resized, none of whose workers has a node: they come for the first
// time, or once more, as after their node was drained. Room is made for one that its scheduler says lacks GPUs, so that
// is not meant.
func (p *Planner) unplaced(s *view.Subject) bool {
	for _, w := range s.Pods {
		if _, lacks := p.GPUs.LacksSince(w.Pod); lacks || w.Pod.Spec.NodeName != "" {
			return false
		}
	}
	return s.Active() == nil && s.Size() > 0
}

// seeRoom notes since when there has been room for a job none of whose workers has a node. One that is stranded makes
// nothing of any room; it is stopped for that if it may be.
func (p *Planner) seeRoom(ctx context.Context, s *view.Subject, sc *Scene, fits []capacity.Fit, stranded time.Time,
	idle *elastic.Idle) {
	isStranded := !stranded.IsZero()
	if isStranded && mayStop(s) || !isStranded && !p.unplaced(s) {
		s.Known.UsesRoom()
		return
	}
	told := meta.FindStatusCondition(s.ElasticJob.Status.Conditions, v1alpha1.ConditionResizing)
	if told != nil && told.Reason == memory.ReasonUnplaced { // by a process that is gone, maybe
		s.Known.HasLeftRoom()
	}
	room := s.Leaders(p.GPUs)
	for _, fit := range fits {
		room += fit.Room
	}
	since, left := s.Known.LeavesRoom(isStranded || room >= elastic.Workers(s.Size()), sc.At)
	if idle.LeftRoom = left; since.IsZero() && !left {
		return
	}
	said := p.saidSince(ctx, s, sc, since)
	if since.IsZero() {
		return
	}
	if isStranded {
		said = latest(stranded, since)
	}
	idle.RoomSince = new(coretime.Seconds(since))
	if !said.IsZero() {
		idle.SaidSince = new(coretime.Seconds(said))
	} else if !left { // nothing tells the planner when somebody says it
		sc.later.meet(latest(since.Add(p.Limits.PlaceWithin), sc.At.Add(p.Settings.Planning.Every.Duration)))
	}
}

// saidSince is since when somebody says why no worker of a job comes to a node, of the time for which there has been
// room: the scheduler of one of them, or the controller of the job, if some are missing. It is zero if nobody does.
func (p *Planner) saidSince(ctx context.Context, s *view.Subject, sc *Scene, since time.Time) time.Time {
	said, found := time.Time{}, false
	for _, w := range s.Pods {
		if c := view.Unplaced(w.Pod); c != nil && (!found || c.LastTransitionTime.Time.Before(said)) {
			said, found = c.LastTransitionTime.Time, true
		}
	}
	if !found && len(s.Pods) < int(s.Size()) {
		unmade := p.unmade(ctx, s, sc, since)
		said, found = unmade.Since, unmade != memory.Unmade{}
	}
	if !found {
		return time.Time{}
	}
	return latest(said, since)
}

// unmade is what the controller of a job says of workers that are missing, though there has been room for them for as
// long as they may take to find nodes. It is asked now and then. Where events cannot be read nobody says anything.
func (p *Planner) unmade(ctx context.Context, s *view.Subject, sc *Scene, since time.Time) memory.Unmade {
	said, asked := s.Known.Unmade()
	if sc.At.Sub(since) < p.Limits.PlaceWithin || sc.At.Sub(asked) < p.Settings.Planning.Every.Duration {
		return said
	}
	said, err := s.Unmade(ctx, p.Live, since)
	if err != nil {
		p.log.Info("Nobody can tell why no pod is made", "job", s.ElasticJob.Spec.JobRef.String(), "error", err.Error())
	}
	said.Why = view.PassedOn(said.Why)
	s.Known.HearsUnmade(said, sc.At)
	return said
}

// latest is the later of two moments.
func latest(a, b time.Time) time.Time {
	if a.Before(b) {
		return b
	}
	return a
}

// whyUnplaced says what is known of why none of the workers of a job has come to a node.
func (p *Planner) whyUnplaced(s *view.Subject) string {
	told, silent := wording.Span(p.Limits.PlaceWithin), wording.Span(p.Limits.PlaceWithin+p.Limits.ReadyWithin)
	unmade, _ := s.Known.Unmade()
	var says string
	switch said := whyUnschedulable(s); {
	case s.Known.Stranded():
		says = whyStranded(s)
	case said != "":
		says = fmt.Sprintf("There was room for its workers for %s, and none of them has come to a node. "+
			"Their scheduler says: %q.", told, said)
	case unmade.Why != "" && len(s.Pods) < int(s.Size()):
		says = fmt.Sprintf("There was room for its workers for %s, and their pods cannot be created. %s says: %q.", told,
			s.Kind.Words().Controller, unmade.Why)
	case len(s.Pods) == 0:
		says = fmt.Sprintf("There was room for its workers for %s, and nobody has created their pods, nor said why: look at "+
			"the events of the job, and whether %s runs.", silent, s.Kind.Words().Controller)
	default:
		says = fmt.Sprintf("There was room for its workers for %s, and none of them has come to a node, nor does anybody "+
			"say why: look whether their scheduler runs.", silent)
	}
	return says + " Others have its GPUs until it can use them."
}

// whyUnschedulable is why the first of the workers of a job has no node of which its scheduler says it.
func whyUnschedulable(s *view.Subject) string {
	for _, w := range s.Pods {
		if c := view.Unplaced(w.Pod); c != nil && c.Message != "" {
			return view.PassedOn(c.Message)
		}
	}
	return ""
}

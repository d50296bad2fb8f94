package planning

import (
	"context"
	"fmt"
	"strings"

	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/elastic/coretime"
	"github.com/takt-dev/takt/operator/capacity"
	"github.com/takt-dev/takt/operator/memory"
	"github.com/takt-dev/takt/operator/view"
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
func (p *Planner) idle(ctx context.Context, s *view.Subject, sc *Scene, fits []capacity.Fit,
	hasHome bool) elastic.Idle {
	idle := elastic.Idle{Name: nameOf(s)}
	if blocked := s.Blocked(); blocked != nil {
		idle.Blocked = elastic.AsideReason(blocked.Reason)
		return idle
	}
	p.seeRoom(ctx, s, sc, fits, &idle)
	if _, at := s.Known.CouldNotRunFor(); !at.IsZero() && s.Size() == 0 && s.Active() == nil {
		idle.CouldNotRunAt = new(coretime.Seconds(at))
	}
	if !hasHome && len(fits) == 0 {
		elsewhere, err := p.onOtherNodes(ctx, s)
		idle.NoNode = err != nil || elsewhere == ""
	}
	return idle
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

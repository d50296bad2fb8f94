package planning

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/elastic/coretime"
	"github.com/takt-dev/takt/elastic/resize"
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
	hasHome bool, stranded time.Time) elastic.Idle {
	idle := elastic.Idle{Name: nameOf(s)}
	if blocked := s.Blocked(); blocked != nil {
		idle.Blocked = elastic.AsideReason(blocked.Reason)
		return idle
	}
	p.seeRoom(ctx, s, sc, fits, stranded, &idle)
	if least, _ := s.Sizes(); p.freeFor(s, fits) < elastic.Workers(least) {
		idle.NoNodes = p.startsInVain(s) // else it needs nobody's GPUs to try again
	}
	if _, at := s.Known.CouldNotRunFor(); !at.IsZero() && s.Size() == 0 && s.Active() == nil {
		idle.CouldNotRunAt = new(coretime.Seconds(at))
	}
	idle.NoNode = !hasHome && len(fits) == 0 && sc.elsewhere[s] == ""
	return idle
}

// startsInVain is what came of the last starts of a job whose workers found no nodes then; nil if it is not so. That
// nobody answered, or that another decision came before, says nothing of nodes.
func (p *Planner) startsInVain(s *view.Subject) *elastic.InVain {
	if at, dated := s.Deadline(); s.Size() > 0 || s.Active() != nil || dated && s.IsPromised(at) {
		return nil
	}
	var vain *elastic.InVain
	for _, r := range slices.Backward(s.Past) {
		turned := meta.FindStatusCondition(r.Status.Conditions, v1alpha1.ConditionRollingBack)
		switch {
		case r.Spec.From > 0 || turned == nil:
			return vain
		case turned.Reason == string(resize.NobodyAnswered), turned.Reason == string(resize.Withdrawn):
			continue
		case turned.Reason != string(resize.NothingFits):
			return vain
		case vain == nil:
			vain = &elastic.InVain{At: coretime.Seconds(turned.LastTransitionTime.Time)}
		}
		vain.Starts++
	}
	return vain
}

// startsWhereThereIsRoom says of such a job that nobody makes room for it for now.
func (p *Planner) startsWhereThereIsRoom(s *view.Subject, sc *Scene) bool {
	vain := p.startsInVain(s)
	_, aside := sc.Snapshot.Settings.SetsAside(elastic.Idle{NoNodes: vain}, sc.Snapshot.Now)
	return vain != nil && aside
}

// freeFor is for how many of its workers a job finds room as it is.
func (p *Planner) freeFor(s *view.Subject, fits []capacity.Fit) elastic.Workers {
	free := elastic.Workers(0)
	for _, fit := range fits {
		free = max(free, fit.Room)
	}
	if free > 0 {
		free += s.Leaders(p.GPUs)
	}
	return free
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
	case elastic.StartsInVain:
		last := s.Past[len(s.Past)-1]
		return fmt.Sprintf("Others have made room for it several times, and its workers have found no nodes there: %s says "+
			"why. It starts again where there is room as it is, and from %s on others make room once more.", last.Name,
			coretime.Time(*a.Until).UTC().Format("15:04 MST"))
	case elastic.QuotaReached:
		return fmt.Sprintf("It cannot start: %s.", sc.caps[s].why)
	default:
		return s.Blocked().Sentence
	}
}

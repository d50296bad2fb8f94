package planning

import (
	"fmt"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/operator/memory"
	"github.com/takt-dev/takt/operator/view"
)

const (
	// againAfter is how many times as long as a start may take a job is not started again that could not run.
	againAfter = 3
	// mostInVain is of how many jobs in a plan it is found out whether others could do with their GPUs.
	mostInVain = 4
)

// inVain says that a job holds GPUs of which it can make nothing: each of its workers has waited for as long as a start
// of Takt's own may take, with a hurdle that does not pass by itself. None has trained that could lose anything.
func (p *Planner) inVain(s *view.Subject, sc *Scene) bool {
	if s.Active() != nil || s.Size() == 0 || len(s.Pods) == 0 || s.Ends() {
		return false
	}
	since := time.Time{}
	for _, w := range s.Pods {
		if w.Pod.Status.Phase != corev1.PodPending || w.Pod.Spec.NodeName == "" {
			return false
		}
		if made := w.Pod.CreationTimestamp.Time; made.After(since) {
			since = made
		}
	}
	if over := since.Add(p.startsWithin()); sc.At.Before(over) {
		sc.later.meet(over) // what the kubelet says until then wakes nobody
		return false
	}
	hurdles := s.Hurdles()
	return len(hurdles) == len(s.Pods) && !slices.ContainsFunc(hurdles, func(h view.Hurdle) bool {
		return !h.Lasts || h.Partly
	})
}

// startsWithin is how long a start of Takt's own may take before it is taken back.
func (p *Planner) startsWithin() time.Duration { return p.Limits.PlaceWithin + p.Limits.ReadyWithin }

// takeFromWhoCannotRun has a job stop that holds GPUs in vain, where others can do something with them, as a start of
// Takt's own is taken back. One at a time does: the next plan looks at the others.
func (p *Planner) takeFromWhoCannotRun(sc *Scene, decision elastic.Decision) elastic.Decision {
	tried := 0
	for i, s := range sc.Subjects {
		job, o := sc.Snapshot.Jobs[i], decision.Jobs[i]
		if tried == mostInVain || job.Promised || o.Promised || job.Uninterruptible || o.Workers == 0 ||
			!somebodyWaits(decision, o.Pool) || !p.inVain(s, sc) {
			continue
		}
		tried++
		without := sc.Snapshot
		without.Jobs = slices.Delete(slices.Clone(without.Jobs), i, i+1)
		then := p.Decide(without)
		if !anyMore(then.Jobs, slices.Delete(slices.Clone(decision.Jobs), i, i+1)) {
			continue
		}
		o.Workers, o.Reserved, o.Starts, o.Reason = 0, nil, nil, elastic.NoRoom
		o.Why = "It is stopped, as none of its workers can run: others need its GPUs."
		then.Jobs = slices.Insert(then.Jobs, i, o)
		stop := elastic.Resize{Job: job.Name, From: job.Workers, Reason: elastic.Stopped}
		then.Resizes = slices.Insert(then.Resizes, 0, stop)
		s.Known.CouldNotRun(s.Hurdles()[0].Why(), sc.At)
		return then
	}
	return decision
}

// somebodyWaits says that a job of a pool has no workers.
func somebodyWaits(decision elastic.Decision, pool string) bool {
	return slices.ContainsFunc(decision.Jobs, func(o elastic.Outcome) bool { return o.Workers == 0 && o.Pool == pool })
}

// anyMore says that a job is to have more workers than it would have otherwise.
func anyMore(then, otherwise []elastic.Outcome) bool {
	for i, o := range then {
		if o.Workers > otherwise[i].Workers {
			return true
		}
	}
	return false
}

// rests says of a job that was stopped, as none of its workers could run, for how long others come before it.
func (p *Planner) rests(s *view.Subject, sc *Scene) (memory.Hindrance, bool) {
	why, stopped := s.Known.CouldNotRunFor()
	until := stopped.Add(againAfter * p.startsWithin())
	if stopped.IsZero() || s.Size() > 0 || s.Active() != nil || !sc.At.Before(until) {
		return memory.Hindrance{}, false
	}
	sc.later.meet(until)
	return memory.Hindrance{Reason: memory.ReasonCannotRun, Message: fmt.Sprintf("It was stopped at %s, as none of its "+
		"workers could run (%s), and others needed its GPUs. It may start again from %s on.",
		stopped.UTC().Format("15:04 MST"), why, until.UTC().Format("15:04 MST"))}, true
}

package resize

import (
	"fmt"
	"time"

	"github.com/takt-dev/takt/elastic"
)

const (
	// asideWithin is how long those who leave may take to step aside, from when the resize was proposed: their launcher is
	// forgotten within twenty seconds of hearing it.
	asideWithin = 45 * time.Second
	// asideTakes is how long that takes as a rule.
	asideTakes = 20 * time.Second
	// agentWithin is how long the agent of the first worker may take to say whether anybody can be asked for a checkpoint.
	agentWithin = 3 * time.Second
)

// stepAside has those who leave step aside before the others save their state, while all train on: what runs their
// training is forgotten by that of the others, which need not wait for it then, nor end with it. What is trained
// meanwhile comes after the last checkpoint. So it is done only where another can be had afterwards, and not where the
// node of somebody goes, whose time is short.
func (v view) stepAside(since time.Time) (Step, bool) {
	shrinks := !v.grows() && !v.cold() && v.Record.To > 0
	leavers := v.inTraining(func(Pod) bool { return true })
	over := since.Add(asideWithin)
	if !v.Agent || !shrinks || len(leavers) == 0 || v.over(over) || v.nodeGoes() {
		return Step{}, false
	}
	request := v.toldToStepAside(since)
	if request.IsZero() && !v.savesSoon() {
		by := since.Add(agentWithin)
		switch {
		case v.saveAsked(since) || v.fresh(since): // another one would be a burden
			return Step{}, false
		case v.savesOnce(since):
		case !v.Checkpoint.Heard && !v.over(by):
			return wait(by, AgentExpected, "The agent is asked whether the training can save its state; until %s.",
				clock(by)), true
		case !v.Checkpoint.Heard || v.Checkpoint.Impossible:
			return Step{}, false
		}
	}
	if untold := v.inTraining(func(p Pod) bool { return !toldAside(p, since) }); len(untold) > 0 {
		if request.IsZero() {
			request = later(v.Now, since) // the record may be dated by a clock that is ahead
		}
		return Step{Do: StepAside, Pods: untold, AskedAt: request, Reason: ToldToStepAside, Message: fmt.Sprintf(
			"Have the others forget %s while all train on, so that they go on at once afterwards.", names(untold))}, true
	}
	var until time.Time
	late := v.inTraining(func(p Pod) bool {
		by := over
		switch {
		case !p.Aside.IsZero():
			by = earlier(by, p.Aside)
		case !p.HeedsAside:
			by = earlier(by, p.ToldAside.Add(v.Limits.AcknowledgeWithin))
		}
		until = later(until, by)
		return !v.over(by)
	})
	if len(late) == 0 {
		return Step{}, false
	}
	return wait(until, SteppingAside, "The others are to forget %s, and all train on; until %s.", names(late),
		clock(until)), true
}

// nodeGoes says that somebody is on a node that is about to go: there is no time to lose.
func (v view) nodeGoes() bool { return v.Record.Why == string(elastic.NodeLeaves) }

// inTraining lists those who are to leave and train, and for which something holds.
func (v view) inTraining(keep func(Pod) bool) []Index {
	return v.indices(func(p Pod) bool {
		return p.Index >= Index(v.Record.To) && p.State == PodTraining && !p.Draining && keep(p)
	})
}

// toldAside says that a pod was told to step aside in this resize.
func toldAside(p Pod, since time.Time) bool { return requested(p.ToldAside, since) }

// toldToStepAside is when any of those who leave was told so in this resize; zero if nobody was.
func (v view) toldToStepAside(since time.Time) (at time.Time) {
	for _, p := range v.Pods {
		if p.Index >= Index(v.Record.To) && toldAside(p, since) {
			at = later(at, p.ToldAside)
		}
	}
	return at
}

// savesSoon says that the training makes checkpoints by itself so often that the next one after those who leave have
// stepped aside is not far. Where it is not known when that comes, it has to count as just made by then.
func (v view) savesSoon() bool {
	c, most := v.Checkpoint, asideWithin
	if c.ExpectedAt.IsZero() {
		most = v.Limits.CheckpointFresh
	}
	return !c.CompletedAt.IsZero() && c.Every > 0 && c.Every <= most && !v.over(c.CompletedAt.Add(c.Every+asideWithin))
}

// savesOnce says that it makes one by itself that can be waited for.
func (v view) savesOnce(since time.Time) bool {
	at := v.Checkpoint.ExpectedAt
	return at.After(since.Add(asideTakes)) && !at.After(since.Add(v.Limits.CheckpointWithin))
}

// countsFrom is since when a checkpoint counts in a resize that was proposed at some moment: by then those who leave
// have stepped aside.
func (v view) countsFrom(since time.Time) time.Time {
	at := since
	for _, p := range v.Pods {
		if p.Index >= Index(v.Record.To) && toldAside(p, since) && !p.Aside.IsZero() {
			at = later(at, earlier(p.Aside, since.Add(asideWithin)))
		}
	}
	return at
}

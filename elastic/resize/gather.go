package resize

import (
	"fmt"
	"slices"
	"time"
)

// gather brings the pods of the gang to the barrier, all of them. It needs a
// step until they are there. Where some will not come, it settles for fewer or
// turns round.
func (v view) gather() (Step, bool) {
	if step, needed := v.unwrap(); needed {
		return step, true
	}
	if short, found := v.shortfall(); found {
		if v.trainsOn() && !v.acceptable(v.offered(short.size)) {
			return add(Ready, short.reason, "%s The others train without it.", short.message), !v.has(Ready)
		}
		return v.settle(short), true
	}
	gang, forward := v.gang(), v.stage() == Forward
	waiting := func(until time.Time, reason Reason, format string, args ...any) (Step, bool) {
		message := fmt.Sprintf(format, args...)
		return wait(until, reason, "%s; until %s.", message, clock(until)), true
	}
	switch late := lacking(gang, ready); {
	case len(gang) < v.wanted():
		until := v.placeBy()
		if by, none := v.noPod(); none && !v.over(by) {
			until = earlier(until, by)
		}
		return wait(until, PodsExpected, "%s there yet; until %s.%s",
			only(len(gang), v.wanted(), "is", "are"), clock(v.placeBy()), v.holdsBack()), true
	case len(lacking(gang, placed)) > 0 && !v.replaces():
		until := v.placeBy()
		if settleAt := v.settleAt(); v.Record.Acceptable > 0 && !v.over(settleAt) {
			until = settleAt
		}
		return wait(until, PlacementExpected, "The scheduler looks for room for %s; until %s.%s",
			newPods(len(gang)), clock(v.placeBy()), v.said()), true
	case forward && !v.has(Placed):
		return add(Placed, GangPlaced, "%s a node.", every(len(gang), "has", "have")), true
	case len(late) > 0:
		until := v.readyBy()
		if v.replaces() {
			until = v.placeBy()
		}
		return waiting(until, PodsStarting, "%s not ready yet", are(late))
	case forward && !v.has(Ready) && v.Agent:
		return add(Ready, PodsReady, "%s at the start barrier.", every(len(gang), "waits", "wait")), true
	case forward && !v.has(Ready):
		return add(Ready, PodsReady, "%s.", every(len(gang), "runs", "run")), true
	}
	return Step{}, false
}

// gang lists the new pods that are there, in the order of their index.
func (v view) gang() []Pod {
	var gang []Pod
	for _, p := range v.Pods {
		if p.Index >= v.base() && p.Index < Index(v.goal()) && p.State != PodTerminating {
			gang = append(gang, p)
		}
	}
	slices.SortFunc(gang, func(a, b Pod) int { return int(a.Index - b.Index) })
	return gang
}

// wanted is how many pods the gang should have.
func (v view) wanted() int { return int(v.goal()) - int(v.base()) }

func made(Pod) bool     { return true }
func placed(p Pod) bool { return p.State != PodHeld && p.State != PodLost && p.State != PodFailed }
func ready(p Pod) bool  { return p.State == PodAtBarrier || p.State == PodTraining }

func lacking(gang []Pod, quality func(Pod) bool) []Index {
	var lack []Index
	for _, p := range gang {
		if !quality(p) {
			lack = append(lack, p.Index)
		}
	}
	return lack
}

// mostHeld is how long new pods are held back at most for what has failed before. What fails after that is no reason to
// wait any longer.
const mostHeld = 10 * time.Minute

// heldSince is until when the pods may have been held back that a job was asked for at some moment.
func (v view) heldSince(at time.Time) time.Time {
	return later(at, earlier(v.Job.HeldBack, at.Add(mostHeld)))
}

// makesFrom is from when on the pods can be made that the job was asked for.
func (v view) makesFrom() time.Time { return v.heldSince(v.Job.Asked.At) }

// placeWithin is how long after they were asked for new pods are to be there and to have nodes, in words.
func (v view) placeWithin() string { return span(v.placeBy().Sub(v.Job.Asked.At)) }

// holdsBack says until when no pods may be made, for the end of a message.
func (v view) holdsBack() string {
	if v.over(v.Job.HeldBack) {
		return ""
	}
	return fmt.Sprintf(" %s may make new pods only at %s, as others have failed.",
		v.Job.Controller, clock(v.Job.HeldBack))
}

func (v view) settleAt() time.Time { return v.makesFrom().Add(v.Limits.SettleAfter) }

func (v view) placeBy() time.Time {
	switch {
	case v.stage() != Forward:
		return v.readyBy()
	case v.replaces():
		return v.replacedBy()
	}
	return v.makesFrom().Add(v.Limits.PlaceWithin)
}

// readyBy gives the way back, which has no line in the record for placed pods,
// the time for both at once.
func (v view) readyBy() time.Time {
	begin := v.makesFrom().Add(v.Limits.PlaceWithin)
	if c, found := v.condition(Placed); found && v.stage() == Forward {
		begin = c.At
	}
	return later(begin.Add(v.Limits.ReadyWithin), v.preparedBy(begin))
}

// longerPrepared is how many times as long as others those are waited for that are prepared: an hour, by default.
const longerPrepared = 6

// preparedBy is until when those are waited for that are not ready yet, where all of the job begin anew; zero if one is
// missing. Those whose nodes prepare them have longer: to stop them would be to begin once more, and to lose what they
// have fetched by then. Any that came later has its own time.
func (v view) preparedBy(begin time.Time) time.Time {
	gang, by := v.gang(), begin.Add(longerPrepared*v.Limits.ReadyWithin)
	if v.base() > 0 || len(gang) < v.wanted() {
		return time.Time{}
	}
	for _, p := range gang {
		if !ready(p) && !p.Prepared {
			by = earlier(by, v.past(p.CreatedAt).Add(v.Limits.ReadyWithin))
		}
	}
	return by
}

// fits is the scheduler's answer to the size that is asked for now. The record
// keeps whole seconds. Its clock may be behind ours: as long as nothing else was
// asked for in this resize, whatever it has said is the answer.
func (v view) fits() (Workers, bool) {
	p := v.Record.Placement
	first := v.asked(Forward) && v.Job.Asked.Workers == v.Record.To
	return p.Fits, !p.At.IsZero() && (first || !p.At.Before(v.Job.Asked.At.Truncate(time.Second)))
}

// said quotes the scheduler, for the end of a message.
func (v view) said() string {
	if _, answered := v.fits(); !answered || v.Record.Placement.Message == "" {
		return ""
	}
	return fmt.Sprintf(" The scheduler says: %q.", v.Record.Placement.Message)
}

func are(pods []Index) string {
	if len(pods) == 1 {
		return names(pods) + " is"
	}
	return names(pods) + " are"
}

func clock(t time.Time) string { return t.UTC().Format("15:04:05") }

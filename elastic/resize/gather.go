package resize

import (
	"fmt"
	"slices"
	"time"
)

// gather brings the pods of the gang to the barrier, all of them. It needs a
// step until they are there. On the way it settles for fewer workers where
// enough would fit, and turns round where not.
func (v view) gather() (Step, bool) {
	limits, askedAt := v.Limits, v.Job.Asked.At
	placeBy := askedAt.Add(limits.PlaceWithin)
	gang := v.gang()

	// Marks that were made before a crash are a decision to let go.
	if i := slices.IndexFunc(gang, func(p Pod) bool { return p.Draining }); i >= 0 {
		return v.settle(Workers(gang[i].Index), TooFewFit,
			fmt.Sprintf("worker-%d is on its way out.", gang[i].Index)), true
	}
	if i := slices.IndexFunc(gang, func(p Pod) bool { return p.State == PodLost }); i >= 0 {
		return v.settle(v.usable(placed), NodeLost,
			fmt.Sprintf("Node %s, where worker-%d was placed, does not answer.", gang[i].Node, gang[i].Index)), true
	}
	if i := slices.IndexFunc(gang, func(p Pod) bool { return p.State == PodFailed }); i >= 0 {
		return v.settle(v.usable(placed), PodFailing, fmt.Sprintf(
			"worker-%d failed before it was let in. Look at: kubectl logs of that pod.", gang[i].Index)), true
	}
	size := len(gang)
	want := int(v.goal()) - int(v.base())
	if size < want {
		if v.has(Placed) && v.stage() == Forward {
			return v.settle(v.usable(placed), PodsMissing,
				fmt.Sprintf("Only %d of %d new pods are left; somebody deleted or evicted the others.", size, want)), true
		}
		if !v.over(placeBy) {
			return v.wait(placeBy, PodsExpected, "%d of %d new pods exist.", size, want), true
		}
		return v.settle(0, PodsMissing, fmt.Sprintf(
			"Only %d of %d new pods were created within %s. Is training-operator running, "+
				"and is there a ResourceQuota?", size, want, span(limits.PlaceWithin))), true
	}
	if !slices.ContainsFunc(gang, func(p Pod) bool { return !placed(p) }) {
		return v.gatherPlaced(gang)
	}
	fit := v.Record.Placement
	if fit.Answer == OnlyFits && int(fit.Fits) < want && v.over(askedAt.Add(limits.SettleAfter)) &&
		v.acceptable(Workers(v.base())+fit.Fits) {
		return v.settle(Workers(v.base())+fit.Fits, TooFewFit,
			fmt.Sprintf("Only %d of %d new pods fit.%s", fit.Fits, want, said(fit))), true
	}
	if v.over(placeBy) {
		reason, found := NothingFits, "None"
		if fit.Answer == OnlyFits && fit.Fits > 0 {
			reason, found = TooFewFit, fmt.Sprintf("Only %d", fit.Fits)
		}
		return v.settle(0, reason, fmt.Sprintf("%s of %d new pods fit within %s.%s",
			found, want, span(limits.PlaceWithin), said(fit))), true
	}
	until := placeBy
	if settleAt := askedAt.Add(limits.SettleAfter); v.Record.Acceptable > 0 && !v.over(settleAt) {
		until = settleAt
	}
	return v.wait(until, PlacementExpected,
		"The scheduler looks for room for %d new pods; until %s.%s", want, clock(placeBy), said(fit)), true
}

// gatherPlaced waits for pods that have their nodes.
func (v view) gatherPlaced(gang []Pod) (Step, bool) {
	forward := v.stage() == Forward
	readyBy := v.Job.Asked.At.Add(v.Limits.PlaceWithin + v.Limits.ReadyWithin)
	if forward {
		at, found := v.condition(Placed)
		if !found {
			return v.add(Placed, GangPlaced, "All %d new pods have a node.", len(gang)), true
		}
		readyBy = at.At.Add(v.Limits.ReadyWithin)
	}
	var late []Index
	for _, p := range gang {
		if !ready(p) {
			late = append(late, p.Index)
		}
	}
	switch {
	case len(late) > 0 && v.over(readyBy):
		return v.settle(v.usable(ready), NotReadyInTime, fmt.Sprintf(
			"%s had a node but did not get ready within %s. Look at: kubectl describe pod.",
			names(late), span(v.Limits.ReadyWithin))), true
	case len(late) > 0:
		return v.wait(readyBy, PodsStarting, "%s not ready yet; until %s.", are(late), clock(readyBy)), true
	case forward && !v.has(Ready) && v.Agent:
		return v.add(Ready, PodsReady, "All %d new pods wait at the start barrier.", len(gang)), true
	case forward && !v.has(Ready):
		return v.add(Ready, PodsReady, "All %d new pods run.", len(gang)), true
	}
	return Step{}, false
}

// gang lists the new pods that are there, in the order of their index.
func (v view) gang() []Pod {
	var gang []Pod
	for _, p := range v.Pods {
		if p.Index >= v.base() && p.Index < Index(v.goal()) && p.Epoch == v.Record.Epoch &&
			p.State != PodTerminating {
			gang = append(gang, p)
		}
	}
	slices.SortFunc(gang, func(a, b Pod) int { return int(a.Index - b.Index) })
	return gang
}

func placed(p Pod) bool { return p.State != PodHeld && p.State != PodLost && p.State != PodFailed }
func ready(p Pod) bool  { return p.State == PodAtBarrier || p.State == PodTraining }

// usable is the size that the job can have without a gap: its controller
// removes the highest indices only, so one bad pod costs all above it.
func (v view) usable(good func(Pod) bool) Workers {
	size := Workers(v.base())
	for _, p := range v.gang() {
		if p.Index != Index(size) || !good(p) {
			break
		}
		size++
	}
	return size
}

func (v view) acceptable(n Workers) bool {
	return v.Record.Acceptable > 0 && n >= v.Record.Acceptable && n < v.goal()
}

// settle goes on with n workers where that is enough, and otherwise gives up.
func (v view) settle(n Workers, reason Reason, message string) Step {
	if v.stage() != Forward {
		if step, needed := v.mark(0); needed {
			return step
		}
		return v.ask(Halt, v.goal(), true, JobHalted, message+" The job is suspended, so that it keeps no GPU.")
	}
	if !v.acceptable(n) {
		return v.goBack(reason, message)
	}
	if step, needed := v.mark(n); needed {
		return step
	}
	return v.ask(Forward, n, false, SettledForFewer, fmt.Sprintf(
		"%s The job settles for %s; at least %d were asked for.", message, count(n), v.Record.Acceptable))
}

func said(p Placement) string {
	if p.Message == "" {
		return ""
	}
	return " The scheduler says: " + p.Message
}

func are(pods []Index) string {
	if len(pods) == 1 {
		return names(pods) + " is"
	}
	return names(pods) + " are"
}

func clock(t time.Time) string { return t.UTC().Format("15:04:05") }

package resize

import (
	"fmt"
	"slices"
)

// shortfall is the finding that a gang will not be complete.
type shortfall struct {
	size    Workers // that the job can have nevertheless
	reason  Reason
	message string
}

// shortfall looks for what keeps the gang from being complete.
func (v view) shortfall() (shortfall, bool) {
	short, found := v.trouble()
	if v.stage() != Forward {
		short, found = v.tooLate()
	}
	// Marks that were made before a crash are a decision to let those pods go,
	// even if what led to it has passed.
	gang := v.gang()
	if i := slices.IndexFunc(gang, func(p Pod) bool { return p.Draining }); i >= 0 {
		marked := gang[i].Index
		if !found {
			short = shortfall{Workers(marked), TooFewFit,
				fmt.Sprintf("worker-%d has already been told to leave.", marked)}
		}
		short.size, found = min(short.size, Workers(marked)), true
	}
	return short, found
}

// tooLate is patient: on the way back a pod that breaks is replaced, and only
// time decides.
func (v view) tooLate() (shortfall, bool) {
	got := len(v.gang()) - len(lacking(v.gang(), ready))
	if got == v.wanted() || !v.over(v.readyBy()) {
		return shortfall{}, false
	}
	return shortfall{reason: NotReadyInTime, message: fmt.Sprintf("%s ready after %s.%s",
		only(got, v.wanted(), "is", "are"), v.placeWithin(), v.said())}, true
}

// trouble says on the way forward, as soon as it can be known, what is wrong.
func (v view) trouble() (shortfall, bool) {
	gang, want, fewest := v.gang(), v.wanted(), Workers(v.base())
	is := func(s PodState) func(Pod) bool { return func(p Pod) bool { return p.State == s } }
	patient := v.replaces() && !v.over(v.placeBy())

	if i := slices.IndexFunc(gang, is(PodLost)); i >= 0 {
		size := v.usable(placed)
		return shortfall{size, NodeLost, fmt.Sprintf("Node %s, where worker-%d was placed, does not answer.",
			gang[i].Node, gang[i].Index)}, !patient || v.starts() || v.acceptable(v.offered(size))
	}
	if i := slices.IndexFunc(gang, hindered); i >= 0 && fewest > 0 {
		return shortfall{v.usable(func(p Pod) bool { return placed(p) && !hindered(p) }), AgentNotInstalled, fmt.Sprintf(
			"The agent cannot be installed in worker-%d%s.", gang[i].Index, inItsWords(gang[i]))}, true
	}
	if i := slices.IndexFunc(gang, is(PodFailed)); i >= 0 {
		return shortfall{v.usable(placed), PodFailing, v.failed(gang[i])}, !patient || !v.Agent || v.madeAgain(gang[i])
	}
	fits, answered := v.fits()
	enough := answered && int(fits) < want && v.acceptable(v.offered(fewest+fits))
	late := lacking(gang, ready)
	switch {
	case len(gang) < want && v.has(Placed) && !v.anew():
		return shortfall{v.usable(placed), PodsMissing, evicted(len(gang), want)}, !patient
	case len(gang) < want && v.over(v.placeBy()):
		return shortfall{v.usable(made), v.missing(len(gang)), fmt.Sprintf(
			"%s created within %s.%s", only(len(gang), want, "was", "were"), v.placeWithin(), v.whyMissing())}, true
	case len(gang) < want:
		return shortfall{}, false
	case len(lacking(gang, placed)) > 0 && v.replaces():
		return shortfall{v.usable(placed), NothingFits, fmt.Sprintf(
			"No node was found within %s for the replacement of %s.", span(v.Limits.PlaceWithin),
			names(lacking(gang, placed)))}, !patient
	case len(lacking(gang, placed)) > 0:
		return v.unplaced(fits, answered), v.over(v.placeBy()) || enough && v.over(v.settleAt())
	case len(late) > 0 && v.over(v.readyBy()):
		within := v.Limits.ReadyWithin
		if c, found := v.condition(Placed); found {
			within = v.readyBy().Sub(c.At)
		}
		return shortfall{v.usable(ready), NotReadyInTime, fmt.Sprintf(
			"%s not ready within %s of being placed%s.", are(late), span(within), waitsFor(gang))}, true
	}
	return shortfall{}, false
}

// failed says of a pod that it has ended with an error. Without the agent nobody was held back before.
func (v view) failed(p Pod) string {
	if !v.Agent {
		return fmt.Sprintf("worker-%d failed as it started; look at its logs.", p.Index)
	}
	return fmt.Sprintf("worker-%d failed before it was let in; look at its logs.", p.Index)
}

// hindered says of a pod that the agent cannot be installed there.
func hindered(p Pod) bool { return p.Hindered && !ready(p) }

// inItsWords is what keeps a pod from running, for the end of a sentence; empty if nobody says.
func inItsWords(p Pod) string {
	if p.Waits == "" {
		return ""
	}
	return " (" + p.Waits + ")"
}

// GrowthOverdue says of a job that trains that none of the pods is there by which it is to grow, and that it has waited
// for them long enough.
func (o Observed) GrowthOverdue() bool {
	v := view{o}
	return v.Job.State == JobGoesOn && v.base() > 0 && v.begun() && !v.has(Committed) && len(v.gang()) == 0 &&
		v.over(v.placeBy())
}

// missing is why only so many pods of the gang were made.
func (v view) missing(made int) Reason {
	if made > 0 || v.Job.Refused != "" || v.makesFrom().After(v.Job.Asked.At) || v.cold() {
		return PodsMissing
	}
	return NobodyAnswered
}

// unlooked is why no pod of the gang was given a node, where no scheduler has told Takt. A job that was stopped for it
// is not to be stopped again soon, whoever is to blame.
func (v view) unlooked() Reason {
	looked := func(p Pod) bool { return placed(p) || p.Unplaced }
	if v.cold() || slices.ContainsFunc(v.gang(), looked) {
		return NothingFits
	}
	return NobodyAnswered
}

// whyMissing says what to do about pods that were not made, for the end of a message.
func (v view) whyMissing() string {
	if v.Job.Refused != "" {
		return fmt.Sprintf(" %s says: %q.", v.Job.Controller, v.Job.Refused)
	}
	if v.makesFrom().After(v.Job.Asked.At) {
		return fmt.Sprintf(" %s makes new ones only a while after others have failed: look at the logs of those.",
			v.Job.Controller)
	}
	return fmt.Sprintf(" See that %s runs, and that a ResourceQuota leaves room for more pods.", v.Job.Controller)
}

// waitsFor is what the first of the pods waits for that waits, as its node says; else where to read it.
func waitsFor(gang []Pod) string {
	for _, p := range gang {
		if p.Waits != "" {
			return fmt.Sprintf(" (worker-%d waits with %s)", p.Index, p.Waits)
		}
	}
	return "; look at the events of these pods, and raise resizes.readyWithin if they only need more time"
}

// only is a part of the new pods, and what it does.
func only(some, all int, one, more string) string {
	switch {
	case all == 1:
		return fmt.Sprintf("The new pod %s not", one)
	case some == 0:
		return fmt.Sprintf("None of %s %s", newPods(all), one)
	case some == 1:
		return fmt.Sprintf("Only 1 of %s %s", newPods(all), one)
	default:
		return fmt.Sprintf("Only %d of %s %s", some, newPods(all), more)
	}
}

// every is all of the new pods, and what they do.
func every(all int, one, more string) string {
	if all == 1 {
		return "The new pod " + one
	}
	return fmt.Sprintf("All %s %s", newPods(all), more)
}

// evicted says of new pods that had a node that they are not there any more.
func evicted(left, all int) string {
	switch {
	case all == 1:
		return "Somebody has deleted or evicted the new pod."
	case left == 0:
		return fmt.Sprintf("Somebody has deleted or evicted all %s.", newPods(all))
	default:
		return only(left, all, "is", "are") + " left; somebody has deleted or evicted the others."
	}
}

// unplaced is that pods of the gang have no node, of which so many fit, if the scheduler has answered.
func (v view) unplaced(fits Workers, answered bool) shortfall {
	switch {
	case !answered:
		return shortfall{Workers(v.base()), v.unlooked(), fmt.Sprintf(
			"No node was found for %s within %s, and no scheduler has told Takt why; look at the events of these pods.",
			newPods(len(lacking(v.gang(), placed))), v.placeWithin())}
	case fits > 0 && int(fits) < v.wanted():
		return shortfall{Workers(v.base()) + fits, TooFewFit,
			fmt.Sprintf("%s.%s", only(int(fits), v.wanted(), "fits", "fit"), v.said())}
	}
	return shortfall{Workers(v.base()), NothingFits, fmt.Sprintf(
		"There was no room for %s within %s.%s", newPods(v.wanted()), v.placeWithin(), v.said())}
}

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

// offered is the greatest size that the job may have of those up to one for which there is room.
func (v view) offered(room Workers) Workers {
	if len(v.Record.Sizes) == 0 {
		return room
	}
	most := Workers(0)
	for _, size := range v.Record.Sizes {
		if size <= room {
			most = max(most, size)
		}
	}
	return most
}

// settle goes on with fewer workers where they are enough. Where they are not
// it turns round, and where it has turned round before it stops the job.
func (v view) settle(short shortfall) Step {
	if v.stage() != Forward {
		if step, needed := v.mark(0); needed {
			return step
		}
		return v.ask(Halt, v.goal(), true, JobHalted,
			short.message+" The job is suspended, so that it keeps no GPU.")
	}
	if short.size = v.offered(short.size); !v.acceptable(short.size) {
		return v.goBack(short.reason, short.message)
	}
	if step, needed := v.mark(short.size); needed {
		return step
	}
	return v.ask(Forward, short.size, false, SettledForFewer, fmt.Sprintf(
		"%s The job settles for %s; at least %d were wanted.",
		short.message, count(short.size), v.Record.Acceptable))
}

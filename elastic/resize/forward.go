package resize

import "fmt"

// forward moves on towards the size that was decided.
func (v view) forward() Step {
	switch {
	case v.grows() && !v.cold():
		return v.grow()
	case !v.has(Proposed):
		return v.propose()
	case !v.has(Committed):
		proposed, _ := v.condition(Proposed)
		if step, needed := v.stepAside(proposed.At); needed {
			return step
		}
		return v.commit(proposed.At)
	case v.Record.To == 0:
		return v.stop()
	case v.cold():
		return v.change()
	default:
		return v.shrink()
	}
}

func (v view) propose() Step {
	return v.told(add(Proposed, SizeAsked, "The job is to %s%s.", v.intent(), v.why()))
}

// told has a line of the record say since when the job itself tells the same: whoever writes it down may have come
// later.
func (v view) told(line Step) Step {
	if v.begun() && v.Job.Asked.At.Before(v.Now) {
		line.Since = v.Job.Asked.At
	}
	return line
}

// intent is what the resize is to do.
func (v view) intent() string {
	switch to := count(v.Record.To); {
	case v.Record.To == 0:
		return "stop, and keep no GPU"
	case v.starts():
		return "start with " + to
	default:
		return fmt.Sprintf("have %s instead of %d", to, v.Record.From)
	}
}

func (v view) why() string {
	if v.Record.Why == "" {
		return ""
	}
	return " (" + v.Record.Why + ")"
}

// grow adds workers to a running training, or starts one. Nobody trains
// differently before the commit, so until then the way back costs nothing.
func (v view) grow() Step {
	if !v.begun() {
		return v.ask(Forward, v.Record.To, false, SizeAsked, fmt.Sprintf(
			"The job is to %s%s; the new pods are held until all of them can be placed.", v.intent(), v.why()))
	}
	if !v.has(Proposed) {
		return v.propose()
	}
	if !v.has(Committed) {
		if step, needed := v.gather(); needed {
			return step
		}
		ready, _ := v.condition(Ready)
		return v.commit(ready.At)
	}
	if step, needed := v.letIn(v.goal()); needed {
		return step
	}
	return v.endOrGoBack(v.verify())
}

// shrink sends the highest workers away. If the rest does not go on, it is
// restarted at the new size: the GPUs are wanted elsewhere, so the way is
// forward.
func (v view) shrink() Step {
	if step, needed := v.drain(Forward); needed {
		return step
	}
	if kept := v.kept(); len(kept) > 0 {
		return add(Failed, PodsNotGone, "%s not being deleted, %s after the job was asked for %s. "+
			"See that %s runs.", are(kept), span(v.Limits.DrainWithin), count(v.goal()), v.Job.Controller)
	}
	step, state := v.verify()
	switch state {
	case trains:
		return v.succeed(step)
	case hangs:
		return add(Restarting, step.Reason,
			"%s The job is stopped and started at %s from its last checkpoint.", step.Message, count(v.goal()))
	default:
		return step
	}
}

// stop takes all workers away.
func (v view) stop() Step {
	if step, needed := v.throughZero(Forward); needed {
		return step
	}
	return add(Succeeded, AllStopped, "No pod is left of %s; the job is suspended and keeps no GPU.",
		count(v.Record.From))
}

// change stops the job and starts it at its new size.
func (v view) change() Step {
	if step, needed := v.throughZero(Forward); needed {
		return step
	}
	return v.endOrGoBack(v.startUp())
}

// endOrGoBack ends a resize once the training goes on, and takes it back where the training hangs.
func (v view) endOrGoBack(step Step, state verdict) Step {
	switch state {
	case trains:
		return v.succeed(step)
	case hangs:
		return v.goBack(step.Reason, step.Message)
	default:
		return step
	}
}

// succeed ends a resize whose training was seen at its new size.
func (v view) succeed(seen Step) Step {
	step := add(Succeeded, seen.Reason, "%s", seen.Message)
	if v.goal() != v.Record.To {
		step.Message += fmt.Sprintf(" It was to have %d, but there was no room for all of them.", v.Record.To)
	}
	return step
}

package resize

import (
	"fmt"
	"strings"
)

// goBack writes down that the resize turns round, and why.
func (v view) goBack(reason Reason, why string) Step {
	begins, _ := v.wayBack()
	return add(RollingBack, reason, "%s %s", why, begins)
}

// wayBack says that the job goes back to what it was, and that it has.
func (v view) wayBack() (begins, ends string) {
	if v.starts() {
		return "The job is stopped again.", "The job was stopped again."
	}
	from := count(v.Record.From)
	return fmt.Sprintf("The job goes back to %s.", from), fmt.Sprintf("The job went back to %s.", from)
}

// back returns the job to the size that it had.
func (v view) back() Step {
	if v.starts() {
		if step, needed := v.throughZero(Back); needed {
			return step
		}
		return v.rolledBack("")
	}
	if v.cold() {
		return v.backThroughZero()
	}
	if step, needed := v.drain(Back); needed {
		return step
	}
	// Behind the barrier nobody has trained, so nothing needs to be verified.
	if !v.has(Committed) && (v.Agent || !v.has(Placed)) {
		return v.rolledBack(" The training was not disturbed." + v.overdue())
	}
	step, state := v.verify()
	switch state {
	case trains:
		return v.rolledBack(" " + step.Message)
	case hangs:
		return add(Restarting, step.Reason,
			"%s The job is stopped and started at %s from its last checkpoint.", step.Message, count(v.goal()))
	default:
		return step
	}
}

func (v view) backThroughZero() Step {
	if step, needed := v.throughZero(Back); needed {
		return step
	}
	step, state := v.startUp()
	switch state {
	case trains:
		return v.rolledBack(" " + step.Message)
	case hangs:
		return add(Failed, step.Reason, "%s It has been put back to %s and is left running; "+
			"look at the logs of worker-0.", step.Message, count(v.goal()))
	default:
		return step
	}
}

// restart is the last resort for a training that hangs: from its checkpoint,
// at the size that the job has.
func (v view) restart() Step {
	if step, needed := v.throughZero(Restart); needed {
		return step
	}
	step, state := v.startUp()
	if state == trains {
		step.Message = "It was restarted from its checkpoint. " + step.Message
	}
	switch {
	case state == trains && v.has(RollingBack):
		return v.rolledBack(" " + step.Message)
	case state == trains:
		return v.succeed(step)
	case state == hangs:
		return add(Failed, step.Reason, "%s It was restarted at %s and is left running; "+
			"look at the logs of worker-0.", step.Message, count(v.goal()))
	default:
		return step
	}
}

func (v view) rolledBack(how string) Step {
	turn, _ := v.condition(RollingBack)
	begins, ends := v.wayBack()
	return add(RolledBack, turn.Reason, "%s%s%s", strings.TrimSuffix(turn.Message, begins), ends, how)
}

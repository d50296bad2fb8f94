package resize

import (
	"fmt"
	"slices"
	"strings"
)

// Next returns the one next step. It is a pure function of what is observed.
//
// The rules that end or turn a resize come first, in the order in which they
// outrank each other; the first that applies decides. Where none does, the
// resize moves on in its stage.
func Next(o Observed) Step {
	v := view{o}
	step := v.next()
	if step.Do == AddCondition && slices.Contains(ends, step.Condition) {
		step.Cost = v.cost(step)
	}
	return step
}

// ends are the conditions that end a resize.
var ends = []ConditionType{Succeeded, RolledBack, Failed}

func (v view) next() Step {
	for _, rule := range []func(view) (Step, bool){
		alreadyOver, jobDeleted, jobEnded, overtaken, changedByHand, halted, survivorReplaced, unwanted,
	} {
		if step, applies := rule(v); applies {
			return step
		}
	}
	switch v.stage() {
	case Restart:
		return v.restart()
	case Back:
		return v.back()
	default:
		return v.forward()
	}
}

func alreadyOver(v view) (Step, bool) {
	for _, end := range ends {
		if c, found := v.condition(end); found {
			return Step{Do: Over, Reason: AlreadyOver,
				Message: fmt.Sprintf("The resize is over: %s. %s", end, c.Message)}, true
		}
	}
	return Step{}, false
}

// jobDeleted leaves the pods alone: they go with their job.
func jobDeleted(v view) (Step, bool) {
	if v.Job.State != JobDeleted {
		return Step{}, false
	}
	return add(Failed, JobIsDeleted,
		"The job is being deleted, so its size no longer matters; its pods go with it."), true
}

// jobEnded lets go of the pods that never took part. A finished job is no
// longer looked after by its controller: at the barrier they would keep their
// GPUs for ever.
func jobEnded(v view) (Step, bool) {
	var end ConditionType
	var reason Reason
	var how string
	committed := v.committed()
	switch v.Job.State {
	case JobFinished:
		reason, how, end = JobIsFinished, "The job has finished its work", RolledBack
		if committed {
			end = Succeeded
		}
	case JobFailed:
		reason, how, end = JobHasFailed, "The job has failed", RolledBack
		if committed {
			end = Failed
		}
	case JobCutShort:
		reason, how, end = JobIsCutShort, "A worker that was told to leave has exited with 0, which has ended the whole job",
			RolledBack
		if committed {
			end = Failed
		}
	default:
		return Step{}, false
	}
	idle := v.indices(func(p Pod) bool {
		return p.State == PodHeld || p.State == PodPending || p.State == PodAtBarrier
	})
	if len(idle) > 0 {
		return Step{Do: DeletePods, Pods: idle, Reason: reason,
			Message: fmt.Sprintf("%s; %s never took part, and would keep GPUs for nothing.", how, names(idle))}, true
	}
	if committed {
		return add(end, reason, "%s while its size was being changed from %s to %s.",
			how, count(v.Record.From), count(v.Record.To)), true
	}
	return add(end, reason, "%s before its size was changed.", how), true
}

// overtaken keeps its hands off a job that a newer resize has written to.
func overtaken(v view) (Step, bool) {
	if v.Job.Asked.Epoch <= v.Record.Epoch {
		return Step{}, false
	}
	return add(Failed, Superseded,
		"Resize %d has already taken over the job. This one leaves everything to it.",
		v.Job.Asked.Epoch), true
}

// changedByHand yields to people: what they declare stays. New pods that are
// within the size that they want are let in, or they would wait for ever.
func changedByHand(v view) (Step, bool) {
	asked := v.Job.Asked
	switch {
	case !v.begun() && v.size() != v.Record.From:
		return add(Failed, SizeNotAsDecided,
			"The decision was made for a job of %s, but it has %s. Nothing was changed; "+
				"the next decision starts from the size that it has.",
			count(v.Record.From), count(v.size())), true
	case !v.begun() || v.Job.Suspended == asked.Suspended && v.Job.Workers == asked.Workers:
		return Step{}, false
	}
	if !v.Job.Suspended {
		if step, needed := v.letIn(v.Job.Workers); needed {
			return step, true
		}
	}
	how := fmt.Sprintf("scaled it to %s", count(v.Job.Workers))
	switch {
	case v.Job.Suspended && !asked.Suspended:
		how = "suspended it"
	case !v.Job.Suspended && asked.Suspended:
		how = "resumed it"
	}
	return add(Failed, ChangedByHand,
		"While Takt was resizing the job, somebody else %s. That stays, and this resize is given up; "+
			"the next decision starts from it.", how), true
}

// survivorReplaced lets a worker in that has replaced one of those that train
// all the while: up to the commit all of them, after it those that stay.
func survivorReplaced(v view) (Step, bool) {
	switch {
	case !v.committed() && v.stage() == Forward:
		return v.letIn(v.Record.From)
	case v.running():
		return v.letIn(min(v.Record.From, v.Record.To))
	default:
		return Step{}, false
	}
}

// unwanted gives up a resize that nobody wants any more, up to the commit. After
// it, finishing first is cheaper than a second restart half way; but not for a
// job that is withdrawn while it stops in order to grow: whether it then starts
// at the one size or the other costs the same.
func unwanted(v view) (Step, bool) {
	reason, why := v.doubt()
	switch {
	case why == "" || !v.withdrawable() || v.committed() && reason == Superseded:
		return Step{}, false
	case !v.begun():
		return add(RolledBack, reason, "%s Nothing had been changed yet.", why), true
	}
	return v.goBack(reason, why), true
}

// doubt is why a resize is not wanted any more; nothing if it is. To take back the start of a job at its end would stop
// those that train.
func (v view) doubt() (Reason, string) {
	switch {
	case v.Withdrawn != "":
		return Withdrawn, v.Withdrawn
	case v.Job.AtItsEnd != "" && v.Record.From > 0:
		return JobAtItsEnd, v.Job.AtItsEnd
	case v.Newest > v.Record.Epoch:
		return Superseded, "A newer decision has taken its place."
	}
	return "", ""
}

// halted ends a resize whose job could not even be started again.
func halted(v view) (Step, bool) {
	if !v.begun() || v.Job.Asked.Stage != Halt {
		return Step{}, false
	}
	why := ""
	if c, found := v.condition(RollingBack); found {
		begins, _ := v.wayBack() // which is not what has come of it
		why = " Before that: " + strings.TrimSuffix(c.Message, " "+begins)
	}
	return add(Failed, LeftSuspended,
		"The job could not be started again at %s, so it is suspended and keeps no GPU. "+
			"Takt starts it again when there is room.%s", count(v.Job.Workers), why), true
}

package resize

import (
	"fmt"
	"slices"
	"time"
)

// mark marks the pods from size on as draining, for the agent in them. Even one
// that is still held is marked: the scheduler may place it between this look and
// the next write.
func (v view) mark(size Workers) (Step, bool) {
	if !v.Agent {
		return Step{}, false // nobody in the pods would heed it
	}
	leavers := v.indices(func(p Pod) bool {
		return p.Index >= Index(size) && p.State != PodTerminating && !p.Draining
	})
	if len(leavers) == 0 {
		return Step{}, false
	}
	return Step{Do: MarkDraining, Pods: leavers, Reason: PodsMarked, Message: fmt.Sprintf(
		"Mark %s as leaving, so that the exit is not taken for the success of the job.", names(leavers))}, true
}

// heard waits until the agents of those who are marked from size on have read it: a pod that is being deleted gets no
// mark any more, and one that leaves without having read it may take the training of the others with it. Who does not
// answer in time is sent away all the same.
func (v view) heard(size Workers) (Step, bool) {
	var until time.Time
	deaf := v.indices(func(p Pod) bool {
		if p.Index < Index(size) || p.State != PodTraining || !v.deaf(p) {
			return false
		}
		until = later(until, v.heardBy(p.MarkedAt, p.UnreadAt))
		return true
	})
	if len(deaf) == 0 {
		return Step{}, false
	}
	return wait(until, MarksExpected, "%s told to leave, and must hear of it first; until %s.",
		are(deaf), clock(until)), true
}

// deaf says that a pod is marked, and that its agent may yet come to know of it.
func (v view) deaf(p Pod) bool {
	return p.Draining && !p.Heeds && !v.over(v.heardBy(p.MarkedAt, p.UnreadAt))
}

// drain takes the running job down to its goal: mark, have the marks heard, ask,
// and wait until the leavers are gone. After the limit it goes on without having seen them go.
func (v view) drain(s Stage) (Step, bool) {
	goal := v.goal()
	if !v.asked(s) {
		if step, needed := v.mark(goal); needed {
			return step, true
		}
		if step, needed := v.heard(goal); needed {
			return step, true
		}
		return v.ask(s, goal, false, SizeAsked, fmt.Sprintf("Ask the job for %s.", count(goal))), true
	}
	goneBy := v.Job.Asked.At.Add(v.Limits.DrainWithin)
	if left := v.leavers(); len(left) > 0 && !v.over(goneBy) {
		return wait(goneBy, PodsLeaving, "%s leaving; until %s.", are(left), clock(goneBy)), true
	}
	return Step{}, false
}

// leavers lists the pods beyond the goal that are still there.
func (v view) leavers() []Index {
	return v.indices(func(p Pod) bool { return p.Index >= Index(v.goal()) })
}

// kept lists those of them that nobody has even begun to delete.
func (v view) kept() []Index {
	return v.indices(func(p Pod) bool { return p.Index >= Index(v.goal()) && p.State != PodTerminating })
}

// overdue says who should have left and has not, for the end of a sentence.
func (v view) overdue() string {
	left := v.leavers()
	if len(left) == 0 {
		return ""
	}
	if until := v.killedBy(left); !v.over(until) {
		return fmt.Sprintf(" %s still leaving, and may take until %s to end.", are(left), clock(until))
	}
	return fmt.Sprintf(" %s still not gone after %s and may hold GPUs%s.",
		are(left), span(v.Limits.DrainWithin), v.where(left))
}

// killing is how long a pod may take to be gone once its node kills it.
const killing = 30 * time.Second

// killedBy is when the last of some pods is gone at the latest, if their nodes do what they are to. As long as a pod
// may take to end, it may save its state.
func (v view) killedBy(pods []Index) (at time.Time) {
	for _, p := range v.Pods {
		if slices.Contains(pods, p.Index) && !p.GoneBy.IsZero() {
			at = later(at, p.GoneBy.Add(killing))
		}
	}
	return at
}

func (v view) where(pods []Index) string {
	for _, p := range v.Pods {
		if p.Index == pods[0] && p.Node != "" {
			return fmt.Sprintf("; look at node %s", p.Node)
		}
	}
	return ""
}

// throughZero stops the job, waits until no pod is left, and asks for the goal.
// It needs no step once the job has been asked for the goal in this stage, or
// rests at zero where zero is the goal.
func (v view) throughZero(s Stage) (Step, bool) {
	asked, goal := v.asked(s), v.goal()
	if asked && !v.Job.Asked.Suspended {
		return Step{}, false
	}
	if !asked {
		if step, needed := v.mark(0); needed {
			return step, true
		}
		message := "Suspend the job."
		if goal > 0 {
			message = fmt.Sprintf("Suspend the job; it goes on at %s once all its pods are gone.", count(goal))
		}
		return v.ask(s, v.Job.Workers, true, JobStopping, message), true
	}
	if left := v.indices(func(Pod) bool { return true }); len(left) > 0 {
		return v.awaitZero(left), true
	}
	if goal == 0 {
		return Step{}, false
	}
	return v.ask(s, goal, false, SizeAsked, fmt.Sprintf("All pods are gone: start the job at %s.", count(goal))), true
}

func (v view) awaitZero(left []Index) Step {
	goneBy := later(v.Job.Asked.At.Add(v.Limits.StopWithin), v.killedBy(left))
	if !v.over(goneBy) {
		return wait(goneBy, PodsLeaving, "%s stopping; until %s.", are(left), clock(goneBy))
	}
	if kept := v.indices(func(p Pod) bool { return p.State != PodTerminating }); len(kept) > 0 {
		return add(Failed, PodsNotGone, "%s not being deleted, %s after the job was suspended. See that %s runs.",
			are(kept), span(v.Now.Sub(v.Job.Asked.At).Truncate(time.Second)), v.Job.Controller)
	}
	return add(Failed, PodsNotGone,
		"%s still not gone %s after the job was suspended%s. It stays suspended, because two workers "+
			"of one name cannot be told apart. If the node is dead for good: kubectl delete pod --force.",
		are(left), span(v.Now.Sub(v.Job.Asked.At).Truncate(time.Second)), v.where(left))
}

package resize

import (
	"fmt"
	"time"
)

// planWithin is how long a process may take to make its first plan: by then it has heard how far the jobs are.
const planWithin = 30 * time.Second

// commit waits for a moment at which little work would be lost, for a bounded
// time, and then writes the point of no return into the record. A checkpoint
// counts if it was completed after since, or shortly before.
func (v view) commit(since time.Time) Step {
	if v.committed() { // a process that has ended since has told the workers to go, and not written it down
		return v.told(add(Committed, JobStopping, "All workers have been told to go."))
	}
	if by := v.UnplannedSince.Add(planWithin); !v.starts() && !v.nodeGoes() && !v.over(by) {
		return wait(by, PlanExpected,
			"Takt has begun anew, and first looks whether this is still wanted; until %s.", clock(by))
	}
	if v.starts() {
		return add(Committed, PodsReady, "%s", v.startsWith())
	}
	reason, message, step, waits := v.save(since)
	if waits {
		return step
	}
	switch {
	case v.grows() && !v.cold():
		message += fmt.Sprintf(" The new pods are let in: %s from here on.", count(v.goal()))
	case v.cold() || v.Record.To == 0:
		message += " All workers are told to go."
	default:
		message += " The workers from worker-" + fmt.Sprint(v.Record.To) + " on are told to go."
	}
	return add(Committed, reason, "%s", message)
}

// startsWith says who is there as a job starts.
func (v view) startsWith() string {
	if missing := v.notTraining(); v.trainsOn() && len(missing) > 0 {
		return fmt.Sprintf("The training has begun, though %s not in it.", are(missing))
	}
	return "All pods are there. They start together."
}

func (v view) save(since time.Time) (reason Reason, message string, step Step, waits bool) {
	c, limits := v.Checkpoint, v.Limits
	working := len(v.indices(func(p Pod) bool { return p.State == PodTraining })) > 0
	counts := v.countsFrom(since)
	expected := c.ExpectedAt.After(v.Now) && !c.ExpectedAt.After(counts.Add(limits.CheckpointWithin))
	asked := v.saveAsked(since)
	completeBy := c.AskedAt.Add(limits.CheckpointWithin)
	answerBy := v.heardBy(c.AskedAt, c.UnreadAt)
	answered := asked && !c.AcknowledgedAt.Before(c.AskedAt)

	switch {
	case !working:
		return CheckpointNotPossible, "No worker trains, so there is no work to save.", Step{}, false
	case v.grows() && !v.cold() && !v.Agent:
		return CheckpointNotPossible, "Without the agent nothing holds the new pods back." + v.atStake(), Step{}, false
	case v.fresh(counts):
		return CheckpointMade, "A checkpoint was just made.", Step{}, false
	case asked && c.Declined:
		return CheckpointNotPossible, "The training cannot be asked for a checkpoint just now." + v.atStake(), Step{}, false
	case asked && answered && v.over(completeBy):
		return CheckpointNotCompleted, fmt.Sprintf(
			"The checkpoint that was asked for was not complete within %s.%s",
			span(limits.CheckpointWithin), v.atStake()), Step{}, false
	case asked && !answered && v.over(answerBy):
		return CheckpointNotAcknowledged, v.unanswered(answerBy) + v.atStake(), Step{}, false
	case asked && c.Partly: // a process has ended that was about to ask them
		return "", "", Step{Do: AskCheckpoint, AskedAt: c.AskedAt, Reason: CheckpointAsked,
			Message: "Ask the rest of the training to save its state."}, true
	case asked:
		until := answerBy
		if answered {
			until = completeBy
		}
		return "", "", wait(until, CheckpointExpected,
			"A checkpoint was asked for; until %s.", clock(until)), true
	case expected:
		return "", "", wait(c.ExpectedAt, CheckpointExpected,
			"The job makes a checkpoint by itself at about %s.", clock(c.ExpectedAt)), true
	case !v.Agent:
		return CheckpointNotPossible, "Without the agent nobody can be asked for a checkpoint." + v.atStake(),
			Step{}, false
	case c.Impossible:
		return CheckpointNotPossible, "The job does not say how it is asked for a checkpoint." + v.atStake(), Step{}, false
	default:
		return "", "", Step{Do: AskCheckpoint, AskedAt: later(v.Now, since), Reason: CheckpointAsked,
			Message: "Ask the training to save its state, so that the change loses no work."}, true
	}
}

// heardBy is until when somebody is to have heeded what was written for him at some moment, and until another was not
// read. As long as an agent says that it has not read it, it is waited for as long as for a checkpoint: it may take a
// node more than a minute to hand it on. Where a node goes, there is no time for that.
func (v view) heardBy(written, unread time.Time) time.Time {
	if v.nodeGoes() {
		unread = written
	}
	return earlier(later(written, unread).Add(v.Limits.AcknowledgeWithin), written.Add(v.Limits.CheckpointWithin))
}

// unanswered says of a request for a checkpoint that has not been answered by some moment who is to blame.
func (v view) unanswered(by time.Time) string {
	if c := v.Checkpoint; c.Unread {
		return fmt.Sprintf("The request for a checkpoint did not reach the training within %s: look why the kubelet of its "+
			"node has not handed it on.", span(by.Sub(c.AskedAt)))
	}
	return fmt.Sprintf("The training did not answer within %s when asked for a checkpoint.",
		span(v.Limits.AcknowledgeWithin))
}

// saveAsked says that a checkpoint was asked for after some moment.
func (v view) saveAsked(since time.Time) bool { return requested(v.Checkpoint.AskedAt, since) }

// requested says that a request was made, and after some moment. It is exact to the millisecond.
func requested(at, since time.Time) bool {
	return !at.IsZero() && !at.Before(since.Truncate(time.Millisecond))
}

// fresh says that a checkpoint was completed after some moment, or shortly before.
func (v view) fresh(since time.Time) bool {
	at := v.Checkpoint.CompletedAt
	return !at.IsZero() && !at.Before(since.Add(-v.Limits.CheckpointFresh))
}

// atStake says what goes without a checkpoint: the work since the last one.
func (v view) atStake() string {
	if v.Checkpoint.CompletedAt.IsZero() {
		return " No checkpoint is known, so work may be lost."
	}
	return fmt.Sprintf(" The work of the last %s is done again.", span(v.sinceSaved(v.Now, v.Checkpoint.CompletedAt)))
}

// letIn opens the barrier for all who wait at it, of those below size: the new
// pods, and whoever has replaced a worker in the meantime.
func (v view) letIn(size Workers) (Step, bool) {
	waiting := v.indices(func(p Pod) bool {
		return p.Index < Index(size) && p.State == PodAtBarrier && !p.LetIn
	})
	if len(waiting) == 0 {
		return Step{}, false
	}
	return Step{Do: LetIn, Pods: waiting, Reason: BarrierOpened,
		Message: fmt.Sprintf("Let %s into the training.", names(waiting))}, true
}

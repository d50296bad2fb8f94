package resize

import (
	"fmt"
	"slices"
	"time"
)

// verdict is how the training looks after its workers have changed.
type verdict int

const (
	unclear verdict = iota
	trains
	hangs
)

// enoughAdvances is how often the training must advance to be believed. One
// advance may have been in flight when the workers changed.
const enoughAdvances = 2

// patience is how many times as long as from one advance to the next a training
// may be silent after a change.
const patience = 4

// quieter is how many times as long as it told nothing after a change before a
// training may tell nothing after another.
const quieter = 2

// telling says that the training advances often enough to be judged by its silence.
// Of one that reports once an hour, has hardly reported yet, or tells nothing for long after each start,
// silence tells nothing: its workers are all that can be watched.
func (v view) telling() bool {
	p := v.Progress
	return p.Reported && p.Cadence > 0 && patience*p.Cadence <= v.Limits.StartWithin && !v.opensLate()
}

// rarest is the usual time from one advance to the next at the size that the job is to have: with fewer workers than
// before it may take as much longer.
func (v view) rarest() time.Duration {
	return max(v.Progress.Cadence, v.Progress.Alone/time.Duration(max(v.goal(), 1)))
}

// mayHardlyTell says that the training may advance too rarely at the size that it is to have to be judged by its
// silence, though it did not before.
func (v view) mayHardlyTell() bool { return v.telling() && patience*v.rarest() > v.Limits.StartWithin }

// neverSeenToStart says that nobody knows how long the training loads and compiles before it advances: it was taken
// over as it ran, and its workers have not changed since. Its silence tells nothing then, however often it advanced.
func (v view) neverSeenToStart() bool { return v.Progress.Starts == 0 && v.Progress.Quiet == 0 }

// opensLate says that the training was seen to tell nothing for long after its workers had changed.
func (v view) opensLate() bool { return quieter*v.Progress.Quiet > v.Limits.StartWithin }

// verify watches the training after a change. Where it is unclear, the step is
// the one to take; otherwise its reason and message say what was seen.
func (v view) verify() (Step, verdict) {
	since, window := v.since(), v.window()
	// Nobody has failed to advance while nobody was looking.
	watched := since
	if v.Progress.WatchedSince.After(watched) {
		watched = v.Progress.WatchedSince
	}
	missing, steady := v.notTraining(), v.steadyAt(since, watched)
	if len(missing) > 0 || v.over(v.Job.HeldBack) { // who is missing may not have been made before
		watched = later(watched, v.heldSince(since))
	}
	watched = later(watched, v.beganLate(since))
	quiet := len(missing) == 0 && !v.telling() // its workers are all that can be watched
	switch {
	case len(missing) == 0 && v.advances():
		return Step{Reason: ProgressSeen, Message: fmt.Sprintf("The training advances with %s.%s",
			count(v.goal()), v.overdue())}, trains
	case quiet && v.over(steady):
		return Step{Reason: WorkersRunning, Message: fmt.Sprintf("It has run with %s for %s; %s.%s",
			count(v.goal()), span(v.Limits.SteadyFor), v.silence(), v.overdue())}, trains
	}
	recycled := v.running() && v.recycled(since) // all of those that are started anew are new
	until := watched.Add(window)
	if recycled {
		until = until.Add(window)
	}
	if quiet && steady.After(until) { // they fell a moment ago
		until = earlier(steady, watched.Add(2*window))
	}
	if v.over(until) {
		if len(missing) == 0 && v.unseen(until) {
			return v.untold(until.Add(window))
		}
		if len(missing) == 0 && v.goesOn(watched, until) {
			return Step{Reason: ProgressSeen, Message: fmt.Sprintf("The training has gone on with %s.%s",
				count(v.goal()), v.overdue())}, trains
		}
		if len(missing) == 0 && v.telling() && v.neverSeenToStart() && v.over(steady) {
			return Step{Reason: WorkersRunning, Message: fmt.Sprintf("It runs with %s; how long it takes to start is not "+
				"known, as it was never seen to.%s", count(v.goal()), v.overdue())}, trains
		}
		if len(missing) == 0 && v.mayHardlyTell() && v.over(steady) {
			return Step{Reason: WorkersRunning, Message: fmt.Sprintf("It runs with %s; at this size it may report its progress "+
				"only every %s.%s", count(v.goal()), span(v.rarest()), v.overdue())}, trains
		}
		without := v.running() && v.trainedBefore(missing) || v.trainsOn() && v.advancedLate(watched, until)
		if len(missing) > 0 && without && v.advances() {
			return Step{Reason: ProgressSeen, Message: fmt.Sprintf("The training advances, though %s not in it.%s",
				are(missing), v.overdue())}, trains
		}
		worker, found := v.recyclable()
		if found && !recycled && (len(missing) == 0 || worker.Draining) {
			return v.recycle(worker), unclear
		}
		return Step{Reason: NoProgress, Message: v.noProgress(missing, until.Sub(watched))}, hangs
	}
	if quiet {
		until = steady
	}
	why := ""
	if len(missing) > 0 {
		why = v.holdsBack()
	}
	return wait(until, Verifying, "The training should advance with %s; until %s.%s",
		count(v.goal()), clock(until), why), unclear
}

// beganLate is when the workers have begun to train that were asked for again on the way back or for a restart, if
// their nodes have prepared them for longer than others take; zero if not.
func (v view) beganLate(since time.Time) time.Time {
	began, placed := time.Time{}, since.Add(v.Limits.PlaceWithin)
	for _, p := range v.Pods {
		began = later(began, v.past(p.RanAt))
	}
	if v.stage() == Forward || !began.After(placed.Add(v.Limits.ReadyWithin)) {
		return time.Time{}
	}
	return earlier(began, placed.Add(longerPrepared*v.Limits.ReadyWithin))
}

// unseen says that the training may well have advanced by then: whoever tells it could not be asked since.
func (v view) unseen(then time.Time) bool {
	return v.Progress.Reported && v.Progress.SeenAt.Before(then)
}

// untold waits for a training that nobody can be asked about. Its workers run, and in the end that has to do.
func (v view) untold(until time.Time) (Step, verdict) {
	if v.over(until) {
		return Step{Reason: WorkersRunning, Message: fmt.Sprintf("It runs with %s; its progress cannot be read.%s",
			count(v.goal()), v.overdue())}, trains
	}
	return wait(until, Verifying, "The training should have advanced with %s; its progress cannot be read. "+
		"If that stays so until %s, it is enough that they run.", count(v.goal()), clock(until)), unclear
}

// steadyAt is when the workers have run for long enough. The pods tell for how long they have, whoever looked at them:
// a process that is killed every few seconds would else never see them run for that long. It only has to know first
// that the progress tells nothing.
func (v view) steadyAt(since, watched time.Time) time.Time {
	from := since
	if !v.Progress.Heard {
		from = watched
	}
	for _, p := range v.Pods {
		if p.Index < Index(v.goal()) {
			from = later(from, later(v.past(p.CreatedAt), v.past(v.fell(p))))
		}
	}
	return from.Add(v.Limits.SteadyFor)
}

// past is a moment by the clock of another; zero if it is yet to come by ours: that tells nothing but that these
// differ.
func (v view) past(at time.Time) time.Time {
	if at.After(v.Now) {
		return time.Time{}
	}
	return at
}

// fell is when what trains in a pod fell and was started again, after a growth or a restart, which can be taken back:
// it may not be able to load its state at another size. In all other changes that tells nothing: who falls then may
// have reasons of its own, the others may train on, and to stop all of them would help nobody.
func (v view) fell(p Pod) time.Time {
	if v.starts() || !v.grows() && !v.cold() || v.stage() != Forward {
		return time.Time{}
	}
	return p.BeganAt
}

// startUp brings a job that was asked to start into training.
func (v view) startUp() (Step, verdict) {
	// Once the first is in training there is nothing left to gather. Without a
	// barrier that comes too early to tell, but then the record does.
	gathered := len(v.indices(func(p Pod) bool { return p.State == PodTraining })) > 0
	if v.stage() == Forward && !v.Agent {
		gathered = v.has(Ready)
	}
	if !gathered {
		if step, needed := v.gather(); needed {
			return step, unclear
		}
	}
	if step, needed := v.letIn(v.goal()); needed {
		return step, unclear
	}
	return v.verify()
}

// silence is why the training is not judged by its progress.
func (v view) silence() string {
	switch p := v.Progress; {
	case !p.Reported:
		return "the job does not report its progress"
	case p.Cadence == 0:
		return "how often the job reports its progress is not known yet"
	case v.opensLate():
		return fmt.Sprintf("the job may report nothing for %s after a start, as it did before", span(p.Quiet))
	default:
		return fmt.Sprintf("the job reports its progress only every %s", span(p.Cadence))
	}
}

// window is how long the training may take to advance: longer where it advances rarely, or was silent for longer before
// and went on. It is never longer for such a silence than a start may take: it may have hung even then.
func (v view) window() time.Duration {
	slow := time.Duration(0)
	if v.telling() {
		slow = max(min(patience*max(v.rarest(), v.Progress.Silent), v.Limits.StartWithin), quieter*v.Progress.Quiet)
	}
	return max(v.limit(), slow)
}

// startsAgain is how many times as long as it was seen to take a training may take to start anew.
const startsAgain = 3

func (v view) limit() time.Duration {
	again := time.Duration(0) // all processes start anew
	if v.Progress.Reported {
		again = startsAgain * v.Progress.Starts
	}
	switch start := max(v.Limits.StartWithin, again); {
	case v.running() && v.Progress.Reported && v.Progress.Starts == 0:
		return max(v.Limits.VerifyWithin, start)
	case v.running():
		return max(v.Limits.VerifyWithin, again)
	case v.stage() == Forward:
		return start
	default: // counted from before the pods were placed
		return v.Limits.PlaceWithin + v.Limits.ReadyWithin + start
	}
}

func (v view) advances() bool {
	p := v.Progress
	if !p.Reported || p.ResumedAt.IsZero() || p.Advances < enoughAdvances {
		return false
	}
	// Where nobody has joined, the training goes on as before: it has nothing to resume from.
	undisturbed := v.has(RollingBack) && !v.has(Committed) && p.AdvancedAt.After(v.changed())
	return undisturbed || v.resumed() && v.noticed()
}

// noticed says that a training that runs on has noticed that its workers are others: it has paused. One that goes on
// without any pause may be told of late, as it was before, or never pause at all: it has to go on for a while.
func (v view) noticed() bool {
	p := v.Progress
	return !v.running() || p.Cadence == 0 || p.Cadence >= v.Limits.SteadyFor || p.StoppedAt.IsZero() ||
		2*p.ResumedAt.Sub(p.StoppedAt) > 3*p.Cadence || p.AdvancedAt.Sub(p.ResumedAt) >= v.Limits.SteadyFor
}

// changed is the moment since which the training may have gone on with other workers than before.
func (v view) changed() time.Time {
	if !v.Agent {
		// Nobody holds the pods back, so they may train before they are counted.
		return v.Job.Asked.At
	}
	return v.since()
}

// resumed says that the training has met anew since the change, and has gone on.
func (v view) resumed() bool { return !v.Progress.ResumedAt.Before(v.changed()) }

// goesOn says that a training that was to lose workers has had nothing to resume from and advances still: those
// who were to leave were out of it already, as after an eviction. Early advances may be of those, so it takes some
// that came late in the time that it has.
func (v view) goesOn(since, until time.Time) bool {
	p := v.Progress
	return v.stage() == Forward && v.running() && !v.grows() && p.Reported && p.Advances >= enoughAdvances &&
		v.advancedLate(since, until)
}

// advancedLate says that the training has advanced in the second half of the time that it has.
func (v view) advancedLate(since, until time.Time) bool {
	return v.Progress.AdvancedAt.After(since.Add(until.Sub(since) / 2))
}

// notTraining lists the workers that should take part and do not.
func (v view) notTraining() []Index {
	training := v.indices(func(p Pod) bool { return p.State == PodTraining })
	var missing []Index
	for i := range Index(v.goal()) {
		if _, found := slices.BinarySearch(training, i); !found {
			missing = append(missing, i)
		}
	}
	return missing
}

// trainedBefore says that none of some workers has come with a growth: that they are missing now is not for it.
func (v view) trainedBefore(workers []Index) bool {
	return !slices.ContainsFunc(workers, func(i Index) bool { return i >= Index(v.Record.From) })
}

func (v view) noProgress(missing []Index, waited time.Duration) string {
	if len(missing) > 0 {
		return fmt.Sprintf("%s not in training %s after the change to %s.",
			are(missing), span(waited), count(v.goal()))
	}
	if falling := v.indices(v.falls); !v.telling() && len(falling) > 0 {
		whose := "its"
		if len(falling) > 1 {
			whose = "their"
		}
		return fmt.Sprintf("%s being started again and again, %s after the change to %s; look at %s logs.",
			are(falling), span(waited), count(v.goal()), whose)
	}
	return fmt.Sprintf("The training has not advanced with %s in %s.", count(v.goal()), span(waited))
}

// falls says that what trains in a pod fell a moment ago.
func (v view) falls(p Pod) bool {
	return p.Index < Index(v.goal()) && !v.over(v.fell(p).Add(v.Limits.SteadyFor))
}

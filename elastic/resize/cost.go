package resize

import "time"

// cost is what a resize has cost that ends with this step, if it has disturbed a training.
func (v view) cost(end Step) Cost {
	state := v.Job.State
	switch {
	case v.starts() || state == JobDeleted || len(v.Record.Conditions) == 0:
		return Cost{}
	case v.begun() && state != JobCutShort && v.measured():
		p := v.Progress
		return Cost{Measured: true, Pause: p.ResumedAt.Sub(p.StoppedAt), Lost: v.lost(p.StoppedAt, p.SavedAt)}
	case !v.has(Committed): // nobody has been disturbed
		return Cost{}
	case state == JobCutShort || state == JobFailed:
		return Cost{Lost: v.cutOff()}
	case !v.begun() || state == JobFinished:
		return Cost{} // it may have been done before it was disturbed
	case end.Reason == ProgressSeen:
		return Cost{Lost: v.lostUnwatched()}
	}
	stopped := v.stopped()
	cost := Cost{Pause: max(0, v.resumes(end).Sub(stopped))}
	if end.Condition != Failed && v.goal() == 0 {
		cost.Lost = v.cutOff() // nobody sees it go on
	} else if end.Condition != Failed || cost.Pause > 0 {
		cost.Lost = v.lost(stopped, v.saved())
	}
	return cost
}

// lostUnwatched is what a training has lost that nobody saw go on: nothing where it had nothing to resume from. Where
// nobody watched it before the change either, it may have saved its state meanwhile.
func (v view) lostUnwatched() time.Duration {
	committed, _ := v.condition(Committed)
	last := v.Progress.StoppedAt
	switch {
	case !v.resumed():
		return 0
	case v.telling() && !last.IsZero() && committed.At.Sub(last) > patience*v.Progress.Cadence:
		return max(0, v.Progress.Redoes)
	default:
		return v.lost(v.stopped(), v.saved())
	}
}

// cutOff is the work of a job that was stopped, or has ended before it was done, as far as no checkpoint has it: all
// since those who trained had begun where none is known.
func (v view) cutOff() time.Duration {
	stopped := v.stopped()
	if since := later(v.saved(), v.began(stopped)); !since.IsZero() {
		return max(0, stopped.Sub(since))
	}
	return 0
}

// measured says that the training was seen to stop and to go on.
func (v view) measured() bool {
	p := v.Progress
	return v.advances() && v.resumed() && !p.StoppedAt.IsZero() && !p.ResumedAt.Before(p.StoppedAt) && !v.missed()
}

// missed says that nobody watched for long between the last advance before the change and the first one that was seen
// after it: the training may have gone on at any time since.
func (v view) missed() bool {
	p := v.Progress
	return p.WatchedSince.Sub(p.StoppedAt) > patience*p.Cadence && !p.ResumedAt.Before(p.WatchedSince)
}

// stopped is when the training was last seen to advance before its workers changed: where that tells
// nothing, when they were changed.
func (v view) stopped() time.Time {
	committed, _ := v.condition(Committed)
	p := v.Progress
	if last := p.StoppedAt; v.telling() && !last.IsZero() && committed.At.Sub(last) <= patience*p.Cadence {
		return last
	}
	return committed.At
}

// resumes is when a training that was not seen to go on went on at the earliest: zero where it may not have stopped,
// or was to stop.
func (v view) resumes(end Step) time.Time {
	p := v.Progress
	trains := len(v.indices(func(p Pod) bool { return p.State == PodTraining })) > 0
	switch {
	case end.Condition != Failed && (v.goal() == 0 || v.running()):
		return time.Time{}
	case end.Condition != Failed:
		return v.since()
	case v.telling() && !p.ResumedAt.Before(v.changed()):
		return p.ResumedAt
	case !trains, v.telling() && v.Now.Sub(later(p.AdvancedAt, p.StoppedAt)) > patience*p.Cadence:
		return v.Now
	default:
		return time.Time{}
	}
}

// saved is when the newest checkpoint was completed from before the change. One from after it saves nothing of what was
// lost.
func (v view) saved() time.Time {
	newest := v.Checkpoint.CompletedAt
	if c, found := v.condition(Committed); found && newest.Sub(c.At) >= time.Second { // a line is as exact as that
		newest = time.Time{}
	}
	return later(v.Progress.SavedAt, newest)
}

// lost is the work from a checkpoint on until the training stopped, or more if the training is seen to do more anew.
func (v view) lost(stopped, saved time.Time) time.Duration {
	lost := max(0, v.Progress.Redoes)
	if !saved.IsZero() {
		lost = max(lost, v.sinceSaved(stopped, saved))
	}
	return lost
}

// sinceSaved is how long was trained since a checkpoint. Where the training went on from there after a pause, or was
// stopped since and lost that work, it is the time since it went on.
func (v view) sinceSaved(stopped, saved time.Time) time.Duration {
	return stopped.Sub(later(saved, v.began(stopped)))
}

// began is when those began to train who did so until they stopped: they may be the ones that train still.
func (v view) began(stopped time.Time) time.Time {
	if p := v.Progress; !p.TrainsSince.After(stopped) {
		return later(p.BeganAt, p.TrainsSince)
	}
	return v.Progress.BeganAt
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

func earlier(a, b time.Time) time.Time {
	if a.Before(b) {
		return a
	}
	return b
}

package resize

// UnderWay is what a planner has to know of a resize that is not over: how much of it the training has noticed.
type UnderWay struct {
	// Changes says that a training is between two sizes by it. One that starts, stops or goes back is not, nor one that
	// was seen to train on since it was committed: then it is known what that has cost.
	Changes bool
	// GoesBack says that it is on its way back.
	GoesBack bool
	// Unnoted says that no training knows of it, on its way to the size that was decided: nobody was told to go or to
	// join, and it can be withdrawn, or is already.
	Unnoted bool
	// Settled says that it cannot be withdrawn any more, or is withdrawn already.
	Settled bool
	// Stopped says that the training was stopped for a growth: it starts again at either size, which costs the same.
	Stopped bool
	// Unnoticed says that it goes back, and that the training goes on as before: it never knew of it.
	Unnoticed bool
}

// UnderWay is how far a resize has come. The pods do not matter for it.
func (o Observed) UnderWay() UnderWay {
	v := view{o}
	back := v.has(RollingBack)
	commit, committed := v.condition(Committed)
	goneOn := committed && v.Progress.ResumedAt.After(commit.At)
	return UnderWay{
		Changes:   !v.starts() && v.Record.To > 0 && !back && !goneOn,
		GoesBack:  back,
		Unnoted:   v.stage() == Forward && !v.committed(),
		Settled:   v.Withdrawn != "" || !v.withdrawable(),
		Stopped:   v.stopsToGrow(),
		Unnoticed: !v.starts() && back && !v.committed() && !v.has(Restarting),
	}
}

// withdrawable says that a resize can still be given up: nobody trains differently yet, or a job stops so that it may
// have more, which can as well start again with what it had.
func (v view) withdrawable() bool {
	return v.stage() == Forward && (!v.committed() || v.stopsToGrow())
}

// stopsToGrow says that all workers of a job were told to go so that it may have more, and that nobody has asked for
// new ones yet.
func (v view) stopsToGrow() bool {
	return v.stage() == Forward && v.has(Committed) && v.cold() && v.grows() && v.begun() && v.Job.Asked.Suspended
}

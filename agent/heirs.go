package agent

import (
	"slices"
	"syscall"
	"time"

	"github.com/takt-dev/takt/agent/process"
)

const (
	// heirsWithin is how long those are waited for at most that the command has left behind, where nobody knows the grace
	// period. Whoever has sent SIGTERM ends them sooner.
	heirsWithin = 10 * time.Minute
	endEvery    = 50 * time.Millisecond
)

// waitForHeirs gives those their time to end whom the command has left behind. A shell that was told to end does so
// at once, and what it has started hears nothing of that: as process 1 it would have heard nothing either, and the
// training would have had all of the grace period to save its state.
func (e *execution) waitForHeirs() {
	if !e.toldToEnd || e.command.Exit() != exitDrained {
		return
	}
	heirs := process.Heirs()
	if len(heirs) == 0 {
		return
	}
	within := heirsWithin
	if e.settings.Grace > 0 {
		within = e.settings.Grace
	}
	e.say("The command has ended, and what it has started has not: that is told to end as well, and has %s at most.",
		within)
	send(heirs, syscall.SIGTERM) // one of them may have ended by itself
	awaitEnd(heirs, within)
}

// awaitEnd waits until processes have ended, for so long at most.
func awaitEnd(pids []int, within time.Duration) {
	limit, look := time.NewTimer(within), time.NewTicker(endEvery)
	defer limit.Stop()
	defer look.Stop()
	for slices.ContainsFunc(pids, process.Runs) {
		select {
		case <-limit.C:
			return
		case <-look.C:
		}
	}
}

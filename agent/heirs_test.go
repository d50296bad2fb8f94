package agent

import (
	"syscall"
	"testing"
)

// A shell ends at once when it is told to. What it has started is told to end as well, and has the time to save its
// state.
func TestWhatAShellHasStartedHasItsTimeToEnd(t *testing.T) {
	const training = `(trap 'sleep 0.3; echo it is saved; exit 0' TERM; echo it trains; while :; do sleep .1; done); true`
	w := prepare(t, letIn).instead("sh", "-c", training).begin()
	w.hears("it trains")
	w.signal(syscall.SIGTERM)
	w.hears("it is saved")
	w.exits(143)
	w.says("what it has started has not")
}

// One that does nothing about SIGTERM is waited for by nobody, as ever.
func TestWhatIgnoresItsEndHoldsUpNothing(t *testing.T) {
	w := prepare(t, letIn).instead("sh", "-c", "(echo it trains; exec sleep 30); true").begin()
	w.hears("it trains")
	w.signal(syscall.SIGTERM)
	w.exits(143)
}

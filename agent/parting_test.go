package agent

import (
	"os"
	"syscall"
	"testing"
)

// torchrun says when it is told to end, by which it would close the rendezvous for all.
const torchrun = `#!/bin/sh
trap 'echo torchrun ends; kill $!; exit 1' TERM
"$@" &
echo it trains
wait
sleep 1000 & wait # for the others to end
`

// leaver is a worker of a training, which leaves it when it is told to end. forgottenAfter is how long others count on
// it.
func leaver(t *testing.T, annotations, grace, forgottenAfter string, training ...string) *wrapped {
	t.Helper()
	w := prepare(t, letIn+annotations, "--grace="+grace)
	if err := os.WriteFile(w.path("torchrun"), []byte(torchrun), 0o700); err != nil { //nolint:gosec // it is executed
		t.Fatal(err)
	}
	w.instead(append([]string{w.path("torchrun")}, training...)...)
	w.agent.Env = append(w.agent.Env, "FORGOTTEN_AFTER="+forgottenAfter)
	w.begin()
	w.hears("it trains")
	w.signal(syscall.SIGTERM)
	return w
}

const (
	leaves   = "takt.dev/draining=\"1795521600000\"\n"
	othersGo = leaves + "takt.dev/others-go-on=\"true\"\n"
	holds    = "The others go on without this worker"
)

// A shell that starts it is not it, and ends with it.
func TestALeaverWhoseTorchrunIsStartedByAShell(t *testing.T) {
	w := prepare(t, letIn)
	script := w.path("torchrun")
	if err := os.WriteFile(script, []byte(torchrun), 0o700); err != nil { //nolint:gosec // it is executed
		t.Fatal(err)
	}
	w = prepare(t, letIn+othersGo, "--grace=3h").instead("sh", "-c", `trap "exit 0" TERM; "$@" & wait $!`, "sh", script,
		"sleep", "1000")
	w.agent.Env = append(w.agent.Env, "FORGOTTEN_AFTER=1h")
	w.begin()
	w.hears("it trains")
	w.signal(syscall.SIGTERM)
	w.says(holds)
	w.signal(syscall.SIGTERM)
	w.exits(143)
	w.hears("")
}

// It trains on until the others have forgotten its torchrun, which hears nothing of its end.
func TestALeaverIsForgottenBeforeItEnds(t *testing.T) {
	w := leaver(t, othersGo, "1h", "10ms", "sleep", "1000")
	w.exits(143)
	w.says(holds)
	w.hears("")
}

func TestALeaverThatIsToldTwiceEndsAtOnce(t *testing.T) {
	w := leaver(t, othersGo, "3h", "1h", "sleep", "1000")
	w.says(holds)
	w.signal(syscall.SIGTERM)
	w.exits(143)
	w.hears("")
}

// A training that ends by itself meanwhile is its launcher's again: nobody else would take note of its end.
func TestALeaverWhoseTrainingEndsMeanwhile(t *testing.T) {
	w := prepare(t, letIn)
	done := w.path("done")
	w = leaver(t, othersGo, "3h", "1h", "sh", "-c", "until [ -e "+done+" ]; do sleep .01; done")
	w.says(holds)
	if err := os.WriteFile(done, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	w.hears("torchrun ends")
	w.exits(1)
}

func TestALeaverThatIsToldToEndAsEverythingIs(t *testing.T) {
	const saves = `trap 'sleep 0.1' TERM; while :; do sleep .1; done`
	for name, c := range map[string]struct {
		annotations, grace string
		training           []string
	}{
		"nobody goes on":            {leaves, "3h", []string{"sleep", "1000"}},
		"it does not leave":         {"takt.dev/others-go-on=\"true\"\n", "3h", []string{"sleep", "1000"}},
		"it has no time for that":   {othersGo, "60m5s", []string{"sleep", "1000"}},
		"nobody knows how long":     {othersGo, "0s", []string{"sleep", "1000"}},
		"it may want to save first": {othersGo, "60m20s", []string{"sh", "-c", saves}},
	} {
		t.Run(name, func(t *testing.T) {
			w := leaver(t, c.annotations, c.grace, "1h", c.training...)
			w.hears("torchrun ends")
			w.exits(1)
		})
	}
}

package agent

import (
	"os"
	"slices"
	"strings"
	"syscall"
	"testing"
)

// torchrun says when it is told to end, by which it would close the rendezvous for all, and when what it has started
// has ended, upon which it would meet the others again.
const torchrun = `trap 'echo torchrun ends; kill $!; exit 1' TERM
"$@" &
echo it trains
wait $!
echo torchrun begins anew
sleep 1000 &
wait
`

const (
	toStepAside = letIn + "takt.dev/step-aside=\"1795521600000\"\n"
	onceMore    = letIn + "takt.dev/step-aside=\"1795521600001\"\n"
	leaves      = toStepAside + "takt.dev/draining=\"1795521617000\"\n"
	holds       = "Its torchrun is held for"
	hasRead     = "takt_aside_request 1795521600000"
	isOver      = "takt_aside_over_request 1795521600000"
)

// launched is a worker whose training torchrun has started, as a shell would. Others count on it for some time after it
// was heard of.
func launched(t *testing.T, forgottenAfter string, training ...string) *wrapped {
	t.Helper()
	w := prepare(t, letIn)
	return w.launch(forgottenAfter, append(w.torchrun(), training...)...)
}

// torchrun is the command of a torchrun.
func (w *wrapped) torchrun() []string {
	w.t.Helper()
	if err := os.WriteFile(w.path("torchrun"), []byte(torchrun), 0o600); err != nil {
		w.t.Fatal(err)
	}
	return []string{"sh", w.path("torchrun")}
}

func (w *wrapped) launch(forgottenAfter string, words ...string) *wrapped {
	w.t.Helper()
	w.instead(words...)
	w.agent.Env = append(w.agent.Env, "FORGOTTEN_AFTER="+forgottenAfter, "PET_RDZV_BACKEND=c10d")
	w.begin()
	w.hears("it trains")
	return w
}

// stepsAside tells it to step aside, and waits until that is over.
func (w *wrapped) stepsAside() {
	w.t.Helper()
	w.annotate(toStepAside)
	w.metric(hasRead)
	w.metric(isOver)
}

// isToldToLeave tells it that it is to leave, and then to end.
func (w *wrapped) isToldToLeave() {
	w.t.Helper()
	w.annotate(leaves)
	w.metric("takt_draining 1")
	w.signal(syscall.SIGTERM)
}

// launchedUntil is a worker whose training ends once end is called.
func launchedUntil(t *testing.T, forgottenAfter string) (w *wrapped, end func()) {
	t.Helper()
	w = prepare(t, letIn)
	done := w.path("done")
	w.launch(forgottenAfter, append(w.torchrun(), "sh", "-c", "until [ -e "+done+" ]; do sleep .01; done")...)
	return w, func() {
		t.Helper()
		if err := os.WriteFile(done, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		w.hears("torchrun begins anew")
	}
}

// Its torchrun hears nothing of the end, so that the others hear nothing of it either.
func TestALeaverIsForgottenBeforeItEnds(t *testing.T) {
	w := launched(t, "10ms", "sleep", "1000")
	w.stepsAside()
	w.says(holds)
	w.isToldToLeave()
	w.exits(143)
	w.hears("")
}

// Whoever is told again while it steps aside does so once: the others have not forgotten it before.
func TestALeaverThatIsToldTwiceStepsAsideOnce(t *testing.T) {
	w, end := launchedUntil(t, "1h")
	w.annotate(toStepAside)
	w.says(holds)
	w.annotate(onceMore)
	w.metric("takt_aside_request 1795521600001")
	if text, err := get(t.Context(), w.address); err != nil || strings.Contains(text, "takt_aside_over_request") {
		t.Errorf("it is over before it was forgotten (%v): %s", err, text)
	}
	end()
	w.metric("takt_aside_over_request 1795521600001")
	w.signal(syscall.SIGTERM)
	w.exits(1)
}

// torchrun ends the process groups of what it has started: a shell may have started the training itself.
func TestALeaverEndsWithAllThatItHasStarted(t *testing.T) {
	w := launched(t, "10ms", "setsid", "sh", "-c", `trap "exit 0" TERM; `+
		`sh -c 'trap "echo it saves; exit 0" TERM; while :; do sleep .01; done' & wait`)
	w.stepsAside()
	w.isToldToLeave()
	w.hears("it saves")
	w.exits(143)
	w.hears("")
}

// A parent may stop with it, and nobody would let that go on.
func TestATorchrunOfAnotherIsNotHeld(t *testing.T) {
	for name, parent := range map[string][]string{
		"another program":                     {"timeout", "1h"},
		"a shell that looks for stopped jobs": {"bash", "-c", `set -m; "$@"; exit $?`, "bash"},
	} {
		t.Run(name, func(t *testing.T) {
			w := prepare(t, letIn)
			w.launch("1h", slices.Concat(parent, w.torchrun(), []string{"sleep", "1000"})...)
			w.stepsAside()
			if said := w.log.String(); strings.Contains(said, holds) {
				t.Errorf("it is held: %s", said)
			}
			w.signal(syscall.SIGTERM)
			<-w.ended
		})
	}
}

// A shell that starts it is not it, and ends with it.
func TestALeaverWhoseTorchrunIsStartedByAShell(t *testing.T) {
	w := prepare(t, letIn)
	shell := []string{"sh", "-c", `trap "exit 0" TERM; "$@" & wait $!`, "sh"}
	w.launch("10ms", slices.Concat(shell, w.torchrun(), []string{"sleep", "1000"})...)
	w.stepsAside()
	w.isToldToLeave()
	w.exits(143)
	w.hears("")
}

// A training that saves its state upon SIGTERM has its time.
func TestALeaverMaySaveAsItEnds(t *testing.T) {
	w := launched(t, "10ms", "sh", "-c", `trap "echo it saves; exit 0" TERM; while :; do sleep .01; done`)
	w.stepsAside()
	w.isToldToLeave()
	w.hears("it saves")
	w.exits(143)
	w.hears("")
}

// Nobody leaves after all, or not yet: everything is as if nothing had been.
func TestWhoHasSteppedAsideEndsAsEverybodyDoes(t *testing.T) {
	w := launched(t, "10ms", "sleep", "1000")
	w.stepsAside()
	w.signal(syscall.SIGTERM)
	w.hears("torchrun ends")
	w.exits(1)
}

func TestAHeldTorchrunHearsThatItIsToEnd(t *testing.T) {
	w := launched(t, "1h", "sleep", "1000")
	w.annotate(leaves)
	w.says(holds)
	w.signal(syscall.SIGTERM)
	w.hears("torchrun ends")
	w.exits(1)
}

// A training that ends while its torchrun is held is torchrun's again: nobody else would take note of its end.
func TestATrainingThatEndsMeanwhile(t *testing.T) {
	w, end := launchedUntil(t, "1h")
	w.annotate(leaves)
	w.says(holds)
	end()
	w.metric(isOver)
	w.signal(syscall.SIGTERM)
	w.hears("torchrun ends")
	w.exits(1)
}

// It has met the others again since they have forgotten it.
func TestALeaverThatHasBegunAnewIsForgottenNoMore(t *testing.T) {
	w, end := launchedUntil(t, "10ms")
	w.stepsAside()
	end()
	w.isToldToLeave()
	w.hears("torchrun ends")
	w.exits(1)
}

func TestWhoHasNothingToBeForgottenIsAsideAtOnce(t *testing.T) {
	w := wrap(t, letIn)
	w.stepsAside()
	w.annotate(leaves)
	w.metric("takt_draining 1")
	w.tell("exit 0")
	w.exits(143)
}

// A container that starts again finds what its pod was told before.
func TestWhatItWasToldBeforeTheStartIsOver(t *testing.T) {
	w := wrap(t, toStepAside)
	w.metric(isOver)
	w.tell("exit 0")
	w.exits(0)
}

func TestTheRendezvousIsThatOfTheCommandLineOrTheEnvironment(t *testing.T) {
	by := []string{"HOME=/root", "PET_RDZV_BACKEND=c10d"}
	for _, c := range []struct {
		line        string
		environment []string
		want        bool
	}{
		{"torchrun --rdzv-backend=c10d train.py", nil, true},
		{"torchrun --rdzv_backend c10d --nnodes 1:4 train.py", nil, true},
		{"torchrun --nnodes=1:4 train.py", nil, false},
		{"torchrun --nnodes=1:4 train.py", by, true},
		{"torchrun --rdzv-backend=etcd-v2 train.py", by, false},
		{"python -m torch.distributed.run --rdzv_backend", by, false},
		{"torchrun --rdzv-conf=last_call_timeout=2 train.py", by, true},
		{"torchrun --rdzv-conf=keep_alive_interval=60 train.py", by, false},
		{"torchrun train.py", append(by, "PET_RDZV_CONF=keep_alive_max_attempt=9"), false},
	} {
		if got := forgets(strings.Fields(c.line), c.environment); got != c.want {
			t.Errorf("%q with %v forgets who tells it nothing: %v", c.line, c.environment, got)
		}
	}
}

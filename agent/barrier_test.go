package agent

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/takt-dev/takt/agent/known"
	"github.com/takt-dev/takt/agent/podinfo"
)

const (
	held = "takt.dev/agent=\"true\"\n"
	// growth says that worker 2 is the first of those that have come to join others.
	growth = `takt.dev/gang="{\"epoch\":3,\"first\":2}"` + "\n"
)

func TestBarrierIsWaitedForAndNoLonger(t *testing.T) {
	for name, test := range map[string]struct {
		at    map[time.Duration]string // what the annotations are then
		ends  time.Duration            // when SIGTERM comes; never if 0
		want  time.Duration            // how long it waits
		start bool
		said  string
	}{
		"let in before":      {at: map[time.Duration]string{0: letIn}, start: true},
		"nobody holds it":    {at: map[time.Duration]string{0: "a=\"b\"\n"}, start: true},
		"said to be without": {at: map[time.Duration]string{0: "takt.dev/agent=\"false\"\n"}, start: true},
		"no file":            {start: true, said: "cannot be read"},
		"let in later": {at: map[time.Duration]string{0: held, time.Minute: letIn}, want: time.Minute, start: true,
			said: "let in after 1m"},
		"of an epoch before": {at: map[time.Duration]string{0: strings.ReplaceAll(letIn, "3", "2")}, want: 2 * time.Minute,
			start: true, said: "was not opened within 2m"},
		"of one after it": {at: map[time.Duration]string{0: strings.ReplaceAll(letIn, "3", "4")}, start: true},
		"never let in": {at: map[time.Duration]string{0: held}, want: 2 * time.Minute, start: true,
			said: "was not opened within 2m"},
		"let in late, of a growth": {at: map[time.Duration]string{0: held + growth, time.Hour: letIn}, want: time.Hour,
			start: true, said: "it waits on"},
		"never let in, of a growth that it does not come with": {at: map[time.Duration]string{
			0: held + strings.ReplaceAll(growth, "2", "3")}, want: 2 * time.Minute, start: true,
			said: "starts all the same"},
		"told to end, of a growth": {at: map[time.Duration]string{0: held + growth}, ends: time.Hour, want: time.Hour,
			said: "told to end"},
		"rubbish at first": {at: map[time.Duration]string{0: held + "takt.dev/let-in=3\n", time.Second: letIn},
			want: time.Second, start: true, said: "let in after 1"},
		"told to end": {at: map[time.Duration]string{0: held}, ends: time.Minute, want: time.Minute,
			said: "told to end"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				path := filepath.Join(t.TempDir(), "annotations")
				write := func(text string) {
					if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
						t.Error(err)
					}
				}
				signals := make(chan os.Signal, 2)
				for after, text := range test.at {
					if after == 0 {
						write(text)
					} else {
						time.AfterFunc(after, func() { write(text) })
					}
				}
				if test.ends > 0 {
					time.AfterFunc(test.ends, func() {
						signals <- syscall.SIGUSR1 // is for a training, which there is none of
						signals <- syscall.SIGTERM
					})
				}
				var said strings.Builder
				run, began := known.NewRun(), time.Now()
				say := func(format string, args ...any) { fmt.Fprintf(&said, format, args...) }
				exit, start := barrier{podinfo.NewFile(path), 3, 2, 2 * time.Minute, signals, run, say}.wait()
				if waited := time.Since(began); waited < test.want || waited > test.want+lookForBarrier {
					t.Errorf("it waits for %s, want %s", waited, test.want)
				}
				if start != test.start || !start && exit != 143 {
					t.Errorf("it starts: %v (%d), want %v", start, exit, test.start)
				}
				if !strings.Contains(said.String(), test.said) || test.said == "" && said.Len() > 0 {
					t.Errorf("it says %q, want %q", said.String(), test.said)
				}
				if waits := run.View().Waiting; waits != (test.want > 0) {
					t.Errorf("it has told that it waits: %v", waits)
				}
			})
		})
	}
}

func TestATrainingStartsWhenItIsLetIn(t *testing.T) {
	w := wrap(t, held)
	w.metric("takt_barrier_waiting 1")
	w.tell("say it trains")
	w.annotate(letIn)
	w.hears("it trains")
	w.metric("takt_barrier_waiting 0")
	w.tell("exit 0")
	w.exits(0)
}

func TestATrainingThatIsToldToEndBeforeIsNotStarted(t *testing.T) {
	w := wrap(t, held)
	w.metric("takt_barrier_waiting 1")
	w.tell("exit 0")
	w.signal(syscall.SIGTERM)
	w.exits(143)
	if text, _ := w.out.ReadString('\n'); text != "" {
		t.Errorf("it says %q", text)
	}
}

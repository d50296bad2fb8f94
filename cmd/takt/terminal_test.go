package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"
)

func TestProgressIsShownWhereItIsMissed(t *testing.T) {
	for name, test := range map[string]struct {
		takes time.Duration
		want  string
	}{
		"what is over soon":   {patience - 1, ""},
		"what takes its time": {patience + patience/10 + 1, "\r\x1b[K\x1b[?7l1\x1b[?7h\r\x1b[K\x1b[?7l2\x1b[?7h\r\x1b[K"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var terminal bytes.Buffer
				var calls atomic.Int64
				stop := redraw(&terminal, func() string { return string('0' + rune(calls.Add(1))) })
				<-time.After(test.takes)
				stop()
				if got := terminal.String(); got != test.want {
					t.Errorf("the terminal is sent %q, want %q", got, test.want)
				}
			})
		})
	}
}

func TestNoProgressWithoutATerminal(t *testing.T) {
	file, err := os.CreateTemp(t.TempDir(), "")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	for name, w := range map[string]io.Writer{"a file": file, "a buffer": &bytes.Buffer{}} {
		if isTerminal(w) {
			t.Errorf("%s is taken for a terminal", name)
		}
	}
}

func TestStandings(t *testing.T) {
	races := make([]race, 3)
	for i, policy := range []string{"takt", "edf", "fifo"} {
		races[i].policy = policy
	}
	if got, want := standings(races, 9, false), "policies done: 0 of 3, the bound not yet found"; got != want {
		t.Errorf("at first: %q, want %q", got, want)
	}
	races[0].done.Store(true)
	races[1].over.Store(4)
	races[2].over.Store(5)
	if got, want := standings(races, 9, true), "policies done: 1 of 3; jobs of 9 over: edf 4, fifo 5"; got != want {
		t.Errorf("later: %q, want %q", got, want)
	}
}

// An interrupt ends every command, also one that waits for input that never comes.
func TestInterrupt(t *testing.T) {
	trace, speeds := madeUp(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, line := range []string{"plan --file -",
		"sim --gpus 8 --policy all --trace " + trace + " --throughputs " + speeds} {
		synctest.Test(t, func(t *testing.T) {
			silent, end := io.Pipe()
			defer end.Close()
			var stdout, stderr bytes.Buffer
			code := run(ctx, "takt", strings.Fields(line), silent, &stdout, &stderr)
			if code != exitInterrupted || stdout.String() != "" || stderr.String() != "takt: interrupted\n" {
				t.Errorf("%s ends with %d, and says %q %q", line, code, stdout.String(), stderr.String())
			}
		})
	}
}

// A script tells from the code whether somebody has interrupted the program, or something has ended it.
func TestSignalsEndTheProgramAsShellsHaveIt(t *testing.T) {
	for sent, want := range map[syscall.Signal]int{syscall.SIGINT: 130, syscall.SIGTERM: 143} {
		ctx := untilSignalled()
		self, err := os.FindProcess(os.Getpid())
		if err != nil {
			t.Fatal(err)
		}
		if err := self.Signal(sent); err != nil {
			t.Fatal(err)
		}
		silent, end := io.Pipe()
		var stdout, stderr bytes.Buffer
		code := run(ctx, "takt", []string{"plan", "--file", "-"}, silent, &stdout, &stderr)
		_ = end.Close()
		if code != want || stdout.String() != "" || stderr.String() != "takt: interrupted\n" {
			t.Errorf("%v ends it with %d, want %d: %q %q", sent, code, want, stdout.String(), stderr.String())
		}
	}
}

// What needs no input is done as ever.
func TestHelpAndCompletionAreThere(t *testing.T) {
	for line, want := range map[string]string{
		"help": "On a cluster:", "help sim": "takt sim ", "completion": "powershell", "completion --help": "powershell",
		"completion bash": "# bash completion V2 for takt", "help completion bash": "bash-completion",
		"completion fish --no-descriptions": "fish completion for takt", "completion zsh --help": "zsh shell",
	} {
		got := call(t, "", strings.Fields(line)...)
		if got.code != exitDone || got.stderr != "" || !strings.Contains(got.stdout, want) {
			t.Errorf("%s ends with %d, and says %q %q, want %q", line, got.code, got.stdout, got.stderr, want)
		}
	}
}

// On a machine that has much else to do, even a command that ends at once when it is interrupted takes a while.
func TestInterruptedWorkSaysHowItEnds(t *testing.T) {
	ended := errors.New("ended")
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		late := func(context.Context) error { <-time.After(3 * time.Second); return ended }
		if err := interruptible(ctx, late); !errors.Is(err, ended) {
			t.Errorf("work that ends after 3 s is left behind with %v", err)
		}
		forever := make(chan error)
		defer close(forever)
		if err := interruptible(ctx, func(context.Context) error { return <-forever }); !errors.Is(err, context.Canceled) {
			t.Errorf("work that does not end is waited for, and says %v", err)
		}
	})
}

func TestInParallel(t *testing.T) {
	first, second := errors.New("first"), errors.New("second")
	var done atomic.Int64
	err := inParallel(t.Context(), 20, func(i int) error {
		done.Add(1)
		return map[int]error{3: first, 7: second}[i]
	})
	if !errors.Is(err, first) || done.Load() != 20 {
		t.Errorf("%d of 20 tasks were done, and the error is %v", done.Load(), err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	never := make(chan struct{})
	defer close(never)
	err = inParallel(ctx, 20, func(int) error {
		cancel()
		<-never
		return nil
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("tasks that do not end are waited for until %v", err)
	}
}

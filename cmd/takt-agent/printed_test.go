package main

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"
)

// patience is reached only where a test fails.
const patience = 30 * time.Second

// said is what the agent says, as it comes.
type said struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (s *said) Write(text []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.Write(text)
}

func (s *said) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.String()
}

// training is a command in the hands of the program. What is told to its standard input it prints.
type training struct {
	t     *testing.T
	said  said
	print io.WriteCloser
	ended chan struct{}
	agent *exec.Cmd
}

func begin(t *testing.T, program string, args ...string) *training {
	t.Helper()
	w := &training{t: t, ended: make(chan struct{}),
		agent: exec.CommandContext(t.Context(), program, append([]string{"exec", "--port=0"}, args...)...)}
	w.agent.Stdout, w.agent.Stderr = io.Discard, &w.said // what is written to no pipe is not read
	in, err := w.agent.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	w.print = in
	if err := w.agent.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		_ = w.agent.Wait()
		close(w.ended)
	}()
	t.Cleanup(func() {
		_ = in.Close()
		<-w.ended
	})
	return w
}

// prints has the training print lines.
func (w *training) prints(lines ...string) {
	w.t.Helper()
	if _, err := io.WriteString(w.print, strings.Join(lines, "\n")+"\n"); err != nil {
		w.t.Fatal(err)
	}
}

var servesAt = regexp.MustCompile(`serves its metrics at .*:(\d+)`)

// shows waits until each of these is in a line of the metrics that begins so.
func (w *training) shows(want ...string) {
	w.t.Helper()
	look := time.NewTicker(20 * time.Millisecond)
	defer look.Stop()
	limit := time.After(patience)
	last := ""
	for {
		select {
		case <-look.C:
		case <-limit:
			w.t.Fatalf("it never shows %q:\n%s%s", want, last, w.said.String())
		}
		match := servesAt.FindStringSubmatch(w.said.String())
		if match == nil {
			continue
		}
		last = get(w.t.Context(), "http://127.0.0.1:"+match[1]+"/metrics")
		missing := false
		for _, one := range want {
			missing = missing || !strings.Contains("\n"+last, "\n"+one)
		}
		if !missing {
			return
		}
	}
}

func get(ctx context.Context, address string) string {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return err.Error()
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return err.Error()
	}
	defer answer.Body.Close()
	text, _ := io.ReadAll(answer.Body)
	return string(text)
}

func TestTotalsAreFoundWhereATrainingSaysThem(t *testing.T) {
	program := build(t)
	for name, test := range map[string]struct {
		command []string
		lines   []string
		want    []string
	}{
		"in its command line": {
			[]string{"python", "train.py", "--max_steps", "1000"}, []string{"step 420, loss 0.3"},
			[]string{`takt_progress_done{unit="steps"} 420`, "takt_progress_total 1000"},
		},
		"below a launcher": {
			[]string{"torchrun", "--nnodes=1:4", "--max-restarts=100", "train.py", "--epochs=90"}, []string{
				"Epoch 3, loss 0.3", "Epoch 4, loss 0.2",
			},
			[]string{`takt_progress_done{unit="epochs"} 4`, "takt_progress_total 90"},
		},
		"in the script of a shell": {
			[]string{"bash", "-c", "cd /src && exec python train.py --num-epochs 12"}, []string{"Epoch: 0", "Epoch: 3"},
			[]string{`takt_progress_done{unit="epochs"} 3`, "takt_progress_total 12"},
		},
		"in the configuration that it prints": {
			[]string{"python", "train.py"}, []string{"Namespace(batch_size=64, epochs=14, lr=1.0)", "Epoch 3, loss 0.3"},
			[]string{`takt_progress_done{unit="epochs"} 3`, "takt_progress_total 14"},
		},
		"in both: what it prints is what holds": {
			[]string{"python", "train.py", "--max_steps=1000"}, []string{"max_steps: 500", "step 420, loss 0.3"},
			[]string{`takt_progress_done{unit="steps"} 420`, "takt_progress_total 500"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			folder := t.TempDir()
			// Whatever it is called, and whatever its options are, it prints what it is told.
			stub := filepath.Join(folder, test.command[0])
			if err := os.WriteFile(stub, []byte("#!/bin/sh\nexec cat\n"), 0o700); err != nil { //nolint:gosec // it is a program
				t.Fatal(err)
			}
			w := begin(t, program, append([]string{"--", stub}, test.command[1:]...)...)
			w.prints(test.lines...)
			w.shows(test.want...)
		})
	}
}

func TestACheckpointThatIsPrintedIsTold(t *testing.T) {
	program := build(t)
	for name, test := range map[string]struct {
		flags []string
		want  bool
	}{
		"where the job says nothing else":  {nil, true},
		"not where it has a pattern":       {[]string{"--checkpoint-pattern=^all is safe"}, false},
		"not where it names a path for it": {[]string{"--checkpoint-path=" + t.TempDir()}, false},
	} {
		t.Run(name, func(t *testing.T) {
			w := begin(t, program,
				append(test.flags, "--", "sh", "-c", `echo Saving model checkpoint to /out/checkpoint-50; sleep 1.1; exec cat`)...)
			w.prints("step 51/1000")
			w.shows(`takt_progress_done{unit="steps"} 51`)
			w.prints("step 52/1000")
			w.shows(`takt_progress_done{unit="steps"} 52`)
			address := "http://127.0.0.1:" + servesAt.FindStringSubmatch(w.said.String())[1] + "/metrics"
			if got := strings.Contains(get(t.Context(), address), "\ntakt_checkpoint_timestamp_seconds "); got != test.want {
				t.Errorf("a checkpoint is told: %v", got)
			}
		})
	}
}

package agent

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// patience is reached only where a test fails.
const patience = time.Minute

// wrapped is a puppet in the hands of the agent, both processes of their own.
type wrapped struct {
	t       *testing.T
	agent   *exec.Cmd
	in      io.WriteCloser
	out     *bufio.Reader
	folder  string
	log     log
	ended   chan struct{}
	address string // of the metrics, once they were read
}

// log is the standard error of the agent.
type log struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *log) Write(text []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(text)
}

func (l *log) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// annotated are the annotations of a pod that was let in.
const letIn = "takt.dev/agent=\"true\"\ntakt.dev/let-in=\"3\"\n"

// prepare makes an agent with these annotations on its pod, which is not started yet.
func prepare(t *testing.T, annotations string, flags ...string) *wrapped {
	t.Helper()
	w := &wrapped{t: t, folder: t.TempDir(), ended: make(chan struct{})}
	w.annotate(annotations)
	args := append([]string{"exec", "--annotations-file=" + w.path("annotations"), "--epoch=3", "--port=0"}, flags...)
	w.agent = exec.CommandContext(t.Context(), self(t), append(args, "--", self(t), "puppet")...)
	w.agent.Env = append(os.Environ(), "TMPDIR="+w.folder)
	w.agent.Stderr = &w.log
	return w
}

// instead has it wrap something else than a puppet.
func (w *wrapped) instead(words ...string) *wrapped {
	last := slices.Index(w.agent.Args, "--") + 1
	w.agent.Args = append(w.agent.Args[:last:last], words...)
	return w
}

// begin starts an agent.
func (w *wrapped) begin() *wrapped {
	w.t.Helper()
	if w.in == nil {
		in, err := w.agent.StdinPipe()
		if err != nil {
			w.t.Fatal(err)
		}
		w.in = in
	}
	out, theirs, err := os.Pipe()
	if err != nil {
		w.t.Fatal(err)
	}
	w.out, w.agent.Stdout = bufio.NewReader(out), theirs
	if err := w.agent.Start(); err != nil {
		w.t.Fatal(err)
	}
	_ = theirs.Close()
	go func() {
		_ = w.agent.Wait()
		close(w.ended)
	}()
	w.t.Cleanup(func() {
		_ = w.in.Close()
		_ = w.agent.Process.Kill()
		<-w.ended
		_ = out.Close()
	})
	return w
}

// wrap starts a puppet that was let in.
func wrap(t *testing.T, annotations string, flags ...string) *wrapped {
	t.Helper()
	return prepare(t, annotations, flags...).begin()
}

func self(t testing.TB) string {
	t.Helper()
	path, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return path
}

func (w *wrapped) path(name string) string { return filepath.Join(w.folder, name) }

// annotate writes the annotations of the pod as the kubelet does, all at once.
func (w *wrapped) annotate(text string) {
	w.t.Helper()
	if err := os.WriteFile(w.path("new"), []byte(text), 0o600); err != nil {
		w.t.Fatal(err)
	}
	if err := os.Rename(w.path("new"), w.path("annotations")); err != nil {
		w.t.Fatal(err)
	}
}

// tell tells the puppet what to do.
func (w *wrapped) tell(format string, args ...any) {
	w.t.Helper()
	if _, err := fmt.Fprintf(w.in, format+"\n", args...); err != nil {
		w.t.Fatal(err)
	}
}

// hears fails unless the next line that the puppet says is this one.
func (w *wrapped) hears(want string) {
	w.t.Helper()
	if got := w.line(); got != want {
		w.t.Fatalf("the training says %q, want %q; the agent: %s", got, want, w.log.String())
	}
}

func (w *wrapped) line() string {
	w.t.Helper()
	said := make(chan string, 1)
	go func() {
		line, _ := w.out.ReadString('\n')
		said <- strings.TrimSuffix(line, "\n")
	}()
	select {
	case line := <-said:
		return line
	case <-time.After(patience):
		w.t.Fatalf("the training says nothing; the agent: %s", w.log.String())
		return ""
	}
}

// signal sends a signal to the agent.
func (w *wrapped) signal(s syscall.Signal) {
	w.t.Helper()
	if err := w.agent.Process.Signal(s); err != nil {
		w.t.Fatal(err)
	}
}

// exits fails unless the agent exits with this code.
func (w *wrapped) exits(want int) {
	w.t.Helper()
	select {
	case <-w.ended:
	case <-time.After(patience):
		w.t.Fatalf("the agent does not end: %s", w.log.String())
	}
	if got := w.agent.ProcessState.ExitCode(); got != want {
		w.t.Errorf("the agent exits with %d (%v), want %d: %s", got, w.agent.ProcessState, want, w.log.String())
	}
}

// until looks again and again until something holds.
func (w *wrapped) until(what string, holds func() bool) {
	w.t.Helper()
	look := time.NewTicker(10 * time.Millisecond)
	defer look.Stop()
	limit := time.After(patience)
	for !holds() {
		select {
		case <-look.C:
		case <-limit:
			w.t.Fatalf("it never comes to this: %s; the agent: %s", what, w.log.String())
		}
	}
}

// says waits until the agent has said something.
func (w *wrapped) says(want string) {
	w.t.Helper()
	w.until("it says "+want, func() bool { return strings.Contains(w.log.String(), want) })
}

var portSaid = regexp.MustCompile(`serves its metrics at .*:(\d+)`)

// metric waits until a sample of the metrics is this one: name and value as they are written.
func (w *wrapped) metric(want string) {
	w.t.Helper()
	if w.address == "" {
		w.until("it says where its metrics are", func() bool {
			match := portSaid.FindStringSubmatch(w.log.String())
			if match != nil {
				w.address = "http://127.0.0.1:" + match[1] + "/metrics"
			}
			return match != nil
		})
	}
	last := ""
	defer func() {
		if w.t.Failed() {
			w.t.Log(last)
		}
	}()
	w.until(want, func() bool {
		text, err := get(w.t.Context(), w.address)
		last = text
		return err == nil && strings.Contains("\n"+text, "\n"+want+"\n")
	})
}

func get(ctx context.Context, address string) (string, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return "", err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return "", err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if response.StatusCode != http.StatusOK {
		err = errors.Join(err, errors.New(response.Status))
	}
	return string(text), err
}

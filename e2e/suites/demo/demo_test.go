// Package demo tests what make demo shows, and that it leaves nothing behind.
//
// Where its time goes, alone on two processors: 124 s, nearly all of it the demo itself, whose
// story takes as long as a person watches it.
package demo

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/takt-dev/takt/e2e/lib/cluster"
)

// built is the folder with the programs of the demo, which make demo has in bin.
var built string

func TestMain(m *testing.M) {
	code, err := run(m)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}

func run(m *testing.M) (code int, err error) {
	if built, err = os.MkdirTemp("", "takt-"); err != nil {
		return 1, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(built)) }()
	build := exec.CommandContext(context.Background(), "go", "build", "-o", built, "./cmd/takt-operator", "./hack/demo")
	build.Dir = cluster.Root()
	if output, err := build.CombinedOutput(); err != nil {
		return 1, fmt.Errorf("cannot build the demo: %w\n%s", err, output)
	}
	account := cluster.Account()
	defer func() { err = errors.Join(err, account()) }()
	return m.Run(), nil
}

// demo is a demo that runs. Everything that it leaves in temporary folders is in temp.
type demo struct {
	*exec.Cmd
	temp   string
	stdout *bufio.Scanner
	stderr bytes.Buffer
	said   strings.Builder
}

func start(t *testing.T, arguments ...string) *demo {
	t.Helper()
	d := &demo{temp: t.TempDir()}
	arguments = append([]string{"-operator", filepath.Join(built, "takt-operator")}, arguments...)
	d.Cmd = exec.CommandContext(t.Context(), filepath.Join(built, "demo"), arguments...)
	d.Env = append(os.Environ(), "TMPDIR="+d.temp)
	d.Stderr = &d.stderr
	stdout, err := d.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	d.stdout = bufio.NewScanner(io.TeeReader(stdout, &d.said))
	if err := d.Start(); err != nil {
		t.Fatal(err)
	}
	return d
}

// until reads until a line matches, and fails the test if none does.
func (d *demo) until(t *testing.T, pattern string) {
	t.Helper()
	for line := regexp.MustCompile(pattern); d.stdout.Scan(); {
		if line.MatchString(d.stdout.Text()) {
			return
		}
	}
	t.Fatalf("it never says %q: %v\n%s%s", pattern, d.Wait(), &d.said, &d.stderr)
}

// end reads all that is left, and gives the exit code.
func (d *demo) end(t *testing.T) int {
	t.Helper()
	for d.stdout.Scan() {
	}
	var failed *exec.ExitError
	if err := d.Wait(); err != nil && !errors.As(err, &failed) {
		t.Fatal(err)
	}
	return d.ProcessState.ExitCode()
}

// leavesNothing fails the test unless the demo's folders and processes are gone, soon.
func (d *demo) leavesNothing(t *testing.T) {
	t.Helper()
	limit := time.After(3 * time.Minute)
	ticker := time.NewTicker(100 * time.Millisecond)
	defer ticker.Stop()
	for {
		left := d.left(t)
		if len(left) == 0 {
			return
		}
		select {
		case <-ticker.C:
		case <-limit:
			t.Fatalf("it has left behind %q", left)
		}
	}
}

// left are the folders of the demo, and the processes in whose command line or surroundings they are.
func (d *demo) left(t *testing.T) []string {
	t.Helper()
	left, err := filepath.Glob(filepath.Join(d.temp, "*"))
	if err != nil {
		t.Fatal(err)
	}
	processes, err := filepath.Glob("/proc/[0-9]*")
	if err != nil {
		t.Fatal(err)
	}
	for _, process := range processes {
		for _, file := range []string{"cmdline", "environ"} {
			// It may have ended, or be somebody else's.
			if text, err := os.ReadFile(filepath.Join(process, file)); err == nil && bytes.Contains(text, []byte(d.temp)) {
				left = append(left, strings.ReplaceAll(string(text), "\x00", " "))
				break
			}
		}
	}
	return left
}

// It has the machine to itself: its deadlines are short.
func TestEveryDeadlineThatCanBeMetIsMet(t *testing.T) {
	pages := t.TempDir()
	d := start(t, "-page", pages)
	code := d.end(t)
	if code != 0 {
		t.Errorf("it ends with %d, and says %s", code, &d.stderr)
	}
	for _, want := range []string{
		`(?m)^  export KUBECONFIG=.*/kubeconfig$`,
		`(?m)^  bin/kubectl get elasticjobs,resizes$`,
		`search   starts with \d+ workers? \(Started\)\.`,
		`bert     grows from \d+ to \d+ workers \(\w+\)\.`,
		`(search|llama) +shrinks from \d+ to \d+ workers? \(GivenBack\)\.`,
		`search   trains with \d+ workers?, after a pause of \d`,
		`llama    Infeasible\. .*give it .* more time`,
		`bert     Met\. `,
		`Of the deadlines that could be met, 3 of 3 were met`,
		`takt-scheduler placed the new workers of [1-9]\d* resizes?, all of each at once\.`,
		`llama    cannot make it: told .* before`,
		`(?m)^What the operator's web page shows at the end is in .*/index.html\.$`,
		`(?m)^Taking the cluster down\.$`,
	} {
		if !regexp.MustCompile(want).MatchString(d.said.String()) {
			t.Errorf("it does not say %q", want)
		}
	}
	for file, wants := range map[string][]string{
		"index.html": {`<link rel="stylesheet" href="style.css">`, `href="search.html"`, `href="whisper.html"`},
		"bert.html":  {`<link rel="stylesheet" href="style.css">`, `href="index.html"`, "Met"},
		"style.css":  {"{"},
	} {
		page, err := os.ReadFile(filepath.Join(pages, file))
		if err != nil {
			t.Error(err)
		}
		for _, want := range wants {
			if !bytes.Contains(page, []byte(want)) {
				t.Errorf("%s has no %s:\n%s", file, want, page)
			}
		}
	}
	if strings.Contains(d.said.String(), "\x1b") {
		t.Error("it moves the cursor where there is no terminal")
	}
	if t.Failed() {
		t.Log(d.said.String())
	}
	d.leavesNothing(t)
}

// It is what DEMO_REAL=1 make demo shows.
func TestRealTrainingIsShown(t *testing.T) {
	if os.Getenv("TAKT_REAL") == "" {
		t.Skip("it needs real nodes: make e2e-real plays it")
	}
	if lacks := cluster.LacksRealTraining(); lacks != "" {
		fmt.Fprintf(os.Stderr, "\nSKIPPED, NOT PASSED: %s\n%s\n", t.Name(), lacks)
		t.Skip(lacks)
	}
	d := start(t, "-real")
	if code := d.end(t); code != 0 {
		t.Errorf("it ends with %d, and says %s", code, &d.stderr)
	}
	for _, want := range []string{
		`search   grows from \d+ to \d+ workers? \(SpareCapacity\)\.`,
		`search   (is stopped|shrinks from \d+ to \d+ workers?) \(\w+\)\.`,
		`bert     grows from \d+ to \d+ workers \(\w+\)\.`,
		`llama    Infeasible\. .*give it .* more time`,
		`Of the deadlines that could be met, 2 of 2 were met`,
	} {
		if !regexp.MustCompile(want).MatchString(d.said.String()) {
			t.Errorf("it does not say %q", want)
		}
	}
	if t.Failed() {
		t.Log(d.said.String())
	}
	d.leavesNothing(t)
}

func TestWhateverEndsItNothingStays(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		signal   syscall.Signal
		when     string
		wantCode int
	}{
		"Ctrl-C while the cluster starts": {syscall.SIGINT, `^Starting etcd`, 130},
		"Ctrl-C in the middle":            {syscall.SIGINT, `resnet   starts with`, 130},
		"it is killed":                    {syscall.SIGKILL, `resnet   starts with`, -1},
	}
	for name, test := range cases {
		t.Run(name, func(t *testing.T) {
			d := start(t)
			d.until(t, test.when)
			if err := d.Process.Signal(test.signal); err != nil {
				t.Fatal(err)
			}
			if code := d.end(t); code != test.wantCode {
				t.Errorf("it ends with %d, want %d\n%s%s", code, test.wantCode, &d.said, &d.stderr)
			}
			d.leavesNothing(t)
		})
	}
}

package main

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestSimDrawsAPage(t *testing.T) {
	trace, speeds := madeUp(t)
	path := filepath.Join(t.TempDir(), "page.html")
	if err := os.WriteFile(path, []byte("what was there before"), 0o600); err != nil {
		t.Fatal(err)
	}
	got := call(t, "", "sim", "--trace", trace, "--throughputs", speeds, "--gpus", "8", "--policy", "takt,fifo",
		"--failures", "48h", "--html", path)
	if want := "The page is in " + path + ".\n"; got.code != exitDone || got.stderr != want {
		t.Errorf("it ends with %d and says %q, want %q", got.code, got.stderr, want)
	}
	page, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"jobs on 8 GPUs", "Resize cost", "30s", "oracle with noise 0", "A node fails every",
		">fifo<"} {
		if !strings.Contains(string(page), want) {
			t.Errorf("the page does not say %q", want)
		}
	}
	if files, _ := os.ReadDir(filepath.Dir(path)); len(files) != 1 {
		t.Errorf("there is more than the page in its folder: %v", files)
	}
}

func TestAPageThatCannotBeWrittenIsToldBeforeTheWork(t *testing.T) {
	trace, speeds := madeUp(t)
	for path, want := range map[string]string{"/nowhere/page.html": "no such file",
		speeds: "is no file that can be replaced"} {
		got := call(t, "", "sim", "--trace", trace, "--throughputs", speeds, "--gpus", "8", "--html", path)
		if got.code != exitFailed || got.stdout != "" || !strings.Contains(got.stderr, want) {
			t.Errorf("with --html %s it ends with %d, and says %q %q", path, got.code, got.stdout, got.stderr)
		}
	}
}

func TestAFileThatIsNotCompleteReplacesNothing(t *testing.T) {
	path := filepath.Join(t.TempDir(), "page.html")
	if err := os.WriteFile(path, []byte("before"), 0o600); err != nil {
		t.Fatal(err)
	}
	r, err := newReplacement(path)
	if err != nil {
		t.Fatal(err)
	}
	broken := errors.New("broken")
	err = r.write(func(w io.Writer) error {
		_, _ = io.WriteString(w, "half of")
		return broken
	})
	r.discard()
	text, _ := os.ReadFile(path)
	files, _ := os.ReadDir(filepath.Dir(path))
	if !errors.Is(err, broken) || string(text) != "before" || len(files) != 1 {
		t.Errorf("after %v there is %q, among %v", err, text, files)
	}
}

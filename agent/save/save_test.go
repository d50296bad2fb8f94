package save

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
)

// On a volume that all workers share, the agent of each makes the same file at the same moment.
func TestManyMakeTheFileOfOneFolder(t *testing.T) {
	way := Way{File: filepath.Join(t.TempDir(), "save-now")}
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for range 200 {
				if err := way.Ask(7, 0); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	all.Wait()
	text, err := os.ReadFile(way.File)
	if err != nil || string(text) != "7\n" {
		t.Errorf("it says %q (%v)", text, err)
	}
	info, err := os.Stat(way.File)
	if err != nil || info.Mode() != 0o644 {
		t.Errorf("it may be read as %v (%v)", info.Mode(), err)
	}
	if left, _ := os.ReadDir(filepath.Dir(way.File)); len(left) != 1 {
		t.Errorf("%v are left behind", left)
	}
}

func TestWhatCannotBeMadeLeavesNothingBehind(t *testing.T) {
	folder := t.TempDir()
	way := Way{File: filepath.Join(folder, "save-now")}
	if err := os.MkdirAll(filepath.Join(way.File, "a-folder"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := way.Ask(7, 0); err == nil {
		t.Error("it takes the place of a folder")
	}
	if left, _ := os.ReadDir(folder); len(left) != 1 {
		t.Errorf("%v are left behind", left)
	}
}

// Who asks by a signal where nobody can tell who catches it is told so, and how else to ask.
func TestASandboxThatHidesWhoCatchesASignalIsNamed(t *testing.T) {
	err := signalTo(nil, true, syscall.SIGUSR1)
	if err == nil || !strings.Contains(err.Error(), "as in gVisor") ||
		!strings.Contains(err.Error(), "takt.dev/save-file") {
		t.Errorf("it says %v", err)
	}
}

package demo

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/takt-dev/takt/e2e/lib/cluster"
	"github.com/takt-dev/takt/hack/manual"
)

// Whatever the documents say to do with clusters on this machine is done, in a folder of its own.
func TestClustersOfTheDocuments(t *testing.T) {
	t.Parallel()
	book, err := manual.For(cluster.Root(), manual.Machine)
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	for _, name := range []string{"bin", "config", "hack"} {
		if err := os.Symlink(filepath.Join(cluster.Root(), name), filepath.Join(folder, name)); err != nil {
			t.Fatal(err)
		}
	}
	down := func() {
		_ = exec.CommandContext(cluster.AfterTest(t), cluster.Program("localcluster"), "down", "--dir",
			filepath.Join(folder, ".localcluster")).Run() // it may be down
		_ = os.RemoveAll(filepath.Join(folder, ".localcluster"))
	}
	t.Cleanup(down)
	shell := manual.Shell{
		Folder: folder, Environment: []string{"PATH=" + cluster.Program("") + ":" + os.Getenv("PATH")},
		Words: map[string]string{
			"up --feature-gates": "up --detach --feature-gates", // without it, it goes on until somebody ends it
			"kill %1":            "kill $!",                     // which is the same for a shell that nobody types into
		},
	}
	for _, p := range book.Take("", "") {
		if _, err := shell.Play(t.Context(), p); err != nil {
			t.Error(err)
		}
		if strings.Contains(p.Script, " up ") {
			down()
		}
	}
	if left := book.Left(); len(left) > 0 {
		t.Errorf("these are not played: %q", left)
	}
}

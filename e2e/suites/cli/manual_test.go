package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/e2e/lib/cluster"
	"github.com/takt-dev/takt/e2e/lib/training"
	"github.com/takt-dev/takt/e2e/lib/world"
	"github.com/takt-dev/takt/hack/manual"
)

// Whatever the documents say to call on a cluster with jobs is called on one, as it is written but for names.
func TestCommandsOfTheDocuments(t *testing.T) {
	t.Parallel()
	book, err := manual.For(cluster.Root(), manual.Jobs)
	if err != nil {
		t.Fatal(err)
	}
	h := newHome(t)
	pace := training.Speed{Base: 10, Scaling: 0.9}
	for _, name := range []string{"resnet", "bert"} {
		h.PyTorchJob(name, world.Job{
			Workers: 1, Max: 4, Suspended: true, Deadline: "1d", Training: world.Steps(60000, pace),
		})
	}
	h.Eventually("both jobs are judged", world.Later, func() error {
		for _, name := range []string{"resnet", "bert"} {
			if st := h.Job(name).Status; st.Verdict != v1alpha1.VerdictOnTrack || len(h.Resizes(name)) == 0 {
				return fmt.Errorf("%s is %s: %s", name, st.Verdict, st.Message)
			}
		}
		return nil
	})
	shell := h.shell()
	linked := book.TakeIf(func(p manual.Passage) bool { return strings.HasPrefix(p.Script, "ln ") })
	for _, p := range append(linked, book.Take("", "")...) { // kubectl takt is called further up
		if _, err := shell.Play(t.Context(), p); err != nil {
			t.Error(err)
		}
	}
	if left := book.Left(); len(left) > 0 {
		t.Errorf("these are not played: %q", left)
	}
}

// afterItsEnd plays what the documents say to call once a job has ended.
func (h *home) afterItsEnd() {
	h.t.Helper()
	book, err := manual.For(cluster.Root(), manual.Ended)
	if err != nil {
		h.t.Fatal(err)
	}
	shell := h.shell()
	for _, p := range book.Take("", "") {
		if _, err := shell.Play(h.t.Context(), p); err != nil {
			h.t.Error(err)
		}
	}
	if left := book.Left(); len(left) > 0 {
		h.t.Errorf("these are not played: %q", left)
	}
}

// shell is that of a person in the namespace of the world, in a folder of theirs with a job to submit. The operator is
// in the namespace of the world as well, which takt is told.
func (h *home) shell() *manual.Shell {
	h.t.Helper()
	folder, programs, home := h.t.TempDir(), h.t.TempDir(), h.t.TempDir()
	takt := fmt.Sprintf("#!/bin/bash\ncase $1 in\nwhy|whatif|snapshot|doctor|submit|trace)\n"+
		"  [[ \" $* \" = *' --help '* ]] || set -- \"$@\" --operator-namespace %s;;\nesac\nexec %s \"$@\"\n", h.Namespace,
		cluster.Program("takt"))
	for file, text := range map[string]string{
		filepath.Join(folder, "job.yaml"): manifest, filepath.Join(programs, "takt"): takt,
	} {
		if err := os.WriteFile(file, []byte(text), 0o700); err != nil { //nolint:gosec // one of them is a program
			h.t.Fatal(err)
		}
	}
	for from, to := range map[string]string{
		filepath.Join(folder, "bin"): filepath.Join(cluster.Root(), "bin"), filepath.Join(home, "bin"): programs,
		filepath.Join(programs, "kubectl"): cluster.Program("kubectl"),
	} {
		if err := os.Symlink(to, from); err != nil {
			h.t.Fatal(err)
		}
	}
	return &manual.Shell{
		Folder: folder,
		Environment: append(h.environment(), "HOME="+home,
			"PATH="+programs+string(os.PathListSeparator)+os.Getenv("PATH")),
		Words: map[string]string{
			"JOB": "resnet", "--gpus N": "--gpus 8", "team-a/": h.Namespace + "/", "resnet-3": "resnet-1",
			"https://127.0.0.1:8443": "https://" + h.address, "seconds=40": "seconds=1",
			// These go on until somebody ends them, or tell by their code what they have found. But for --foreground,
			// timeout interrupts twice, and a second time ends takt before it can say how it ends.
			"takt list --watch": "timeout --foreground --preserve-status -s INT 20 takt list --watch",
			"takt list -A --w":  "timeout --foreground --preserve-status -s INT 20 takt list -A --w",
			"takt doctor\n":     "takt doctor || [ $? = 3 ]\n",
		},
	}
}

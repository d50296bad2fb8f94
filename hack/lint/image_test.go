package lint

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// What .dockerignore lets through is all that the Dockerfile builds the programs from.
func TestTheDockerfileGetsAllThatTheProgramsAreBuiltFrom(t *testing.T) {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(root, ".dockerignore"))
	if err != nil {
		t.Fatal(err)
	}
	through := func(folder string) bool {
		return slices.ContainsFunc(strings.Fields(string(text)), func(word string) bool {
			kept, let := strings.CutPrefix(word, "!")
			return let && (folder == kept || strings.HasPrefix(folder, kept+"/"))
		})
	}
	packages := 0
	for module, programs := range map[string][]string{
		".":         {"./cmd/takt-operator", "./cmd/takt-agent", "./cmd/takt", "./hack/image/notices"},
		"scheduler": {"./cmd/takt-scheduler"},
	} {
		list := exec.CommandContext(t.Context(), "go", append([]string{"list", "-deps", "-f", "{{.Dir}}"}, programs...)...)
		list.Dir = filepath.Join(root, module)
		list.Stderr = os.Stderr
		folders, err := list.Output()
		if err != nil {
			t.Fatal(err)
		}
		for folder := range strings.FieldsSeq(string(folders)) {
			ours, err := filepath.Rel(root, folder)
			if err != nil || strings.HasPrefix(ours, "..") {
				continue
			}
			packages++
			if !through(ours) {
				t.Errorf("The programs are built from %s, and .dockerignore keeps it out: add it there.", ours)
			}
		}
	}
	if packages < 20 {
		t.Errorf("Only %d packages of Takt are looked at.", packages)
	}
}

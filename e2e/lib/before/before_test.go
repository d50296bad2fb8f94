package before

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// repository is one in which kinds/a.yaml was written, changed, and left alone by a last commit.
func repository(t *testing.T) string {
	t.Helper()
	for _, name := range []string{"GIT_AUTHOR_NAME", "GIT_COMMITTER_NAME"} {
		t.Setenv(name, "a")
	}
	for _, name := range []string{"GIT_AUTHOR_EMAIL", "GIT_COMMITTER_EMAIL"} {
		t.Setenv(name, "a@example.com")
	}
	t.Setenv("GIT_CONFIG_GLOBAL", "/dev/null")
	root := t.TempDir()
	did(t, root, "init", "-q")
	if err := os.MkdirAll(filepath.Join(root, "kinds"), 0o750); err != nil {
		t.Fatal(err)
	}
	for _, step := range []struct{ file, text string }{
		{"kinds/a.yaml", "old"}, {"kinds/a.yaml", "new"}, {"other", "text"},
	} {
		if err := os.WriteFile(filepath.Join(root, step.file), []byte(step.text), 0o600); err != nil {
			t.Fatal(err)
		}
		did(t, root, "add", ".")
		did(t, root, "commit", "-q", "-m", step.text)
	}
	return root
}

func did(t *testing.T, root string, arguments ...string) {
	t.Helper()
	if _, err := git(t.Context(), root, arguments...); err != nil {
		t.Fatal(err)
	}
}

func TestFilesAreAsTheyWereBefore(t *testing.T) {
	to := t.TempDir()
	if err := Write(t.Context(), repository(t), "kinds", to); err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(filepath.Join(to, "a.yaml")); err != nil || string(text) != "old" {
		t.Errorf("it is %q (%v)", text, err)
	}
}

// Else a test of upgrades would be left out where nobody looks.
func TestAShallowCloneIsNotTakenForAll(t *testing.T) {
	of, clone := repository(t), filepath.Join(t.TempDir(), "clone")
	did(t, of, "clone", "-q", "--depth", "1", "file://"+of, clone)
	if err := Write(t.Context(), clone, "kinds", t.TempDir()); !errors.Is(err, ErrShallow) {
		t.Errorf("of a shallow clone it says %v", err)
	}
}

func TestSourcesWithoutHistoryAreToldApart(t *testing.T) {
	folder := t.TempDir()
	t.Setenv("GIT_CEILING_DIRECTORIES", filepath.Dir(folder))
	if err := Write(t.Context(), folder, "kinds", t.TempDir()); !errors.Is(err, ErrNoRepository) {
		t.Errorf("of a mere folder it says %v", err)
	}
}

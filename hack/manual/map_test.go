package manual

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// packages are the folders with code of Go right below a folder.
func packages(t *testing.T, below string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(repository, below, "*", "*.go"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no code is below %q (%v)", below, err)
	}
	var all []string
	for _, file := range files {
		name := filepath.Base(filepath.Dir(file))
		if len(all) == 0 || all[len(all)-1] != name {
			all = append(all, name)
		}
	}
	return all
}

// Whoever opens the repository finds each of its folders with code in the README.
func TestTheREADMESaysWhatEachFolderIs(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(repository, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, part, found := strings.Cut(string(text), "\n## What is here\n")
	if !found {
		t.Fatal("README.md does not say what is here")
	}
	part, _, _ = strings.Cut(part, "\n## ")
	for _, name := range packages(t, "") {
		if !strings.Contains(part, "`"+name+"/`") {
			t.Errorf("README.md does not say what %s/ is", name)
		}
	}
}

// The map has each package of the core, the operator and the commands.
func TestTheArchitectureHasEachPackage(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(repository, "docs", "architecture.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, below := range []string{"", "elastic", "operator", "cli"} {
		for _, name := range packages(t, below) {
			path := filepath.Join(below, name)
			if !strings.Contains(string(text), "`"+path+"`") && !strings.Contains(string(text), "`"+name+"`") {
				t.Errorf("docs/architecture.md does not say what %s is", path)
			}
		}
	}
}

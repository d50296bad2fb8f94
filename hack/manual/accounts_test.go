package manual

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"
)

// Whoever judges whether Takt is safe to have finds each account that an installation makes, and what it may do.
func TestThePageOnSecurityTellsOfEachAccount(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(repository, "docs", "security.md"))
	if err != nil {
		t.Fatal(err)
	}
	found := accounts(t)
	for name, file := range found {
		if !strings.Contains(string(text), "\n| `"+name+"` | ") {
			t.Errorf("docs/security.md does not say what the account %s of %s may do", name, file)
		}
	}
	if len(found) < 4 {
		t.Errorf("only these are found: %v", found)
	}
}

// accounts are those that the manifests make, and where.
func accounts(t *testing.T) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(filepath.Join(repository, "config"), func(path string, _ fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".yaml" {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for document := range strings.SplitSeq(string(text), "\n---\n") {
			var object struct {
				Kind     string
				Metadata struct{ Name string }
			}
			if err := yaml.Unmarshal([]byte(document), &object); err != nil {
				continue // a patch is a list
			}
			if object.Kind == "ServiceAccount" {
				all[object.Metadata.Name] = path
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

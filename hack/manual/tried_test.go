package manual

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// Where the manual tells of what could not be tried, it names the versions that were: those of the modules that the
// tests are built from.
func TestTheManualNamesTheVersionsThatWereTried(t *testing.T) {
	text := func(path string) string {
		text, err := os.ReadFile(filepath.Join(repository, path))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	_, tried, found := strings.Cut(text("docs/operations.md"), "\n## What could not be tried\n")
	if !found {
		t.Fatal("docs/operations.md does not say what could not be tried")
	}
	for name, of := range map[string]struct{ file, module string }{
		"Kubernetes":        {"localcluster/go.mod", "k8s.io/kubernetes"},
		"training-operator": {"localcluster/trainingoperator/go.mod", "github.com/kubeflow/training-operator"},
		"Helm":              {"hack/packaging/go.mod", "helm.sh/helm/v4"},
	} {
		version := regexp.MustCompile(`(?m)^\s*` + regexp.QuoteMeta(of.module) + ` v(\S+)`).FindStringSubmatch(text(of.file))
		if version == nil {
			t.Fatalf("%s has no %s", of.file, of.module)
		}
		row := regexp.MustCompile(`(?m)^\| ` + name + ` \| (.*)`).FindString(tried)
		if !strings.Contains(row, version[1]) {
			t.Errorf("docs/operations.md does not say that %s was tried as %s alone: %q", name, version[1], row)
		}
	}
}

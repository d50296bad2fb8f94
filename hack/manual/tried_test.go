package manual

import (
	"regexp"
	"strings"
	"testing"
)

// Where the manual tells of what could not be tried, it names the versions that were: those of the modules that the
// tests are built from.
func TestTheManualNamesTheVersionsThatWereTried(t *testing.T) {
	_, tried, found := strings.Cut(text(t, "docs/operations.md"), "\n## What could not be tried\n")
	if !found {
		t.Fatal("docs/operations.md does not say what could not be tried")
	}
	for name, of := range map[string]struct{ file, module string }{
		"Kubernetes":        {"localcluster/go.mod", "k8s.io/kubernetes"},
		"training-operator": {"localcluster/trainingoperator/go.mod", "github.com/kubeflow/training-operator"},
		"Helm":              {"hack/packaging/go.mod", "helm.sh/helm/v4"},
	} {
		row := regexp.MustCompile(`(?m)^\| ` + name + ` \| (.*)`).FindString(tried)
		if version := versionOf(t, of.file, of.module); !strings.Contains(row, version) {
			t.Errorf("docs/operations.md does not say that %s was tried as %s alone: %q", name, version, row)
		}
	}
}

// Whoever opens the repository is told what was tried, and not what is hoped.
func TestTheREADMENamesTheKubernetesThatWasTried(t *testing.T) {
	tried := versionOf(t, "localcluster/go.mod", "k8s.io/kubernetes")
	minor := tried[:strings.LastIndex(tried, ".")]
	oldest := regexp.MustCompile(`(?m)^kubeVersion: ">=([0-9]+\.[0-9]+)\.`).FindStringSubmatch(
		text(t, "charts/takt/Chart.yaml"))
	if oldest == nil {
		t.Fatal("charts/takt/Chart.yaml names no Kubernetes")
	}
	before, _, _ := strings.Cut(text(t, "README.md"), "\n## ")
	for _, want := range []string{"Kubernetes " + oldest[1] + " or later", "tried on [" + minor + "]"} {
		if !strings.Contains(before, want) {
			t.Errorf("README.md does not begin with %q", want)
		}
	}
}

// versionOf is the version of a module that a go.mod asks for.
func versionOf(t *testing.T, file, module string) string {
	t.Helper()
	version := regexp.MustCompile(`(?m)^(?:require)?\s*` + regexp.QuoteMeta(module) + ` v(\S+)`).
		FindStringSubmatch(text(t, file))
	if version == nil {
		t.Fatalf("%s has no %s", file, module)
	}
	return version[1]
}

// The peers that are compared by reading them are those that are compared by measuring them.
func TestPeersAreReadInTheVersionsThatAreMeasured(t *testing.T) {
	const peers = "e2e/benchmarks/peers/"
	for name, of := range map[string]struct{ file, module string }{
		"kube-scheduler, Job controller":   {"scheduler/go.mod", "k8s.io/kubernetes"},
		"coscheduling (scheduler-plugins)": {peers + "coscheduling/go.mod", "sigs.k8s.io/scheduler-plugins"},
		"Kueue":                            {peers + "kueue/go.mod", "sigs.k8s.io/kueue"},
	} {
		row := regexp.MustCompile(`(?m)^\| ` + regexp.QuoteMeta(name) + ` (\S+) `).FindStringSubmatch(
			text(t, "docs/comparison.md"))
		if measured := versionOf(t, of.file, of.module); row == nil || row[1] != measured {
			t.Errorf("docs/comparison.md tells of %s %q, and %s is measured (%s)", name, row, measured, of.file)
		}
	}
}

// Whoever has one of the systems already finds what becomes of it beside Takt.
func TestEachSystemThatIsComparedIsToldOfBesideTakt(t *testing.T) {
	page := text(t, "docs/comparison.md")
	_, beside, found := strings.Cut(page, "\n## Beside each other\n")
	if !found {
		t.Fatal("docs/comparison.md has no part “Beside each other”")
	}
	beside, _, _ = strings.Cut(beside, "\n## ")
	told := map[string]bool{}
	for _, bullet := range regexp.MustCompile(`(?m)^- \*\*(.*?)\*\*`).FindAllStringSubmatch(beside, -1) {
		for name := range strings.SplitSeq(bullet[1], ", ") {
			told[name] = true
		}
	}
	rows := regexp.MustCompile(`(?m)^\| ([A-Za-z][A-Za-z -]*[a-zA-Z])`).FindAllStringSubmatch(page, -1)
	for _, row := range rows {
		if !told[row[1]] {
			t.Errorf("docs/comparison.md compares %s, and does not say what becomes of it beside Takt", row[1])
		}
	}
	if len(rows) < 9 {
		t.Errorf("only these systems are found: %q", rows)
	}
}

package install

import (
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	coordinationv1 "k8s.io/api/coordination/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/yaml"

	"github.com/takt-dev/takt/e2e/lib/cluster"
	"github.com/takt-dev/takt/hack/manual"
)

// documents are played step by step, as they are written.
type documents struct {
	book  *manual.Book
	shell manual.Shell
}

func open(t *testing.T) *documents {
	t.Helper()
	book, err := manual.For(cluster.Root(), manual.Installation)
	if err != nil {
		t.Fatal(err)
	}
	home := t.TempDir()
	return &documents{book, manual.Shell{
		Folder: cluster.Root(),
		Environment: []string{
			"KUBECONFIG=" + fresh.Kubeconfig(), "KUBECACHEDIR=" + home, "HELM_CACHE_HOME=" + home, "HELM_CONFIG_HOME=" + home,
			"HELM_DATA_HOME=" + home,
			"PATH=" + cluster.Program("") + ":" + cluster.Program("tools") + ":" + os.Getenv("PATH"),
		},
		Words: map[string]string{"takt doctor\n": "takt doctor || [ $? = 3 ]\n"}, // it tells by its code what it has found
	}}
}

// do plays what a file has under a heading, or a command of it.
func (d *documents) do(t *testing.T, file, headingOrCommand string) {
	t.Helper()
	passages := d.book.TakeIf(func(p manual.Passage) bool {
		return p.File == file && (p.Heading == headingOrCommand || strings.HasPrefix(p.Script, headingOrCommand))
	})
	if len(passages) == 0 {
		t.Errorf("%s has nothing under %q, or nothing that was not played before", file, headingOrCommand)
	}
	d.play(t, passages)
}

func (d *documents) play(t *testing.T, passages []manual.Passage) {
	t.Helper()
	for _, p := range passages {
		if _, err := d.shell.Play(t.Context(), p); err != nil {
			t.Error(err)
		}
	}
}

const operations = "docs/operations.md"

// watch plays what is done to an installation that works, which has a lease as if programs ran in the pods of simulated
// nodes, and beside the kinds by which Prometheus is told what to do.
func (d *documents) watch(t *testing.T) {
	t.Helper()
	if _, err := fresh.Kubectl(t.Context(), "apply", "--server-side", "-f",
		"e2e/suites/install/testdata/prometheus-kinds.yaml"); err != nil {
		t.Fatal(err)
	}
	if _, err := fresh.Kubectl(t.Context(), "wait", "--for=condition=Established", "crd", "--all"); err != nil {
		t.Fatal(err)
	}
	lease := &coordinationv1.Lease{ObjectMeta: metav1.ObjectMeta{Name: operator}}
	leases := client(t).CoordinationV1().Leases("takt-system")
	if _, err := leases.Create(t.Context(), lease, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	d.do(t, operations, "kubectl create clusterrolebinding takt-metrics-reader ")
	d.do(t, operations, "A page for people")
	d.play(t, d.book.Take("docs/runbooks.md", ""))
	d.play(t, d.book.TakeIf(func(p manual.Passage) bool {
		return !p.Fenced && p.File != schedulerPage && slices.ContainsFunc(
			[]string{"kubectl -n takt-system ", "kubectl apply ", "helm "}, func(begins string) bool {
				return strings.HasPrefix(p.Script, begins)
			})
	}))
	d.do(t, operations, "kubectl delete -k config/prometheus")
	if err := leases.Delete(t.Context(), operator, metav1.DeleteOptions{}); err != nil {
		t.Error(err)
	}
}

// backUp copies what Takt has learned, loses it, and brings it back.
func (d *documents) backUp(t *testing.T) {
	t.Helper()
	const learned = `
apiVersion: v1
kind: Namespace
metadata: {name: copied}
---
apiVersion: takt.dev/v1alpha1
kind: TrainingQueue
metadata: {name: copied}
spec: {weight: 3}
---
apiVersion: takt.dev/v1alpha1
kind: TrainingProfile
metadata: {name: copied, namespace: copied}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: takt-records-copied, namespace: takt-system, labels: {takt.dev/records-of: copied}}
data: {jobs: copied}
`
	kubectl := func(arguments ...string) string {
		t.Helper()
		said, err := fresh.Kubectl(t.Context(), arguments...)
		if err != nil {
			t.Fatal(err)
		}
		return said
	}
	if _, err := fresh.KubectlWith(t.Context(), learned, "apply", "--server-side", "-f", "-"); err != nil {
		t.Fatal(err)
	}
	kubectl("--namespace", "copied", "patch", "trainingprofile", "copied", "--subresource", "status", "--type", "merge",
		"--patch", `{"status": {"jobs": 7}}`)
	folder := d.shell.Folder
	d.shell.Folder = t.TempDir()
	d.do(t, operations, "Back up")
	kubectl("delete", "trainingqueue", "copied")
	kubectl("--namespace", "copied", "delete", "trainingprofile", "copied")
	kubectl("--namespace", "takt-system", "delete", "configmap", "takt-records-copied")
	d.do(t, operations, "Bring back")
	d.shell.Folder = folder
	for what, want := range map[string]string{
		"trainingqueue/copied={.spec.weight}":                                "3",
		"--namespace copied trainingprofile/copied={.status.jobs}":           "7",
		"--namespace takt-system configmap/takt-records-copied={.data.jobs}": "copied",
	} {
		object, path, _ := strings.Cut(what, "=")
		got := kubectl(append([]string{"get", "--output", "jsonpath=" + path}, strings.Fields(object)...)...)
		if got != want {
			t.Errorf("%s of %s is %q, want %q", path, object, got, want)
		}
	}
	kubectl("delete", "namespace", "copied", "--wait=false")
}

// byHand installs Takt once more, and takes it out of the cluster by the program.
func (d *documents) byHand(t *testing.T) {
	apply(t, "config/default")
	awaitPods(t, operator)
	d.do(t, "docs/using.md", "Removing Takt")
	apply(t, "config/namespaced")
	awaitPods(t, operator)
	d.play(t, d.book.TakeIf(func(p manual.Passage) bool { return strings.HasPrefix(p.Script, "takt-operator remove") }))
	d.do(t, operations, "kubectl delete -k config/namespaced")
}

// byFiles installs what a release has, and removes it.
func (d *documents) byFiles(t *testing.T) {
	folder := d.shell.Folder
	defer func() { d.shell.Folder = folder }()
	d.shell.Folder = releaseFiles(t)
	sum := manual.Passage{Script: "sha256sum * > SHA256SUMS\n", Fenced: true}
	d.play(t, append([]manual.Passage{sum}, d.book.Take(operations, "Install from a release")...))
}

// releaseFiles is a folder with the manifests of a release, as make release makes them. Nothing runs in the pods of
// simulated nodes, so that those of Jobs are told when to end.
func releaseFiles(t *testing.T) string {
	t.Helper()
	folder := t.TempDir()
	command := exec.CommandContext(t.Context(), "go", "run", "./manifests", "--version", "v0.1.0", "--image",
		"registry.example.com/takt", "--out", folder)
	command.Dir = filepath.Join(cluster.Root(), "hack", "packaging")
	if said, err := command.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	file := filepath.Join(folder, "takt-v0.1.0-removal.yaml")
	made, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	jobs := 0
	for _, o := range parse(t, string(made)) {
		if o.GetKind() == "Job" {
			jobs++
			if err := unstructured.SetNestedField(o.Object, "1s", "spec", "template", "metadata", "annotations",
				"localcluster.takt.dev/run-for"); err != nil {
				t.Fatal(err)
			}
		}
		object, err := yaml.Marshal(o.Object)
		if err != nil {
			t.Fatal(err)
		}
		text.WriteString("---\n" + string(object))
	}
	if jobs == 0 {
		t.Errorf("%s has no Job", file)
	}
	if err := os.WriteFile(file, []byte(text.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	return folder
}

// complete judges that nothing was left out.
func (d *documents) complete(t *testing.T) {
	t.Helper()
	if left := d.book.Left(); len(left) > 0 {
		t.Errorf("these commands are not played: %q", left)
	}
}

// The chart takes whatever the documents say to give it. make e2e-real carries that out.
func TestHelmTakesWhatTheDocumentsGiveIt(t *testing.T) {
	passages, err := manual.Collect(cluster.Root())
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]bool{}
	for _, p := range passages {
		for _, line := range p.Lines() {
			words := strings.Fields(strings.ReplaceAll(line, "\\\n", " "))
			if len(words) < 4 || words[0] != "helm" || words[1] != "install" && words[1] != "upgrade" {
				continue
			}
			words = slices.DeleteFunc(words[1:], func(word string) bool {
				return word == "--wait" || word == "--reset-then-reuse-values"
			})
			words[0] = "template"
			found[strings.Join(words, " ")] = true
			if said, err := helm(t, words...); err != nil {
				t.Errorf("%s: helm %s: %v\n%s", p.Where(), strings.Join(words, " "), err, said)
			}
		}
	}
	if len(found) < 2 {
		t.Errorf("only these are found: %q", slices.Sorted(maps.Keys(found)))
	}
}

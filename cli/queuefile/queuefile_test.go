package queuefile

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/takt-dev/takt/elastic"
)

const head = "apiVersion: takt.dev/v1alpha1\nkind: TrainingQueue\nmetadata: {name: prod}\n"

func read(t *testing.T, text string) (Queues, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "queues.yaml")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return Read(path)
}

func TestFormsOfAFile(t *testing.T) {
	limit := elastic.GPUs(6)
	want := []elastic.Queue{{Name: "default", Weight: 1}, {Name: "prod", Guaranteed: 4, Limit: &limit, Weight: 1}}
	const spec = "spec: {guaranteed: 4, limit: 6}\n"
	item := "items:\n- " + strings.ReplaceAll(head, "\n", "\n  ") + spec
	for name, text := range map[string]string{
		"manifests": "# ours\n---\n" + head + spec + "---\n",
		"a list":    "apiVersion: v1\nkind: List\n" + item,
		"what takt says": "apiVersion: takt.dev/v1alpha1\nkind: TrainingQueueList\nmetadata: {}\n" + item +
			"  status: {used: 3}\n",
		"JSON": `{"apiVersion":"takt.dev/v1alpha1","kind":"TrainingQueue","metadata":{"name":"prod"},` +
			`"spec":{"guaranteed":4,"limit":6}}`,
		"its own default": head + spec + "---\n" + strings.Replace(head, "prod", "default", 1) + "spec: {}\n",
	} {
		t.Run(name, func(t *testing.T) {
			queues, err := read(t, text)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, queues.Shares(8)); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

func TestMistakesInAFile(t *testing.T) {
	for text, want := range map[string]string{
		"":                                                "has no TrainingQueue",
		"some text":                                       "this is no manifest",
		"kind: ConfigMap\n":                               `it has a "ConfigMap" of "": leave all out but TrainingQueues`,
		head + "spec: {share: 4}":                         `TrainingQueue "prod": json: unknown field "share"`,
		head + "spec: {guaranteed: -1}":                   "must be 0 or more",
		head + "spec: {guaranteed: 4, limit: 2}":          "lower guaranteed or raise limit",
		head + "spec: {weight: 0}":                        "weight must be 1 or more",
		head + "spec: {borrowing: Never}":                 "it must be Allow or Forbid",
		head + "spec: {borrowing: Forbid}":                "raise guaranteed",
		head + "spec: {jobs: {guarantee: Always}}":        "it must be BestEffort or Promise",
		head + "spec: {jobs: {maxWait: soon}}":            `jobs.maxWait is "soon": it must be a time such as 24h`,
		head + "spec: {jobs: {deadlineAfter: 0s}}":        "it must be a time such as 24h",
		head + "---\n" + head:                             "it is there twice",
		strings.Replace(head, "name: prod", "", 1):        "metadata.name is missing",
		strings.Replace(head, "v1alpha1", "v2", 1):        "leave all out but TrainingQueues of takt.dev/v1alpha1",
		"kind: List\nitems:\n- kind: PyTorchJob\n":        `it has a "PyTorchJob"`,
		"kind: List\nitems: nothing\n":                    "this is no manifest",
		head + "spec: {guaranteed: 4}\nstatus: {used: x}": "cannot unmarshal",
	} {
		if _, err := read(t, text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("of\n%s\nit says %v, want %s", text, err, want)
		}
	}
	_, err := Read(filepath.Join(t.TempDir(), "none"))
	if err == nil || !strings.Contains(err.Error(), "--queues has to name") {
		t.Errorf("of no file it says %v", err)
	}
}

func TestWhoCannotWriteIsToldWhatToDo(t *testing.T) {
	path := filepath.Join(t.TempDir(), "none", "queues.yaml")
	err := Write(path, nil)
	if err == nil || !strings.HasPrefix(err.Error(), path+" cannot be written: ") ||
		!strings.HasSuffix(err.Error(), ". Name another folder with --to") {
		t.Errorf("of no folder it says %v", err)
	}
}

func TestWhatIsWrittenIsReadAgain(t *testing.T) {
	queues, err := read(t, head+"spec: {guaranteed: 4, limit: 6, jobs: {guarantee: Promise, maxWait: 4h}}\n"+
		"status: {used: 3}\n")
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "queues.yaml")
	if err := Write(path, queues); err != nil {
		t.Fatal(err)
	}
	again, err := Read(path)
	if err != nil {
		t.Fatal(err)
	}
	queues[0].Status.Used = 0
	if diff := cmp.Diff(queues, again); diff != "" {
		t.Errorf("-written +read:\n%s", diff)
	}
}

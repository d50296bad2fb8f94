package lint

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// What a kind of job is called, and what its controller writes, stays in operator/kind: depguard sees what is
// imported, and this what is written out.
var (
	ofKinds = regexp.MustCompile(`(?i)kubeflow|training-operator|runPolicy|pytorchjob|tfjob|batch/v1` +
		`|job-completion-index|backoffLimit|indexed job|"(f:)?(master|chief|ps|evaluator)"`)
	mayKnow = []string{"operator/kind", "operator/zoo", "operator/fixture", "cli/golden"}
)

func TestOnlyKindsKnowWhatKindsOfJobsWrite(t *testing.T) {
	root := filepath.Join("..", "..")
	seen := 0
	for _, part := range []string{"operator", "scheduler", "elastic", "cli", "told", "records", "shares", "predictor"} {
		err := filepath.WalkDir(filepath.Join(root, part), func(path string, entry fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			file := filepath.ToSlash(strings.TrimPrefix(path, root+string(filepath.Separator)))
			for _, folder := range mayKnow {
				if entry.IsDir() && file == folder {
					return fs.SkipDir
				}
			}
			if filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") {
				return nil
			}
			text, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			seen++
			for i, line := range strings.Split(string(text), "\n") {
				if found := ofKinds.FindString(line); found != "" {
					t.Errorf("%s:%d speaks of %s: ask operator/kind for it", file, i+1, found)
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if seen < 100 {
		t.Errorf("%d files were looked at", seen)
	}
	for _, line := range []string{
		`"training.kubeflow.org/replica-index"`, "a PyTorchJob", `"batch/v1"`, "See that training-operator runs.",
		"its backoffLimit", "Indexed Jobs alone", `[]string{"f:Master"}`,
	} {
		if !ofKinds.MatchString(line) {
			t.Errorf("%s is not found", line)
		}
	}
}

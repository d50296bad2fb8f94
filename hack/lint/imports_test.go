// Package lint proves that the rules about imports and names fire, each on a fixture that breaks it.
package lint

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// A comment on a line of a fixture says what the linters must find there:
//
//	import _ "k8s.io/client-go" // want depguard "from list predictor"
var (
	wantComment = regexp.MustCompile(`// want (.*)$`)
	wantFinding = regexp.MustCompile(`(\w+) "([^"]*)"`)
)

type place struct {
	file string
	line int
}

type finding struct{ linter, text string }

func TestImportRulesFire(t *testing.T) {
	fixtures := filepath.Join("testdata", "layout")
	expected, err := readFixtures(fixtures)
	if err != nil {
		t.Fatal(err)
	}
	found, err := lint(t.Context(), fixtures)
	if err != nil {
		t.Fatal(err)
	}
	for at, wants := range expected {
		for _, want := range wants {
			if !take(found, at, want) {
				t.Errorf("%s:%d: %s does not say %q", at.file, at.line, want.linter, want.text)
			}
		}
	}
	for at, rest := range found {
		for _, unexpected := range rest {
			t.Errorf("%s:%d: %s says what no fixture asks for: %s", at.file, at.line, unexpected.linter, unexpected.text)
		}
	}
}

// take removes one finding that is as wanted.
func take(found map[place][]finding, at place, want finding) bool {
	for i, got := range found[at] {
		if got.linter == want.linter && strings.Contains(strings.ReplaceAll(got.text, "'", ""), want.text) {
			found[at] = append(found[at][:i], found[at][i+1:]...)
			return true
		}
	}
	return false
}

func readFixtures(fixtures string) (map[place][]finding, error) {
	expected := map[place][]finding{}
	err := filepath.WalkDir(fixtures, func(path string, _ fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".go" {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		file, err := filepath.Rel(fixtures, path)
		if err != nil {
			return err
		}
		for i, line := range strings.Split(string(text), "\n") {
			comment := wantComment.FindStringSubmatch(line)
			if comment == nil {
				continue
			}
			for _, want := range wantFinding.FindAllStringSubmatch(comment[1], -1) {
				at := place{file: file, line: i + 1}
				expected[at] = append(expected[at], finding{linter: want[1], text: want[2]})
			}
		}
		return nil
	})
	return expected, err
}

// lint runs the linter over the fixtures with the configuration of this repository.
func lint(ctx context.Context, fixtures string) (map[place][]finding, error) {
	root, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		return nil, err
	}
	linter := exec.CommandContext(ctx, filepath.Join(root, "bin", "tools", "golangci-lint"), "run",
		"--config", filepath.Join(root, ".golangci.yml"), "--enable-only", "depguard,forbidigo,govet",
		"--output.json.path", "stdout", "--show-stats=false", "--issues-exit-code", "0", "--allow-parallel-runners", "./...")
	linter.Dir = fixtures
	var complaint bytes.Buffer
	linter.Stderr = &complaint
	output, err := linter.Output()
	if err != nil {
		return nil, fmt.Errorf("golangci-lint (make bin/tools/golangci-lint builds it): %w\n%s", err, complaint.String())
	}
	var report struct {
		Issues []struct {
			FromLinter, Text string
			Pos              struct {
				Filename string
				Line     int
			}
		}
	}
	if err := json.Unmarshal(output, &report); err != nil {
		return nil, fmt.Errorf("golangci-lint prints no JSON: %w\n%s", err, output)
	}
	found := map[place][]finding{}
	for _, issue := range report.Issues {
		at := place{file: issue.Pos.Filename, line: issue.Pos.Line}
		found[at] = append(found[at], finding{linter: issue.FromLinter, text: issue.Text})
	}
	return found, nil
}

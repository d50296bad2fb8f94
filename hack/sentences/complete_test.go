package sentences_test

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// elsewhere are files whose sentences no scenario prints: limits are told to those who set them, what is wrong with a
// Snapshot to those who write it, and a span is no sentence.
var elsewhere = []string{"elastic/resize/limits.go", "elastic/check.go", "elastic/shorten.go"}

// TestScenariosSayAllThatCanBeSaid looks for each sentence of the planner and of the resize machine in what the
// scenarios print: the list has those, and nothing else of these two.
func TestScenariosSayAllThatCanBeSaid(t *testing.T) {
	for folder, sources := range map[string][]string{"elastic": {"*.go"}, "elastic/resize": {"*.go"}} {
		var printed strings.Builder
		for line := range lines(t, folder) {
			printed.WriteString(line + "\n")
		}
		var files []string
		for _, pattern := range sources {
			found, err := filepath.Glob(filepath.Join(root, folder, pattern))
			if err != nil || len(found) == 0 {
				t.Fatalf("there is no %s/%s any more", folder, pattern)
			}
			files = append(files, found...)
		}
		for _, file := range files {
			relative, _ := filepath.Rel(root, file)
			if isTest(relative) || slices.Contains(elsewhere, relative) {
				continue
			}
			for _, format := range formatsIn(t, file, true) {
				if looksSaid(format) && !pattern(format).MatchString(printed.String()) {
					t.Errorf("%s: no scenario says %q", relative, format)
				}
			}
		}
	}
}

// pattern finds a format with anything in its blanks.
func pattern(format string) *regexp.Regexp {
	var b strings.Builder
	for i, text := range blanks.Split(format, -1) {
		if i > 0 {
			b.WriteString(".*")
		}
		b.WriteString(regexp.QuoteMeta(strings.ReplaceAll(text, "%%", "%")))
	}
	return regexp.MustCompile(b.String())
}

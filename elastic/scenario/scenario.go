package scenario

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

var rewrite = flag.Bool("rewrite", false, "write what is answered into the scenarios")

// Play has all scenarios in testdata performed.
func Play(t *testing.T, perform func(t *testing.T, scenario string) string) {
	t.Helper()
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no scenarios: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			got := perform(t, string(want))
			if *rewrite {
				if err := os.WriteFile(file, []byte(got), 0o644); err != nil { //nolint:gosec // a file of the repository
					t.Fatal(err)
				}
			} else if got != string(want) {
				t.Errorf("to accept this, run with -rewrite: got:\n%s\nwant:\n%s", got, want)
			}
		})
	}
}

// Answer gives a scenario with what is answered to each of its lines below it. Answers are indented: those that the
// scenario has are left out. Nothing is answered to lines that begin with #.
func Answer(text string, answer func(out *bytes.Buffer, words []string)) string {
	var out bytes.Buffer
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "  ") {
			continue
		}
		out.WriteString(line)
		if words := strings.Fields(line); len(words) > 0 && !strings.HasPrefix(line, "#") {
			answer(&out, words)
		}
	}
	return out.String()
}

// Number is a word of a scenario that is a whole number.
func Number(t *testing.T, word string) int {
	t.Helper()
	n, err := strconv.Atoi(word)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// Span is one that is a time, such as 1m30s.
func Span(t *testing.T, word string) time.Duration {
	t.Helper()
	span, err := time.ParseDuration(word)
	if err != nil {
		t.Fatal(err)
	}
	return span
}

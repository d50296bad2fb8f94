package sentences_test

import (
	"iter"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// part is what is said in scenarios, by what it is said of: one example of each sentence, and all of them.
type part struct {
	title     string
	said, all map[string][]string
}

func newPart(title string) part { return part{title, map[string][]string{}, map[string][]string{}} }

func keysOf(said map[string][]string) iter.Seq[string] { return maps.Keys(said) }

// add takes a sentence, unless one that differs in its figures alone is there.
func (p part) add(key, sentence string) {
	p.all[key] = append(p.all[key], sentence)
	for _, s := range p.said[key] {
		if words(s) == words(sentence) {
			return
		}
	}
	p.said[key] = append(p.said[key], sentence)
}

var figures = regexp.MustCompile(`\d[\d.:]*[a-z0-9]*`)

func words(s string) string { return figures.ReplaceAllString(s, "N") }

// lines hands out what the scenarios of a folder print.
func lines(t *testing.T, folder string) iter.Seq[string] {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(root, folder, "testdata", "*.txt"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%s has no scenarios: %v", folder, err)
	}
	return func(yield func(string) bool) {
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for line := range strings.Lines(string(text)) {
				if !yield(strings.TrimRight(line, "\n")) {
					return
				}
			}
		}
	}
}

var outcome = regexp.MustCompile(`^  \S+: \d+ ([A-Z]\w+)( promised)? ([A-Z]\w+)$`)

// verdicts are the messages of the planner, by verdict.
func verdicts(t *testing.T) part {
	p := newPart("Message of an ElasticJob, from the planner")
	verdict := ""
	for line := range lines(t, "elastic") {
		if found := outcome.FindStringSubmatch(line); found != nil {
			verdict = found[1]
		} else if verdict != "" {
			p.add(verdict, strings.TrimSpace(line))
			verdict = ""
		}
	}
	return p
}

// reasons are why jobs have their sizes: the message of a Resize, and of an ElasticJob that waits.
func reasons(t *testing.T) part {
	p := newPart("Message of a Resize, and of an ElasticJob that waits: why a job has its size")
	reason, next := "", false
	for line := range lines(t, "elastic") {
		switch found := outcome.FindStringSubmatch(line); {
		case found != nil:
			reason, next = found[3], false
		case reason != "" && !next:
			next = true
		case reason != "":
			p.add(reason, strings.TrimSpace(line))
			reason = ""
		}
	}
	return p
}

var (
	condition = regexp.MustCompile(`AddCondition (\w+)`)
	because   = regexp.MustCompile(`^ {7}(\w+): (.*)$`)
)

// conditions are those of Resizes.
func conditions(t *testing.T) part {
	p := newPart("Conditions of a Resize")
	kind := ""
	for line := range lines(t, "elastic/resize") {
		if found := condition.FindStringSubmatch(line); found != nil {
			kind = found[1]
		} else if found := because.FindStringSubmatch(line); found != nil && kind != "" {
			p.add(kind, found[2])
			kind = ""
		}
	}
	return p
}

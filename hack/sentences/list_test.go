// Package sentences_test keeps the list of all that Takt says to people, docs/sentences.md, up to date.
package sentences_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var rewrite = flag.Bool("rewrite", false, "write the list anew")

const (
	root = "../.."
	list = root + "/docs/sentences.md"
)

const introduction = `# What Takt says

What people can meet of the planner, the operator, the scheduler and the API, and of a job in ` + "`takt why`" + `, to be
read in one go. Errors of the command line, what logs say, the metrics and the settings of the operator
are not in it. The list is made from the code by ` + "`make sentences`" + `, and a test fails when it is out of date or
a sentence of these is not in it. The first three parts are what the planner and the resize machine
say in their scenarios, with one example for each; the others are read from the source, with … for
names and figures.
`

// TestListIsUpToDate makes the list anew and compares.
func TestListIsUpToDate(t *testing.T) {
	var b strings.Builder
	b.WriteString(introduction)
	for _, part := range []part{verdicts(t), reasons(t), conditions(t)} {
		fmt.Fprintf(&b, "\n## %s\n", part.title)
		for _, key := range slices.Sorted(keysOf(part.said)) {
			fmt.Fprintf(&b, "\n### %s\n\n", key)
			bullets(&b, part.said[key])
		}
	}
	for _, p := range places {
		fmt.Fprintf(&b, "\n## %s\n\n", p.title)
		var sentences, parts []string
		for _, s := range p.said(t) {
			if p.isPart(s) {
				parts = append(parts, s)
			} else {
				sentences = append(sentences, s)
			}
		}
		bullets(&b, sentences)
		if len(parts) > 0 {
			b.WriteString("\nWhat may stand in place of … there, or around it:\n\n")
			bullets(&b, parts)
		}
	}
	b.WriteString("\n## What the commands of takt say where something fails, and what to do\n\n")
	bullets(&b, failures(t))
	b.WriteString("\n## What the API server says where an object of Takt cannot be as it is written\n\n")
	bullets(&b, refusals(t))
	if *rewrite {
		if err := os.WriteFile(list, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if is, err := os.ReadFile(list); err != nil || string(is) != b.String() {
		t.Errorf("docs/sentences.md is not what the code says: make sentences, and read what has changed (%v)", err)
	}
}

func bullets(b *strings.Builder, all []string) {
	for _, s := range all {
		fmt.Fprintf(b, "- %s\n", strings.ReplaceAll(strings.TrimSpace(s), "\n", " "))
	}
}

// TestNobodySaysWhatIsNotInTheList looks for sentences in files that no place names. What the planner and the resize
// machine say is looked for in their scenarios.
func TestNobodySaysWhatIsNotInTheList(t *testing.T) {
	for _, folder := range []string{"operator", "operator/*", "operator/*/*", "scheduler/*", "elastic/begin",
		"told", "price", "shares"} {
		files, err := filepath.Glob(filepath.Join(root, folder, "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			relative, _ := filepath.Rel(root, file)
			named := slices.ContainsFunc(places, func(p place) bool {
				return slices.ContainsFunc(p.files, func(pattern string) bool {
					is, _ := filepath.Match(pattern,
						relative)
					return is
				})
			})
			if named || isMute(relative) {
				continue
			}
			for _, s := range saidIn(t, file, false) {
				if looksWhole.MatchString(s) {
					t.Errorf("%s says %q: say in hack/sentences where people read that", relative, s)
				}
			}
		}
	}
}

var looksWhole = regexp.MustCompile(`^[A-Z].*\.$`)

// TestScenariosSpeakPlainEnglish looks for what a program writes, and nobody would.
func TestScenariosSpeakPlainEnglish(t *testing.T) {
	wrong := regexp.MustCompile(`\b0 workers\b|%!|\.\.|  | [.,:;]|[^.?!…]$|^[a-z]`)
	named := regexp.MustCompile(`^(worker-\d|spec\.)`) // begins with the name of something
	for _, part := range []part{verdicts(t), reasons(t), conditions(t)} {
		for key, all := range part.all {
			for _, s := range all {
				if found := wrong.FindString(s); found != "" && !named.MatchString(s) {
					t.Errorf("%s: %q in %q", key, found, s)
				}
			}
		}
	}
}

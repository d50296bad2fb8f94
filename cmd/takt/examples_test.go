package main

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/takt-dev/takt/simulator/policies"
)

// Every command that the README and the examples show does what it is shown for.
func TestDocumentedCommandsRun(t *testing.T) {
	t.Chdir("../..")
	commands := regexp.MustCompile(`(?m)^(?:bin/)?takt (.*)$`)
	found := 0
	for _, path := range []string{"README.md", "docs/examples/README.md", "docs/concepts.md"} {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, command := range commands.FindAllStringSubmatch(string(text), -1) {
			found++
			t.Run(command[1], func(t *testing.T) {
				args := strings.Fields(strings.ReplaceAll(command[1], "comparison.html", t.TempDir()+"/comparison.html"))
				got := call(t, "", args...)
				if got.code != exitDone || got.stdout == "" || strings.Contains(got.stderr, "takt:") {
					t.Errorf("it ends with %d, and says %q", got.code, got.stderr)
				}
			})
		}
	}
	if found < 6 {
		t.Errorf("only %d commands were found", found)
	}
}

// What the page of concepts shows is what the program prints.
func TestDocumentedPlanIsThePlan(t *testing.T) {
	t.Chdir("../..")
	page, err := os.ReadFile("docs/concepts.md")
	if err != nil {
		t.Fatal(err)
	}
	got := call(t, "", "plan", "--file", "docs/examples/snapshot.json")
	if got.stdout == "" || !strings.Contains(string(page), "```\n"+got.stdout+"```\n") {
		t.Errorf("docs/concepts.md shows another plan than\n%s", got.stdout)
	}
}

// The first example of every help text runs as it stands.
func TestHelp(t *testing.T) {
	t.Chdir("../..")
	for _, command := range []string{"", "sim", "plan", "predict"} {
		t.Run(command, func(t *testing.T) {
			got := call(t, "", append(strings.Fields(command), "--help")...)
			if got.code != exitDone || got.stderr != "" {
				t.Errorf("it ends with %d, and says %q", got.code, got.stderr)
			}
			for line := range strings.Lines(got.stdout) {
				if len([]rune(strings.TrimSuffix(line, "\n"))) > 100 {
					t.Errorf("this line is too long for a terminal: %s", line)
				}
			}
			_, examples, _ := strings.Cut(got.stdout, "Examples:\n  takt ")
			first, _, _ := strings.Cut(examples, "\n")
			if ran := call(t, "", strings.Fields(first)...); ran.code != exitDone {
				t.Errorf("takt %s ends with %d, and says %q", first, ran.code, ran.stderr)
			}
		})
	}
}

func TestHelpTellsOfEveryPolicy(t *testing.T) {
	for _, name := range policies.Names() {
		if !strings.Contains(simHelp, "\n  "+name+" ") {
			t.Errorf("it does not say what %s is", name)
		}
	}
}

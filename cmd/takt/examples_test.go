package main

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/takt-dev/takt/hack/manual"
	"github.com/takt-dev/takt/simulator/policies"
)

// Whatever the documents say to call without a cluster does what it is shown for.
func TestDocumentedCommandsRun(t *testing.T) {
	t.Chdir("../..")
	book, err := manual.For(".", manual.Alone)
	if err != nil {
		t.Fatal(err)
	}
	played := map[string]bool{}
	for _, p := range book.Take("", "") {
		script := strings.ReplaceAll(p.Script, "\\\n", " ")
		for command := range strings.Lines(script) {
			command, _, _ = strings.Cut(strings.TrimPrefix(strings.TrimSpace(command), "bin/"), " #")
			if played[command] {
				continue
			}
			played[command] = true
			t.Run(command, func(t *testing.T) { documented(t, p, command) })
		}
	}
	if left := book.Left(); len(left) > 0 {
		t.Errorf("these are not played: %q", left)
	}
}

// documented calls a command as it is written. One that is only named is asked for its help, which has to know the
// flags that are named with it; one that leaves out what the paragraph is not about gets that from the examples.
func documented(t *testing.T, p manual.Passage, command string) {
	t.Helper()
	args := strings.Fields(strings.ReplaceAll(command, "comparison.html", t.TempDir()+"/comparison.html"))[1:]
	input := ""
	switch {
	case p.Named():
		for _, flag := range args[1:] {
			if help := call(t, "", args[0], "--help"); !strings.Contains(help.stdout, flag+" ") {
				t.Errorf("%s has no %s", args[0], flag)
			}
		}
		args = []string{args[0], "--help"}
	case args[0] == "sim" && !slices.Contains(args, "--trace"):
		args = append(args, "--trace", "docs/examples/jobs.csv", "--throughputs", "docs/examples/speeds")
	case slices.Equal(args, []string{"plan", "--file", "-"}):
		snapshot, err := os.ReadFile("docs/examples/snapshot.json")
		if err != nil {
			t.Fatal(err)
		}
		input = string(snapshot)
	}
	got := call(t, input, args...)
	if got.code != exitDone || got.stdout == "" || strings.Contains(got.stderr, "takt:") {
		t.Errorf("it ends with %d, and says %q", got.code, got.stderr)
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

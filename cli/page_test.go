package cli

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/takt-dev/takt/cli/golden"
)

const page = "../docs/cli.md"

// shown is where the output of each command of the page is: what the tests of its room print.
var shown = map[string]string{
	"takt list":                      "tables/testdata/jobs.txt",
	"takt why bert":                  "why/testdata/at_risk.txt",
	"takt whatif bert --deadline 8h": "whatif/testdata/later_deadline.txt",
	"takt timeline resnet":           "timeline/testdata/grown.txt",
	"takt queues":                    "tables/testdata/queues.txt",
	"takt doctor":                    "doctor/testdata/page.txt",
	"takt trace --to month":          "trace/testdata/many.txt",
	"takt sim --trace docs/examples/jobs.csv --throughputs docs/examples/speeds --gpus 16,24,32 --policy takt,fifo " +
		"--price 2.50": "../cmd/takt/testdata/sizes.txt",
	"takt submit -f job.yaml --deadline 6h --dry-run": "submit/testdata/deadline.txt",
}

var block = regexp.MustCompile("(?s)```\n\\$ (takt [^\n]*)\n(.*?)```")

// The page shows what the commands print.
func TestThePageShowsWhatIsPrinted(t *testing.T) {
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	is := block.ReplaceAllStringFunc(string(text), func(found string) string {
		command := block.FindStringSubmatch(found)[1]
		if shown[command] == "" {
			t.Errorf("nobody knows what %q prints", command)
			return found
		}
		seen++
		output, err := os.ReadFile(filepath.FromSlash(shown[command]))
		if err != nil {
			t.Error(err)
		}
		return "```\n$ " + command + "\n" + string(output) + "```"
	})
	if seen != len(shown) {
		t.Errorf("it shows %d commands, want %d", seen, len(shown))
	}
	golden.File(t, page, is)
}

// Each command on the page is one that there is, with flags that it has.
func TestCommandsOnThePageAreThere(t *testing.T) {
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	root := &cobra.Command{Use: "takt"}
	root.AddCommand(Commands()...)
	elsewhere := []string{"completion", "plan", "sim", "predict"}
	var met []string
	for _, found := range regexp.MustCompile("(?:`|\\$ )takt ([^`\n]+)").FindAllStringSubmatch(string(text), -1) {
		words := strings.Fields(strings.SplitN(found[1], ">", 2)[0])
		if slices.Contains(elsewhere, words[0]) {
			continue
		}
		cmd, rest, err := root.Find(words)
		if err != nil || cmd == root {
			t.Errorf("there is no command takt %s", found[1])
			continue
		}
		met = append(met, cmd.Name())
		if err := cmd.ParseFlags(rest); err != nil {
			t.Errorf("takt %s: %v", found[1], err)
		}
	}
	for _, cmd := range root.Commands() {
		if !slices.Contains(met, cmd.Name()) {
			t.Errorf("the page does not show takt %s", cmd.Name())
		}
	}
}

// Help fits on a terminal, and its examples parse.
func TestHelpFitsOnATerminal(t *testing.T) {
	root := &cobra.Command{Use: "takt"}
	root.AddCommand(Commands()...)
	for _, cmd := range root.Commands() {
		var out strings.Builder
		cmd.SetOut(&out)
		if err := cmd.Help(); err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(out.String()) {
			if len([]rune(strings.TrimRight(line, "\n"))) > 130 {
				t.Errorf("takt %s: this line is too long for a terminal: %s", cmd.Name(), line)
			}
		}
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			if f.Usage == "" {
				t.Errorf("takt %s does not say what --%s is for", cmd.Name(), f.Name)
			}
		})
		for line := range strings.Lines(cmd.Example) {
			words := strings.Fields(strings.SplitN(strings.SplitN(line, "|", 2)[0], ">", 2)[0])
			if len(words) < 2 || words[0] != "takt" || words[1] != cmd.Name() {
				t.Errorf("an example of takt %s is %q", cmd.Name(), line)
			} else if err := cmd.ParseFlags(words[2:]); err != nil {
				t.Errorf("%s: %v", line, err)
			}
		}
	}
}

package manual

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// What is built and tested by make and go is there: the targets with their variables, the folders, the tests. That
// these do what they should is what CI is for.
func TestWhatIsMadeAndTestedIsThere(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(repository, "Makefile"))
	if err != nil {
		t.Fatal(err)
	}
	book, err := For(repository, Sources)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range book.Take("", "") {
		for _, line := range p.Lines() {
			if complaint := missing(string(text), line); complaint != "" {
				t.Errorf("%s: %s", p.Where(), complaint)
			}
		}
	}
	for _, p := range collect(t) { // what others play the rest of
		for _, line := range p.Lines() {
			if !ofSources(line) {
				continue
			}
			if complaint := missing(string(text), line); complaint != "" {
				t.Errorf("%s: %s", p.Where(), complaint)
			}
		}
	}
	if left := book.Left(); len(left) > 0 {
		t.Errorf("these are left out: %q", left)
	}
}

// However long the name of a target is, what it does begins in the same column.
func TestMakeListsItsTargetsInColumns(t *testing.T) {
	list := exec.CommandContext(t.Context(), "make", "--no-print-directory", "-C", repository, "help")
	list.Env = slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, "MAKE") })
	text, err := list.Output()
	if err != nil {
		t.Fatal(err)
	}
	columns := map[int][]string{}
	for line := range strings.Lines(string(text)) {
		if said := regexp.MustCompile(`^  [a-z0-9-]+ +`).FindString(line); said != "" {
			columns[len(said)] = append(columns[len(said)], strings.TrimSpace(said))
		}
	}
	if len(columns) != 1 {
		t.Errorf("the targets are told in these columns: %v", columns)
	}
}

var (
	quoted   = regexp.MustCompile(`'[^']*'`)
	assigned = regexp.MustCompile(`^([A-Z_]+)=`)
)

// missing says what of a command is not in the sources.
func missing(makefile, command string) string {
	command, _, _ = strings.Cut(command, " #")
	var values []string
	command = quoted.ReplaceAllStringFunc(command, func(value string) string {
		values = append(values, strings.Trim(value, "'"))
		return "%"
	})
	words := strings.Fields(command)
	called := slices.IndexFunc(words, func(word string) bool { return !assigned.MatchString(word) })
	if words[called] == "go" {
		return missingOfGo(words[called:], values)
	}
	for i, word := range words {
		if found := assigned.FindStringSubmatch(word); found != nil {
			if !regexp.MustCompile(`\$\(` + found[1] + `\)|\$\(if \$\(` + found[1]).MatchString(makefile) {
				return "the Makefile knows no " + found[1]
			}
		} else if i > called && !regexp.MustCompile(`(?m)^`+regexp.QuoteMeta(word)+`:`).MatchString(makefile) {
			return "the Makefile has no target " + word
		}
	}
	return ""
}

// missingOfGo is the same of a call of go. Each % among the words stands for the next of the values.
func missingOfGo(words, values []string) string {
	for i, word := range words {
		if word == "%" {
			word, values = values[0], values[1:]
			words[i] = word
		}
	}
	folder := words[slices.IndexFunc(words, func(word string) bool { return strings.HasPrefix(word, "./") })]
	files, err := filepath.Glob(filepath.Join(repository, folder, "*.go"))
	if err != nil || len(files) == 0 {
		return "there is nothing to build in " + folder
	}
	for i, word := range words[:len(words)-1] {
		kind := map[string]string{"-run": "Test", "-bench": "Benchmark"}[word]
		if kind == "" || words[i+1] == "^$" {
			continue
		}
		wanted, found := regexp.MustCompile(words[i+1]), false
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				return err.Error()
			}
			for _, name := range regexp.MustCompile(`(?m)^func (`+kind+`\w+)\(`).FindAllStringSubmatch(string(text), -1) {
				found = found || wanted.MatchString(name[1])
			}
		}
		if !found {
			return folder + " has no " + strings.ToLower(kind) + " that " + words[i+1] + " matches"
		}
	}
	return ""
}

func TestWhatIsMissingIsSeen(t *testing.T) {
	makefile := "VERSION ?= 1\nimage: one\n\techo $(VERSION) $(if $(REAL),x)\n"
	for command, want := range map[string]string{
		"make image VERSION=2 # now":   "",
		"REAL=1 make image":            "",
		"make picture":                 "no target picture",
		"make image FLAVOUR=x":         "no FLAVOUR",
		"go build -o bin/ ./cmd/takt":  "",
		"go build -o bin/ ./cmd/tact":  "nothing to build in ./cmd/tact",
		"go test ./elastic -run TestX": "no test that TestX matches",
		"go test -run '^$' -bench '^Benchmark(Plan|Event)$' ./elastic": "",
	} {
		if got := missing(makefile, command); want == "" && got != "" || !strings.Contains(got, want) {
			t.Errorf("%s: %q, want %q", command, got, want)
		}
	}
}

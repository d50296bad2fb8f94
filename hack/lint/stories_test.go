package lint

import (
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// played is one call of go test: which tests it plays, and how.
type played struct {
	folder   string
	packages []string
	run      *regexp.Regexp // nil for all
	skip     *regexp.Regexp // nil for none
	race     bool
}

func (p played) plays(test string) bool {
	return (p.run == nil || p.run.MatchString(test)) && (p.skip == nil || !p.skip.MatchString(test))
}

// readCall reads what follows on the words "go test".
func readCall(folder string, arguments []string) (played, error) {
	p := played{folder: folder}
	flags := flag.NewFlagSet("go test", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	flags.BoolVar(&p.race, "race", false, "")
	run, skip := flags.String("run", "", ""), flags.String("skip", "", "")
	flags.Bool("short", false, "")
	flags.String("timeout", "", "")
	flags.String("count", "", "")
	flags.String("vet", "", "")
	flags.String("ldflags", "", "")
	if err := flags.Parse(arguments); err != nil {
		return played{}, fmt.Errorf("go test %s: %w", strings.Join(arguments, " "), err)
	}
	p.packages = flags.Args()
	if i := slices.IndexFunc(p.packages, func(word string) bool { return strings.HasPrefix(word, "-") }); i >= 0 {
		p.packages = p.packages[:i] // what follows is for the tests themselves
	}
	for pattern, of := range map[string]**regexp.Regexp{*run: &p.run, *skip: &p.skip} {
		if pattern == "" {
			continue
		}
		if strings.Contains(pattern, "/") {
			return played{}, fmt.Errorf("%s chooses parts of tests, and so their other parts may be played by nobody", pattern)
		}
		expression, err := regexp.Compile(pattern)
		if err != nil {
			return played{}, err
		}
		*of = expression
	}
	return p, nil
}

// stories play without the race detector. All other tests of a package in which things happen at the same time play
// with it.
var stories = regexp.MustCompile(`^TestStory`)

// judge says what is wrong with the way in which a test is played by these calls. In a serial package nothing happens
// at the same time.
func judge(test string, serial bool, calls []played) string {
	calls = slices.DeleteFunc(slices.Clone(calls), func(p played) bool { return !p.plays(test) })
	switch story := stories.MatchString(test); {
	case len(calls) == 0:
		return "is not played"
	case len(calls) > 1:
		return fmt.Sprintf("is played %d times", len(calls))
	case story && calls[0].race:
		return "is a story, and is played with the race detector"
	case !story && !serial && !calls[0].race:
		return "is no story, and is played without the race detector"
	}
	return ""
}

// elsewhere is what make lint and make suites play, by package.
var elsewhere = regexp.MustCompile(
	`^github.com/takt-dev/takt/(e2e/suites/.*|e2e/benchmarks/(operator|scheduler|peers)|hack/lint)$`)

func TestMakeUnitPlaysEachTestOnce(t *testing.T) {
	by := map[string][]played{}
	for _, call := range callsOfMake(t, "unit") {
		for _, p := range testedIn(t, call.folder, call.packages...) {
			by[p.ImportPath] = append(by[p.ImportPath], call)
		}
	}
	unseen := map[string][]string{} // what may be done at the same time, by package
	for _, module := range []string{".", "scheduler", "localcluster"} {
		for _, p := range testedIn(t, filepath.Join("..", "..", module), "./...") {
			if elsewhere.MatchString(p.ImportPath) {
				continue
			}
			atOnce := p.atOnce(t)
			for _, test := range p.tests(t) {
				if sin := judge(test, len(atOnce) == 0, by[p.ImportPath]); sin != "" {
					t.Errorf("%s of %s %s", test, p.ImportPath, sin)
					unseen[p.ImportPath] = atOnce
				}
			}
		}
	}
	for path, atOnce := range unseen {
		t.Logf("%s:\n%s", path, strings.Join(atOnce, "\n"))
	}
}

func TestMakeZooPlaysSomething(t *testing.T) {
	for _, call := range callsOfMake(t, "zoo") {
		for _, p := range testedIn(t, call.folder, call.packages...) {
			if !slices.ContainsFunc(p.tests(t), call.plays) {
				t.Errorf("%s matches no test of %s", call.run, p.ImportPath)
			}
		}
	}
}

// callsOfMake has make do what it does for a target, but instead of all that it would test it only says so.
func callsOfMake(t *testing.T, target string) []played {
	t.Helper()
	real, err := exec.LookPath("go")
	if err != nil {
		t.Fatal(err)
	}
	bin := t.TempDir()
	record := filepath.Join(bin, "calls")
	// One write for each call, as make may test several things at the same time.
	script := fmt.Sprintf("#!/bin/sh\n[ \"$1\" = test ] || exec %q \"$@\"\nshift\ncall=$(printf '%%s\\n' \"$PWD\" "+
		"\"$@\")\nprintf '%%s\\n\\n' \"$call\" >>%q\n", real, record)
	for program, does := range map[string]string{"go": script, "python3": "#!/bin/sh\n"} { // tests of the SDK take long
		if err := os.WriteFile(filepath.Join(bin, program), []byte(does), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	command := exec.CommandContext(t.Context(), "make", "-C", filepath.Join("..", ".."), target)
	for _, variable := range os.Environ() {
		if name, _, _ := strings.Cut(variable, "="); !strings.HasPrefix(name, "MAKE") && name != "MFLAGS" && name != "PATH" {
			command.Env = append(command.Env, variable)
		}
	}
	command.Env = append(command.Env, "PATH="+bin+string(filepath.ListSeparator)+os.Getenv("PATH"))
	if output, err := command.CombinedOutput(); err != nil {
		t.Fatalf("make %s: %v\n%s", target, err, output)
	}
	text, err := os.ReadFile(record)
	if err != nil {
		t.Fatal(err)
	}
	var calls []played
	for paragraph := range strings.SplitSeq(strings.TrimSpace(string(text)), "\n\n") {
		words := strings.Split(paragraph, "\n")
		call, err := readCall(words[0], words[1:])
		if err != nil {
			t.Fatal(err)
		}
		calls = append(calls, call)
	}
	return calls
}

// tested is a package, all its files, and those in which its tests are.
type tested struct {
	ImportPath string
	files      []string
	testFiles  []string
}

func testedIn(t *testing.T, folder string, packages ...string) []tested {
	t.Helper()
	const format = `{{.ImportPath}} {{.Dir}}{{range .GoFiles}} {{.}}{{end}}{{range .TestGoFiles}} {{.}}{{end}}{{range .XTestGoFiles}} {{.}}{{end}}`
	list := exec.CommandContext(t.Context(), "go", append([]string{"list", "-find", "-f", format}, packages...)...)
	list.Dir = folder
	output, err := list.Output()
	if err != nil {
		t.Fatalf("%s: %v", list, err)
	}
	var all []tested
	for line := range strings.Lines(string(output)) {
		words := strings.Fields(line)
		p := tested{ImportPath: words[0]}
		for _, file := range words[2:] {
			p.files = append(p.files, filepath.Join(words[1], file))
			if strings.HasSuffix(file, "_test.go") {
				p.testFiles = append(p.testFiles, filepath.Join(words[1], file))
			}
		}
		all = append(all, p)
	}
	return all
}

// tests are the names of all that go test plays in a package.
func (p tested) tests(t *testing.T) []string {
	t.Helper()
	var names []string
	for _, file := range p.testFiles {
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, declared := range parsed.Decls {
			f, is := declared.(*ast.FuncDecl)
			if is && f.Recv == nil && testName.MatchString(f.Name.Name) && f.Name.Name != "TestMain" {
				names = append(names, f.Name.Name)
			}
		}
	}
	return names
}

var testName = regexp.MustCompile(`^(Test|Fuzz|Example)(\P{Ll}|$)`)

func TestTestsThatArePlayedWrongAreSeen(t *testing.T) {
	const test, story = "TestAdvances", "TestStoryZoo"
	cases := map[string]struct {
		calls []string
		test  string
		want  string
	}{
		"as it should be":         {[]string{"-race -skip ^TestStory", "-run ^TestStory"}, test, ""},
		"a story as it should be": {[]string{"-race -skip ^TestStory", "-run ^TestStory"}, story, ""},
		"a name in no list":       {[]string{"-race -skip ^TestStory", "-run ^(TestStoryHundreds)$"}, story, "is not played"},
		"a name in one list": {[]string{"-race -skip ^(TestStoryHundreds)$", "-run ^TestStory"}, story,
			"is played 2 times"},
		"a package of no call": {nil, test, "is not played"},
		"a slow story":         {[]string{"-race"}, story, "is a story, and is played with the race detector"},
		"nobody sees races": {[]string{"-short -timeout 30m"}, test,
			"is no story, and is played without the race detector"},
		"there are no races":    {[]string{"-short -vet=off"}, "TestOrder of a serial package", ""},
		"a story without races": {[]string{"-short -vet=off"}, "TestStoryOrder of a serial package", ""},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			var calls []played
			for _, text := range c.calls {
				call, err := readCall("", strings.Fields(text+" ./..."))
				if err != nil {
					t.Fatal(err)
				}
				calls = append(calls, call)
			}
			name, serial := strings.CutSuffix(c.test, " of a serial package")
			if got := judge(name, serial, calls); got != c.want {
				t.Errorf("it %q, want %q", got, c.want)
			}
		})
	}
}

func TestPartsOfTestsAreNotChosen(t *testing.T) {
	for _, text := range []string{"-run TestZoo/alone .", "-skip TestZoo/alone .", "-parallels 3 ."} {
		if call, err := readCall("", strings.Fields(text)); err == nil {
			t.Errorf("%s is read as %+v", text, call)
		}
	}
}

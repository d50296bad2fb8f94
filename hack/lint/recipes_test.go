package lint

import (
	"bytes"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// known are things that are there already, each with the recipe for another one like it: whatever speaks of it is
// named in the recipe. Own are the words that stand in the place of NAME there.
var known = []struct {
	recipe string
	spoken *regexp.Regexp
	own    []string
}{
	{"Another kind of job", regexp.MustCompile(`(?i)indexed ?job`), []string{"indexedjob"}},
	{
		"Another source of progress",
		regexp.MustCompile(`CustomMetrics|Progress(Agent|Logs|Prometheus)\b|v1alpha1\.ProgressAnnotation`),
		[]string{"agent", "annotation", "custommetrics", "logs", "prometheus"},
	},
	{"Another rule of the planner", regexp.MustCompile(`(?i)growSeldom|aboutToEnd`), []string{"growseldom", "abouttoend"}},
	{"Another step of a resize", regexp.MustCompile(`(?i)StepAside|SteppingAside|ToldAside|AsideRead`), nil},
}

// follows is what needs no name in a recipe: what is made from what it names, figures that were measured, and tests of
// single rooms, which are written beside what they test.
var follows = regexp.MustCompile(`^(charts/takt/files|config/crd|docs/(api|sentences)\.md$|docs/decisions/|` +
	`CONTRIBUTING\.md$|hack/lint/recipes_test\.go$)|^(api|operator|elastic|cli|agent|told)/.*(_test\.go$|/testdata/)`)

func TestRecipesNameWhatTheyTouch(t *testing.T) {
	root := filepath.Join("..", "..")
	text, err := os.ReadFile(filepath.Join(root, "CONTRIBUTING.md"))
	if err != nil {
		t.Fatal(err)
	}
	recipes := recipesIn(string(text))
	for title, names := range recipes {
		for _, name := range names {
			any := strings.ReplaceAll(name, "NAME", "*")
			if there, err := filepath.Glob(filepath.Join(root, any)); err != nil || len(there) == 0 {
				t.Errorf("%s: there is no %s", title, name)
			}
		}
	}
	seen := map[string]int{}
	err = fs.WalkDir(os.DirFS(root), ".", func(file string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && (file == "bin" || file != "." && file[0] == '.'):
			return fs.SkipDir
		case !entry.Type().IsRegular() || follows.MatchString(file):
			return nil
		}
		switch path.Ext(file) {
		case ".go", ".md", ".yaml", ".yml", ".txt":
		default:
			return nil
		}
		text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(file)))
		if err != nil {
			return err
		}
		for _, k := range known {
			if at := k.spoken.FindIndex(text); at != nil {
				seen[k.recipe]++
				if !named(file, recipes[k.recipe], k.own) {
					line := bytes.Count(text[:at[0]], []byte("\n")) + 1
					t.Errorf("%s: %s:%d speaks of %s, and is not named", k.recipe, file, line, text[at[0]:at[1]])
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range known {
		if seen[k.recipe] < 3 {
			t.Errorf("%s: %d files speak of %s", k.recipe, seen[k.recipe], k.spoken)
		}
	}
}

func TestWhatARecipeNamesIsRead(t *testing.T) {
	const text = "# Contributing\n\n`no/recipe.go`\n\n### Another thing\n\n`other/words.go`\n\n" +
		"| file | what |\n|---|---|\n| `a/NAME/`, then `make it` | `what/for.go` |\n| one of `b/c.go`, `README.md` | |\n\n" +
		"## What else\n\n| `d/e.go` | |\n"
	recipes := recipesIn(text)
	want := []string{"a/NAME/", "b/c.go", "README.md"}
	if got := recipes["Another thing"]; len(recipes) != 1 || !slices.Equal(got, want) {
		t.Errorf("%q is read, want %q", recipes, want)
	}
	for file, want := range map[string]bool{
		"a/own/c.go": true, "b/c.go": true, "README.md": true,
		"a/others/c.go": false, "a/own.go": false, "b/d.go": false, "b/c.go.md": false,
	} {
		if got := named(file, recipes["Another thing"], []string{"own"}); got != want {
			t.Errorf("that %s is named is %v, want %v", file, got, want)
		}
	}
}

var quoted = regexp.MustCompile("`([^`]*)`")

// recipesIn are the recipes of CONTRIBUTING.md, each with the files and folders that its tables name.
func recipesIn(text string) map[string][]string {
	recipes, title := map[string][]string{}, ""
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "#") {
			title, _ = strings.CutPrefix(strings.TrimSpace(line), "### ")
			if strings.HasPrefix(title, "#") {
				title = ""
			}
		}
		cells := strings.Split(line, "|")
		if title == "" || len(cells) < 3 {
			continue
		}
		for _, found := range quoted.FindAllStringSubmatch(cells[1], -1) {
			if !strings.Contains(found[1], " ") {
				recipes[title] = append(recipes[title], found[1])
			}
		}
	}
	return recipes
}

// named says whether one of these names is that of a file, or of a folder that it is in. Own are what NAME stands for.
func named(file string, names, own []string) bool {
	is := func(name string) bool {
		return name == file || strings.HasSuffix(name, "/") && strings.HasPrefix(file, name)
	}
	for _, name := range names {
		if is(name) || slices.ContainsFunc(own, func(o string) bool { return is(strings.ReplaceAll(name, "NAME", o)) }) {
			return true
		}
	}
	return false
}

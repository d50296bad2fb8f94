package lint

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"unicode/utf8"
)

// widest is how wide a line of code may be. The linter lll says so of most lines. It passes over each with a backquote,
// for it does not know which text goes on over several lines. Here that is known: only lines may be wider that cannot
// be broken.
const widest = 120

// unbreakable is what has to stand on one line: markers of generators, and directives with their reason.
var unbreakable = regexp.MustCompile(`^\s*// \+|^//go:|//nolint`)

func TestLinesAreNoWiderThanTheyMustBe(t *testing.T) {
	wide, seen, err := wideLines(os.DirFS(filepath.Join("..", "..")))
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range wide {
		t.Error(line)
	}
	if seen < 1000 {
		t.Errorf("%d files were looked at", seen)
	}
}

func TestWideLinesAreFound(t *testing.T) {
	long := strings.Repeat("wide ", 30)
	short := strings.Repeat("s", 100)
	cases := map[string]struct {
		text string
		want bool
	}{
		"text of several lines":    {"const a = `\n" + long + "\n`\n", false},
		"text that is wide itself": {"const a = `" + long + "`\n", false},
		"the tag of a field":       {"type a struct {\n\tB string `" + short + "` // is short for something\n}\n", false},
		"a marker":                 {"// +kubebuilder:validation:" + short + short + "\ntype a int\n", false},
		"code beside text":         {"var a, b = len(`" + short + "`), len(\"more of it\")\n", true},
		"code beside a backquote":  {"var a, b = len(\"`" + short + "\"), len(\"more of it\")\n", true},
		"code before text":         {"var a = len(\"" + short + "\") + len(\"more\") + len(`\nmore`)\n", true},
		"code after text":          {"const a = `\n` + \"" + long + "\"\n", true},
		"a comment":                {"// " + long + "`and more`\nconst a = 1\n", true},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			wide, _, err := wideLines(fstest.MapFS{"a/a.go": {Data: []byte("package a\n\n" + c.text)}})
			if err != nil {
				t.Fatal(err)
			}
			if (len(wide) > 0) != c.want {
				t.Errorf("found are %q; want some: %v", wide, c.want)
			}
		})
	}
}

// wideLines are the lines of all code in a tree that are wider than they must be, and how many files there are.
func wideLines(tree fs.FS) (wide []string, seen int, err error) {
	err = eachGoFile(tree, func(file string, text []byte) error {
		seen++
		lines := strings.Split(string(text), "\n")
		if !slices.ContainsFunc(lines, tooWide) {
			return nil
		}
		set := token.NewFileSet()
		code, err := parser.ParseFile(set, file, text, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		if ast.IsGenerated(code) {
			return nil
		}
		raw := rawText(set, code)
		for i, line := range lines {
			if tooWide(line) && !unbreakable.MatchString(line) && !raw[i+1] {
				wide = append(wide, fmt.Sprintf("%s:%d is wider than %d, and can be broken", file, i+1, widest))
			}
		}
		return nil
	})
	return wide, seen, err
}

func tooWide(line string) bool { return utf8.RuneCountInString(line) > widest }

// rawText are the lines that are as wide as they are for the raw text in them: those with a part of text of several
// lines, those with text that would hardly fit into a line of its own, and fields with a tag.
func rawText(set *token.FileSet, file *ast.File) map[int]bool {
	lines := map[int]bool{}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Field:
			if n.Tag != nil {
				lines[set.Position(n.Tag.Pos()).Line] = true
			}
		case *ast.BasicLit:
			if n.Kind != token.STRING || n.Value[0] != '`' {
				break
			}
			at := set.Position(n.Pos())
			parts := strings.Split(n.Value, "\n")
			for i, part := range parts {
				if len(parts) > 1 && part != "`" || utf8.RuneCountInString(part) > widest-longestIndent {
					lines[at.Line+i] = true
				}
			}
		}
		return true
	})
	return lines
}

// longestIndent is how far code is indented at most, with what stands around text in a line of its own.
const longestIndent = 16

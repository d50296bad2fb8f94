package lint

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

// The map of the packages is their doc.go files: whoever comes to a package reads there what it takes and gives, before
// its code. A program has its help instead, and a package of tests alone has nothing to give.
var (
	comesIn = regexp.MustCompile(`(?i)\bcomes? in\b|\bin comes?\b`)
	goesOut = regexp.MustCompile(`(?i)\bgo(es)? out\b|\bout go(es)?\b`)
)

func TestEachPackageSaysWhatComesInAndWhatGoesOut(t *testing.T) {
	wrong, seen, err := undescribed(os.DirFS(filepath.Join("..", "..")))
	if err != nil {
		t.Fatal(err)
	}
	for _, sentence := range wrong {
		t.Error(sentence)
	}
	if seen < 100 {
		t.Errorf("%d packages were looked at", seen)
	}
}

func TestPackagesThatSayNothingAreFound(t *testing.T) {
	const says = "// Package a is a fixture. What comes in is text;\n// what goes out is more of it.\npackage a\n"
	cases := map[string]struct {
		files fstest.MapFS
		want  []string
	}{
		"it says both":   {files("a/doc.go", says, "a/a.go", "package a\n"), nil},
		"in other words": {files("a/doc.go", "// Package a is a fixture. In comes text, out goes more.\npackage a\n"), nil},
		"a program":      {files("a/main.go", "package main\n"), nil},
		"tests alone":    {files("a/a_test.go", "package a\n"), nil},
		"a fixture":      {files("a/testdata/a.go", "package a\n"), nil},
		"of a system":    {files("a/doc.go", says, "a/a.go", "//go:build linux\n\npackage a\n"), nil},
		"no doc.go":      {files("a/a.go", says), []string{"a has no doc.go"}},
		"no comment": {
			files("a/doc.go", "package a\n"), []string{"a/doc.go does not say what comes in, what goes out"},
		},
		"nothing goes": {
			files("a/doc.go", "// In comes text.\npackage a\n"), []string{"a/doc.go does not say what goes out"},
		},
		"nothing comes": {
			files("a/doc.go", "// Text goes out.\npackage a\n"), []string{"a/doc.go does not say what comes in"},
		},
		"said twice": {
			files("a/doc.go", says, "a/a.go", says),
			[]string{"a/a.go has a comment of the package: a/doc.go is the place for it"},
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			got, _, err := undescribed(c.files)
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("it is said that %q, want %q", got, c.want)
			}
		})
	}
}

// files are a tree, of names each with its text.
func files(namesAndTexts ...string) fstest.MapFS {
	tree := fstest.MapFS{}
	for pair := range slices.Chunk(namesAndTexts, 2) {
		tree[pair[0]] = &fstest.MapFile{Data: []byte(pair[1])}
	}
	return tree
}

// undescribed are sentences on the packages of a tree that do not say what they are for, and how many packages it has.
func undescribed(tree fs.FS) (wrong []string, seen int, err error) {
	packages, err := packagesOf(tree, parser.PackageClauseOnly|parser.ParseComments)
	if err != nil {
		return nil, 0, err
	}
	for _, p := range packages {
		if p.name == "main" {
			continue
		}
		seen++
		if p.files["doc.go"] == nil {
			wrong = append(wrong, p.folder+" has no doc.go")
			continue
		}
		var missing []string
		comment := strings.Join(strings.Fields(p.files["doc.go"].Doc.Text()), " ")
		if !comesIn.MatchString(comment) {
			missing = append(missing, "what comes in")
		}
		if !goesOut.MatchString(comment) {
			missing = append(missing, "what goes out")
		}
		if missing != nil {
			wrong = append(wrong, fmt.Sprintf("%s/doc.go does not say %s", p.folder, strings.Join(missing, ", ")))
		}
		for name, file := range p.files {
			if name != "doc.go" && !ast.IsGenerated(file) && file.Doc.Text() != "" {
				wrong = append(wrong, fmt.Sprintf("%s/%s has a comment of the package: %s/doc.go is the place for it",
					p.folder, name, p.folder))
			}
		}
	}
	return wrong, seen, nil
}

// parsed is a package, without its tests.
type parsed struct {
	folder string
	name   string
	set    *token.FileSet
	files  map[string]*ast.File
}

// isApart says that a folder has no code of this repository: fixtures, what is built, and what others keep there.
func isApart(folder string) bool {
	name := path.Base(folder)
	return name == "testdata" || folder == "bin" || folder != "." && strings.HasPrefix(name, ".")
}

// eachGoFile looks at the code of this repository in a tree, file by file, in the order of their folders.
func eachGoFile(tree fs.FS, look func(file string, text []byte) error) error {
	return fs.WalkDir(tree, ".", func(file string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && isApart(file):
			return fs.SkipDir
		case entry.IsDir() || path.Ext(file) != ".go":
			return nil
		}
		text, err := fs.ReadFile(tree, file)
		if err != nil {
			return err
		}
		return look(file, text)
	})
}

// packagesOf are the packages of all modules in a tree, in the order of their folders.
func packagesOf(tree fs.FS, mode parser.Mode) (packages []parsed, err error) {
	err = eachGoFile(tree, func(file string, text []byte) error {
		folder, name := path.Dir(file), path.Base(file)
		if strings.HasSuffix(name, "_test.go") {
			return nil
		}
		i := slices.IndexFunc(packages, func(p parsed) bool { return p.folder == folder })
		if i < 0 {
			packages = append(packages, parsed{folder: folder, set: token.NewFileSet(), files: map[string]*ast.File{}})
			i = len(packages) - 1
		}
		p := &packages[i]
		code, err := parser.ParseFile(p.set, file, text, mode)
		if err != nil {
			return err
		}
		p.files[name], p.name = code, code.Name.Name
		return nil
	})
	return packages, err
}

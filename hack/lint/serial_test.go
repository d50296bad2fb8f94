package lint

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"testing"
)

// Nothing happens at the same time in a serial package: neither it nor its tests start a goroutine or have one started,
// and tests that play side by side change nothing that they share. There the race detector has nothing to find, and
// makes the tests take eight times as long. Who calls such a package from several goroutines is tested with the
// detector, which then sees what happens in the package as well.

// startsOrGuards are the packages that start goroutines, or are of use only to several of them.
var startsOrGuards = regexp.MustCompile(`^(sync(/.*)?|golang\.org/x/sync/.*|testing/synctest|net/http/httptest|` +
	`k8s\.io/client-go/(informers|tools/cache|tools/leaderelection|util/workqueue)(/.*)?|` +
	`sigs\.k8s\.io/controller-runtime(/pkg/(manager|cache|controller|envtest)(/.*)?)?)$`)

// startsByName are functions of other packages that start a goroutine.
var startsByName = []string{"AfterFunc", "RunParallel", "NotifyContext"}

// atOnce says where a package may do several things at the same time. It says nothing of a serial one.
func (p tested) atOnce(t *testing.T) []string {
	t.Helper()
	var files []*ast.File
	set := token.NewFileSet()
	for _, name := range p.files {
		file, err := parser.ParseFile(set, name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, file)
	}
	return atOnce(set, files)
}

func atOnce(set *token.FileSet, files []*ast.File) []string {
	var all, changed []string
	sideBySide := false
	at := func(n ast.Node, what string) string {
		position := set.Position(n.Pos())
		return fmt.Sprintf("%s:%d %s", filepath.Base(position.Filename), position.Line, what)
	}
	shared := sharedBy(files)
	for _, file := range files {
		for _, spec := range file.Imports {
			if imported, err := strconv.Unquote(spec.Path.Value); err == nil && startsOrGuards.MatchString(imported) {
				all = append(all, at(spec, "imports "+path.Clean(imported)))
			}
		}
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.GoStmt:
				all = append(all, at(n, "starts a goroutine"))
			case *ast.SelectorExpr:
				if slices.Contains(startsByName, n.Sel.Name) {
					all = append(all, at(n, "calls "+n.Sel.Name))
				}
				sideBySide = sideBySide || n.Sel.Name == "Parallel"
			}
			for _, to := range changedBy(n) { // a name without an object, or with one of the file, is the package's
				if name := root(to); name != nil && shared[name.Name] &&
					(name.Obj == nil || name.Obj == file.Scope.Lookup(name.Name)) {
					changed = append(changed, at(n, "changes "+name.Name+", which tests share that play side by side"))
				}
			}
			return true
		})
	}
	if sideBySide {
		all = append(all, changed...)
	}
	return all
}

// sharedBy are the names of all variables of a package.
func sharedBy(files []*ast.File) map[string]bool {
	names := map[string]bool{}
	for _, file := range files {
		for _, declared := range file.Decls {
			of, is := declared.(*ast.GenDecl)
			if !is || of.Tok != token.VAR {
				continue
			}
			for _, spec := range of.Specs {
				for _, name := range spec.(*ast.ValueSpec).Names {
					names[name.Name] = true
				}
			}
		}
	}
	return names
}

// changedBy are what a node changes, or gives others the address of.
func changedBy(n ast.Node) []ast.Expr {
	switch n := n.(type) {
	case *ast.AssignStmt:
		if n.Tok != token.DEFINE {
			return n.Lhs
		}
	case *ast.IncDecStmt:
		return []ast.Expr{n.X}
	case *ast.RangeStmt:
		if n.Tok == token.ASSIGN {
			return []ast.Expr{n.Key, n.Value}
		}
	case *ast.UnaryExpr:
		if n.Op == token.AND {
			return []ast.Expr{n.X}
		}
	case *ast.CallExpr:
		if name, is := n.Fun.(*ast.Ident); is && len(n.Args) > 0 && slices.Contains([]string{"delete", "clear", "copy"},
			name.Name) {
			return n.Args[:1]
		}
	}
	return nil
}

// root is the variable that an expression is a part of.
func root(e ast.Expr) *ast.Ident {
	for {
		switch of := e.(type) {
		case *ast.Ident:
			return of
		case *ast.SelectorExpr:
			e = of.X
		case *ast.IndexExpr:
			e = of.X
		case *ast.StarExpr:
			e = of.X
		case *ast.ParenExpr:
			e = of.X
		default:
			return nil
		}
	}
}

func TestWhatHappensAtTheSameTimeIsSeen(t *testing.T) {
	cases := map[string]struct {
		text string
		want []string
	}{
		"serial":                 {"func f() { x := 1; x++ }", nil},
		"a goroutine":            {"func f() { go f() }", []string{"a.go:2 starts a goroutine"}},
		"a goroutine of a timer": {"func f() { time.AfterFunc(1, f) }", []string{"a.go:2 calls AfterFunc"}},
		"a lock":                 {`import _ "sync"`, []string{"a.go:2 imports sync"}},
		"a server":               {`import _ "net/http/httptest"`, []string{"a.go:2 imports net/http/httptest"}},
		"side by side": {
			"var known = map[int]bool{}\nfunc TestF(t *testing.T) { t.Parallel(); _ = known[1] }", nil,
		},
		"one after the other": {"var known int\nfunc TestF(t *testing.T) { known = 1 }", nil},
		"side by side, with something that changes": {
			"var known = map[int]bool{}\nfunc TestF(t *testing.T) { t.Parallel(); known[1] = true }",
			[]string{"a.go:3 changes known, which tests share that play side by side"},
		},
		"side by side, with something that others may change": {
			"var known int\nfunc TestF(t *testing.T) { t.Parallel(); f(&known) }",
			[]string{"a.go:3 changes known, which tests share that play side by side"},
		},
		"side by side, with something of the same name": {
			"var known int\nfunc TestF(t *testing.T) { t.Parallel(); known := 1; known++ }", nil,
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			set := token.NewFileSet()
			file, err := parser.ParseFile(set, "a.go", "package a\n"+c.text, 0)
			if err != nil {
				t.Fatal(err)
			}
			if got := atOnce(set, []*ast.File{file}); !slices.Equal(got, c.want) {
				t.Errorf("of %q it is said that it %q, want %q", c.text, got, c.want)
			}
		})
	}
}

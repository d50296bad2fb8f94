package sentences_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// commands are the folders of the program takt. What reads files for it is elsewhere: takt says around that what to do.
var commands = []string{"cli", "cli/*", "cmd/takt"}

// failures lists what takt says where something fails, with … for what differs.
func failures(t *testing.T) []string {
	t.Helper()
	var all []string
	for _, folder := range commands {
		files, err := filepath.Glob(filepath.Join(root, folder, "*.go"))
		if err != nil || len(files) == 0 {
			t.Fatalf("there is no %s: %v", folder, err)
		}
		for _, file := range files {
			if !isTest(file) {
				all = append(all, failuresIn(t, file)...)
			}
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// failuresIn reads a source file for all that makes an error.
func failuresIn(t *testing.T, path string) (all []string) {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(file, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if ok && slices.Contains([]string{"fmt.Errorf", "errors.New", "usage.Misuse", "Misuse"}, nameOf(call.Fun)) {
			text := blanks.ReplaceAllString(joined(call.Args[0]), "…")
			all = append(all, strings.TrimSpace(strings.ReplaceAll(text, "%%", "%")))
		}
		return true
	})
	return all
}

func nameOf(f ast.Expr) string {
	switch f := f.(type) {
	case *ast.SelectorExpr:
		return fmt.Sprintf("%v.%s", f.X, f.Sel.Name)
	case *ast.Ident:
		return f.Name
	}
	return ""
}

// joined is a text of several parts, with … for those that are not written there.
func joined(e ast.Expr) string {
	if text, constant := flat(e); constant {
		return text
	}
	if sum, ok := e.(*ast.BinaryExpr); ok && sum.Op == token.ADD {
		return joined(sum.X) + joined(sum.Y)
	}
	return "…"
}

// remedy is how it is said what to do.
var remedy = regexp.MustCompile(`(?i)(^|[:;.,?(] |\b(or|and|then|else|and if not) )` +
	`(name|give|see|ask|choose|take|log in|try|install|create|delete|write|leave|have|change|mend|raise|lower|add|submit|` +
	`allow|look|draw)\b|\b(must (not )?|has to (not )?|may (not )?)(be|name)\b|\b(must|has to|may not) have\b|\b(installs it|says what)\b|` +
	// a command tells it
	`\b(takt|kubectl config) [a-z…-]+( (-A|…))? (says|shows|lists|tells|writes)`)

// within are parts of what takt says, each with the words around it, which say what to do.
var within = map[string]string{
	"--deadline is …: …":                        "it must be",
	"--… is …: …":                               "it must be",
	"--… needs a value: …":                      "see … --help",
	"…":                                         "see … --help",
	"…, or all":                                 "it must be",
	"…, or several, such as 64,96,128":          "it must be",
	"TrainingQueue …: …":                        "…: …. Change that in the file",
	"this is no manifest: …":                    "…: …. Change that in the file",
	"it breaks off in the middle":               "takt snapshot writes one",
	"it is empty":                               "takt snapshot writes one",
	"line …: there is more after the end of it": "takt snapshot writes one",
	"line …: …":                                 "takt snapshot writes one",
	"… is no snapshot: …":                       "takt snapshot writes one",
	"… cannot be planned for:\n…":               "takt snapshot writes one",
	"… …":                                       "no connection to takt-operator",
	"something is broken":                       "takt doctor", // nobody reads it: the findings are there
}

// Who calls takt in vain is told what to do, whatever it was.
func TestFailuresSayWhatToDo(t *testing.T) {
	all := failures(t)
	for part, around := range within {
		if !slices.Contains(all, part) {
			t.Errorf("nothing says %q any more", part)
		}
		if !slices.ContainsFunc(all, func(s string) bool { return strings.Contains(s, around) && remedy.MatchString(s) }) {
			t.Errorf("nothing says %q around %q, and what to do", around, part)
		}
	}
	for _, s := range all {
		if _, is := within[s]; !is && !remedy.MatchString(s) {
			t.Errorf("%q does not say what to do", s)
		}
	}
}

// Whoever has a release, a chart or a plugin has no folders of the sources.
func TestNobodyIsSentToTheSources(t *testing.T) {
	for _, folder := range append(commands, "cmd/*", "operator", "operator/*", "scheduler/*", "told") {
		files, err := filepath.Glob(filepath.Join(root, folder, "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			if isTest(file) {
				continue
			}
			for _, s := range formatsIn(t, file, true) {
				if sources.MatchString(s) {
					relative, _ := filepath.Rel(root, file)
					t.Errorf("%s: %q: version.Release knows what people have instead", relative, s)
				}
			}
		}
	}
}

var sources = regexp.MustCompile(`\bconfig/[a-z]|\bdocs/[a-z]+\.md`)

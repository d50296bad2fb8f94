package sentences_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// place is where people read the sentences of some files.
type place struct {
	title string
	files []string
	style style
}

// style is how a place writes.
type style int

const (
	plain  style = iota // sentences with a full stop
	errors              // what errors say is among them
	bare                // lines without a full stop
)

// places are those of all packages that say anything to people. What is in none of them must not look like a sentence.
var places = []place{
	{"Message of an ElasticJob, condition OnTrack, event of its verdict", []string{
		"operator/reporting/verdict.go", "operator/reporting/overrun.go", "operator/reporting/admitted.go",
		"operator/reporting/conditions.go", "operator/reporting/hurdle.go", "operator/view/hurdle.go",
		"operator/reporting/infeasible.go", "operator/reporting/cutshort.go",
		"operator/profiles/shelf.go", "operator/view/hazards.go",
		"operator/reporting/howresized.go", "operator/reporting/activedeadline.go", "operator/reporting/pending.go",
		"operator/wrapping/obstacle.go", "operator/kind/*/read.go", "operator/kind/kubeflow/wrap.go",
		"operator/reporting/agent.go",
		"operator/reporting/afterothers.go", "operator/reporting/afterwards.go",
		"operator/reporting/ofitsqueue.go", "operator/view/predecessors.go", "operator/kind/atitsend.go"}, plain},
	{"Message of an ElasticJob that is left alone, condition Admitted and its event", []string{
		"operator/view/refuse.go", "operator/view/nodes.go", "operator/kind/*/objections.go"}, plain},
	{"Message of an ElasticJob that does not have the size that it could have, condition Resizing", []string{
		"operator/planning/begins.go", "operator/planning/heldsizes.go", "operator/planning/stuck.go",
		"operator/memory/hindrance.go", "operator/planning/quotacap.go", "operator/planning/job.go",
		"operator/planning/impossible.go", "operator/planning/aside.go", "operator/planning/unplaced.go",
		"operator/planning/resizes.go", "operator/planning/othernodes.go",
		"operator/planning/stranded.go", "operator/planning/noreturn.go",
		"operator/capacity/quota.go"}, plain},
	{"Message of an ElasticJob whose progress is in doubt", []string{
		"operator/learn/view.go", "operator/learn/health.go", "operator/learn/sample.go", "operator/learn/tally.go",
		"operator/learn/parts.go", "operator/progress/idle.go"}, plain},
	{"The end of “No progress was read yet: …” and its like",
		[]string{"operator/progress/*.go", "predictor/progress.go"}, errors},
	{"What is written on a job: the end of a message, event on the job", []string{
		"operator/view/faults.go", "operator/reporting/misspelt.go", "operator/keeping/keeper.go",
		"operator/keeping/faults.go",
		"operator/shorthand/*.go"}, errors},
	{"Event of a job that Takt lets go of", []string{"operator/keeping/letgo.go", "operator/expiring/expirer.go",
		"operator/planning/abandoned.go"}, plain},
	{"Event of an ElasticJob that may not be changed", []string{"operator/reporting/reporter.go"}, plain},
	{"Event of a job that its manifest has stopped", []string{"operator/planning/reapplied.go"}, plain},
	{"Event of a pod that Takt does not look after", []string{"operator/planning/outsiders.go"}, plain},
	{"What the operator prints that takes Takt out of a cluster", []string{"operator/removal/*.go"}, bare},
	{"Event of a Resize that has ended", []string{"operator/resizing/ended.go"}, bare},
	{"Why a Resize under way is given up for another decision, before that one's own sentence",
		[]string{"elastic/begin/withdrawal.go"}, plain},
	{"Condition of a Resize, last resort", []string{"operator/resizing/giveup.go"}, plain},
	{"Conditions of TrainingQueues and TrainingProfiles",
		[]string{"operator/planning/queues.go", "operator/learn/merge.go"}, plain},
	{"Placement of a Resize, and events of its pods", []string{
		"scheduler/plugin/*.go", "scheduler/gang/*.go", "scheduler/pack/*.go"}, bare},
	{"The web page of the operator, beside what it shows of objects", []string{"operator/page/*.go"}, plain},
	{"What `takt why` and the web page tell of a job, beside its own messages", []string{"told/*.go"}, plain},
	{"What `takt plan` says of a Snapshot that makes no sense", []string{"elastic/check.go"}, errors},
	{"The operator says this and ends, where the cluster has no kinds of Takt",
		[]string{"operator/installed/own.go"}, errors},
}

// mute are files of these folders that say nothing to users of jobs.
var mute = []string{
	"operator/telling/metrics.go", "operator/telling/jobs.go", "operator/shorthand/kept.go", "operator/settings/*.go",
	"scheduler/plugin/metrics.go",
}

// said lists the sentences of the files of a place, with … for what differs.
func (p place) said(t *testing.T) []string {
	t.Helper()
	var all []string
	for _, pattern := range p.files {
		files, err := filepath.Glob(filepath.Join(root, pattern))
		if err != nil || len(files) == 0 {
			t.Errorf("there is no %s any more", pattern)
		}
		for _, file := range files {
			if relative, _ := filepath.Rel(root, file); !isMute(relative) {
				all = append(all, saidIn(t, file, p.style == errors)...)
			}
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

func isTest(file string) bool { return strings.HasSuffix(file, "_test.go") }

func isMute(file string) bool {
	return isTest(file) || slices.ContainsFunc(mute, func(pattern string) bool {
		is, _ := filepath.Match(pattern, file)
		return is
	})
}

var (
	beginsWithin = regexp.MustCompile(`^([,;.(]|(and|is|has|gives|at most) )|:$`)
	whole        = regexp.MustCompile(`([.?!]|: …)$`)
)

// isPart says that a text is only a part of what people read there.
func (p place) isPart(text string) bool {
	return beginsWithin.MatchString(text) || p.style == plain && !whole.MatchString(text)
}

// saidIn lists the sentences of a source file, with … for what differs.
func saidIn(t *testing.T, path string, failures bool) []string {
	t.Helper()
	var all []string
	for _, format := range formatsIn(t, path, failures) {
		if looksSaid(format) {
			text := strings.ReplaceAll(blanks.ReplaceAllString(format, "…"), "%%", "%")
			all = append(all, strings.TrimSpace(moreFollows.ReplaceAllString(text, "$1")))
		}
	}
	return all
}

// formatsIn reads a source file for strings as they are written: whatever is not told to a log or, unless
// failures are wanted, an error.
func formatsIn(t *testing.T, path string, failures bool) []string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	file, err := parser.ParseFile(token.NewFileSet(), path, text, 0)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ImportSpec, *ast.Field:
			return false
		case *ast.CallExpr:
			called := ""
			switch f := n.Fun.(type) {
			case *ast.SelectorExpr:
				called = f.Sel.Name
			case *ast.Ident:
				called = f.Name
			}
			return !slices.Contains(unheard, called) && (failures || called != "Errorf" && called != "New")
		case ast.Expr:
			text, constant := flat(n)
			if constant {
				all = append(all, text)
			}
			return !constant
		}
		return true
	})
	return all
}

// flat is a string that is written in several parts.
func flat(e ast.Expr) (string, bool) {
	switch e := e.(type) {
	case *ast.BasicLit:
		text, err := strconv.Unquote(e.Value)
		return text, e.Kind == token.STRING && err == nil
	case *ast.BinaryExpr:
		left, isLeft := flat(e.X)
		right, isRight := flat(e.Y)
		return left + right, isLeft && isRight && e.Op == token.ADD
	}
	return "", false
}

var (
	// unheard are the functions whose arguments nobody reads as they are.
	unheard = []string{"panic", "Info", "InfoS", "Error", "ErrorS", "Fields"}
	blanks  = regexp.MustCompile(`(%(\[\d\])?[.0-9+]*[sdqvgftwx])+`)
	// moreFollows is another sentence that may come after one.
	moreFollows = regexp.MustCompile(`([.?])( ?…)+$`)
	letters     = regexp.MustCompile(`[A-Za-z]{2,}`)
)

// looksSaid says whether a string has words enough for a sentence, or a good part of one.
func looksSaid(text string) bool {
	return strings.Count(strings.TrimSpace(text), " ") >= 2 && len(letters.FindAllString(text, -1)) >= 3
}

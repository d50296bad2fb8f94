package monitoring

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/prometheus/common/model"
	"github.com/prometheus/prometheus/promql/parser"
)

// metric is a row of docs/metrics.md, which the tests of the programs compare with their registries.
type metric struct {
	kind   string
	labels []string
}

var row = regexp.MustCompile("(?m)^\\| `([a-z_]+)` \\| ([a-z]+) \\| ([^|]*) \\|")

// ofTarget are the labels that the operator of Prometheus gives to whatever is scraped by a ServiceMonitor.
var ofTarget = []string{"job", "namespace", "pod", "instance"}

func metrics(t *testing.T) map[string]metric {
	t.Helper()
	all := map[string]metric{}
	for _, found := range row.FindAllStringSubmatch(string(read(t, root+"/docs/metrics.md")), -1) {
		m := metric{kind: found[2]}
		for label := range strings.SplitSeq(strings.ReplaceAll(found[3], "`", ""), ",") {
			if label = strings.TrimSpace(label); label != "" {
				m.labels = append(m.labels, label)
			}
		}
		series := []string{found[1]}
		if m.kind == "histogram" {
			series = []string{found[1] + "_bucket", found[1] + "_sum", found[1] + "_count"}
		}
		for _, name := range series {
			all[name] = m
		}
		if m.kind == "histogram" {
			all[found[1]+"_bucket"] = metric{m.kind, append(slices.Clone(m.labels), "le")}
		}
	}
	if len(all) < 30 {
		t.Fatalf("docs/metrics.md lists %d metrics alone", len(all))
	}
	return all
}

// Each metric and label that dashboards and alerts use is one that the programs tell.
func TestWhatIsAskedForIsTold(t *testing.T) {
	there := metrics(t)
	for where, expression := range expressions(t) {
		for _, complaint := range complaints(parse(t, expression), there) {
			t.Errorf("%s: %s\n%s", where, complaint, expression)
		}
	}
}

// What the test above is to find, it finds.
func TestWhatIsNotToldIsFound(t *testing.T) {
	there := metrics(t)
	for expression, want := range map[string]string{
		`takt_invented`:               "there is no metric takt_invented",
		`takt_gpus{tenant="a"}`:       "takt_gpus has no label tenant",
		`sum by (tenant) (takt_gpus)`: "takt_gpus has no label tenant",
		`takt_plan_seconds`:           "there is no metric takt_plan_seconds",
		`rate(takt_gpus[5m])`:         "takt_gpus is a gauge, and rate is for counters",
		`sum(increase(takt_plan_seconds_bucket{le="1",why="x"}[5m]))`: "takt_plan_seconds_bucket has no label why",
		`sum by (queue) (takt_gpus{verdict="OnTrack"})`:               "",
	} {
		if got := strings.Join(complaints(parse(t, expression), there), "; "); got != want {
			t.Errorf("%s: got %q, want %q", expression, got, want)
		}
	}
}

// complaints are what is wrong with an expression: what it selects, groups by and counts.
func complaints(expression parser.Expr, there map[string]metric) (all []string) {
	parser.Inspect(expression, func(node parser.Node, _ []parser.Node) error {
		switch n := node.(type) {
		case *parser.VectorSelector:
			m, found := there[n.Name]
			if !found {
				all = append(all, "there is no metric "+n.Name)
				return nil
			}
			for _, matcher := range n.LabelMatchers {
				if matcher.Name != model.MetricNameLabel {
					all = append(all, missing(n.Name, m, matcher.Name)...)
				}
			}
		case *parser.AggregateExpr:
			for _, name := range selected(n.Expr) {
				for _, label := range n.Grouping {
					if m, found := there[name]; found {
						all = append(all, missing(name, m, label)...)
					}
				}
			}
		case *parser.Call:
			if n.Func.Name != "rate" && n.Func.Name != "increase" {
				return nil
			}
			for _, name := range selected(n.Args[0]) {
				if there[name].kind == "gauge" {
					all = append(all, name+" is a gauge, and "+n.Func.Name+" is for counters")
				}
			}
		}
		return nil
	})
	return all
}

func missing(name string, m metric, label string) []string {
	if slices.Contains(m.labels, label) || slices.Contains(ofTarget, label) {
		return nil
	}
	return []string{name + " has no label " + label}
}

// selected are the names of the metrics in an expression.
func selected(expression parser.Expr) (names []string) {
	parser.Inspect(expression, func(node parser.Node, _ []parser.Node) error {
		if n, ok := node.(*parser.VectorSelector); ok {
			names = append(names, n.Name)
		}
		return nil
	})
	return names
}

// What names a single job has a series for each. So no alert asks for it, and the dashboard of the fleet for a few.
func TestSingleJobsAreNamedWhereTheyAreFew(t *testing.T) {
	for where, expression := range expressions(t) {
		if strings.HasPrefix(where, "takt-job.json") {
			continue
		}
		for _, name := range selected(parse(t, expression)) {
			if strings.HasPrefix(name, "takt_job_") &&
				(strings.HasPrefix(where, "alert") || !strings.HasPrefix(expression, "topk(20, ")) {
				t.Errorf("%s asks for %s of all jobs", where, name)
			}
		}
	}
}

// Legends are filled in from labels that are left.
func TestLegendsNameLabelsThatAreLeft(t *testing.T) {
	named := regexp.MustCompile(`\{\{(\w+)\}\}`)
	for file, b := range boards(t) {
		for _, p := range b.Panels {
			for _, target := range p.Targets {
				for _, label := range named.FindAllStringSubmatch(target.LegendFormat, -1) {
					if !leaves(parse(t, target.Expr), label[1]) {
						t.Errorf("%s: %s: the label %s is not left by %s", file, p.Title, label[1], target.Expr)
					}
				}
			}
		}
	}
}

// leaves says that a label is left by the outermost aggregation.
func leaves(expression parser.Expr, label string) bool {
	switch e := expression.(type) {
	case *parser.AggregateExpr:
		return !e.Without && slices.Contains(e.Grouping, label)
	case *parser.ParenExpr:
		return leaves(e.Expr, label)
	case *parser.BinaryExpr:
		return e.VectorMatching != nil && !e.VectorMatching.On && len(e.VectorMatching.MatchingLabels) == 0 &&
			leaves(e.LHS, label) && leaves(e.RHS, label) || e.RHS.Type() == parser.ValueTypeScalar && leaves(e.LHS, label)
	case *parser.Call:
		for _, argument := range e.Args {
			if argument.Type() != parser.ValueTypeScalar {
				return leaves(argument, label)
			}
		}
	case *parser.VectorSelector, *parser.MatrixSelector:
		return true // all of the labels that it has, as another test knows them
	}
	return false
}

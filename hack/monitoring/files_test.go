package monitoring

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/prometheus/prometheus/promql/parser"
	"sigs.k8s.io/yaml"
)

const (
	root   = "../.."
	folder = root + "/config/monitoring"
)

// alert is a rule as it is written.
type alert struct {
	Alert       string            `json:"alert"`
	Expr        string            `json:"expr"`
	For         string            `json:"for"`
	Labels      map[string]string `json:"labels"`
	Annotations map[string]string `json:"annotations"`
}

func alerts(t *testing.T) (all []alert) {
	t.Helper()
	var object struct {
		Spec struct {
			Groups []struct {
				Name  string  `json:"name"`
				Rules []alert `json:"rules"`
			} `json:"groups"`
		} `json:"spec"`
	}
	if err := yaml.Unmarshal(read(t, folder+"/rules.yaml"), &object); err != nil {
		t.Fatal(err)
	}
	for _, group := range object.Spec.Groups {
		all = append(all, group.Rules...)
	}
	if len(all) == 0 {
		t.Fatal("there are no alerts")
	}
	return all
}

// board is what the tests look at of a dashboard.
type board struct {
	UID, Title string
	Templating struct{ List []variable }
	Panels     []panel
}

type variable struct {
	Name, Type, Query string
	Multi             bool
}

// values are what can be chosen: those of a label of the series that are selected.
func (v variable) values() (selector, label string, found bool) {
	inside, found := strings.CutPrefix(v.Query, "label_values(")
	if !found {
		return "", "", false
	}
	at := strings.LastIndex(inside, ",")
	return inside[:at], strings.Trim(inside[at:], ", )"), true
}

type panel struct {
	Type, Title, Description string
	Targets                  []struct{ Expr, LegendFormat string }
	GridPos                  struct{ X, Y, W, H int }
}

// boards are the dashboards, by the name of their file.
func boards(t *testing.T) map[string]board {
	t.Helper()
	all := map[string]board{}
	for _, path := range dashboardFiles(t) {
		var b board
		if err := json.Unmarshal(read(t, path), &b); err != nil {
			t.Fatal(path, err)
		}
		all[filepath.Base(path)] = b
	}
	return all
}

func dashboardFiles(t *testing.T) []string {
	t.Helper()
	paths, err := filepath.Glob(folder + "/dashboards/*.json")
	if err != nil || len(paths) == 0 {
		t.Fatalf("there are no dashboards (%v)", err)
	}
	return paths
}

// expressions are all that Prometheus is asked, by where.
func expressions(t *testing.T) map[string]string {
	t.Helper()
	all := map[string]string{}
	for _, a := range alerts(t) {
		all["alert "+a.Alert] = a.Expr
	}
	for file, b := range boards(t) {
		for _, v := range b.Templating.List {
			if selector, label, found := v.values(); found {
				all[file+": variable "+v.Name] = "sum by (" + label + ") (" + selector + ")"
			}
		}
		for _, p := range b.Panels {
			for i, target := range p.Targets {
				all[fmt.Sprintf("%s: %s: %d", file, p.Title, i+1)] = target.Expr
			}
		}
	}
	return all
}

// grafana are the variables that Grafana fills in.
var grafana = strings.NewReplacer("$__rate_interval", "5m", "$__range", "1h")

// parse reads an expression as Prometheus does.
func parse(t *testing.T, expression string) parser.Expr {
	t.Helper()
	read, err := parser.NewParser(parser.Options{}).ParseExpr(grafana.Replace(expression))
	if err != nil {
		t.Fatalf("%s: %v", expression, err)
	}
	return read
}

func read(t *testing.T, path string) []byte {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

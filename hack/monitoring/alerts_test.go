package monitoring

import (
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/common/model"
	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/promql/parser"
	"github.com/prometheus/prometheus/promql/promqltest"
	"github.com/prometheus/prometheus/rules"
	"sigs.k8s.io/yaml"
)

// story is what happens before an alert.
type story struct {
	Series string `json:"series"`
	Says   string `json:"says"`
}

// Prometheus' own engine evaluates each alert over the series of testdata/alerts.yaml.
func TestAlertsFireWhenTheyShould(t *testing.T) {
	var stories map[string]struct {
		At    string `json:"at"`
		Fires story  `json:"fires"`
		Calm  story  `json:"calm"`
	}
	if err := yaml.UnmarshalStrict(read(t, "testdata/alerts.yaml"), &stories); err != nil {
		t.Fatal(err)
	}
	for _, a := range alerts(t) {
		t.Run(a.Alert, func(t *testing.T) {
			found := false
			for name, tale := range stories {
				if first, _, _ := strings.Cut(name, " "); first != a.Alert {
					continue
				}
				found = true
				delete(stories, name)
				at := span(t, tale.At)
				if got := played(t, a, tale.Fires.Series, at); !strings.Contains(strings.Join(got, "\n"), tale.Fires.Says) ||
					len(got) != 1 {
					t.Errorf("%s: it says %q, want one that says %q", name, got, tale.Fires.Says)
				}
				if got := played(t, a, tale.Calm.Series, at); len(got) > 0 {
					t.Errorf("%s: it says %q where all is well", name, got)
				}
			}
			if !found {
				t.Fatal("testdata/alerts.yaml has no story of it")
			}
		})
	}
	for name := range stories {
		t.Errorf("testdata/alerts.yaml tells of %s, which is no alert", name)
	}
}

// played gives the descriptions of an alert that has fired at any time until then.
func played(t *testing.T, a alert, series string, until time.Duration) []string {
	t.Helper()
	storage := promqltest.LoadedStorage(t, "load 1m\n  "+strings.ReplaceAll(strings.TrimSpace(series), "\n", "\n  ")+"\n")
	engine := promqltest.NewTestEngine(t, false, 5*time.Minute, 1_000_000)
	expression, err := parser.NewParser(parser.Options{}).ParseExpr(a.Expr)
	if err != nil {
		t.Fatal(err)
	}
	rule := rules.NewAlertingRule(a.Alert, expression, span(t, a.For), 0, labels.FromMap(a.Labels),
		labels.FromMap(a.Annotations),
		labels.EmptyLabels(), "", true, slog.New(slog.DiscardHandler))
	every := max(time.Minute, until/100) // long stories need not be looked at as often
	said := map[string]string{}          // by labels, the last
	for now := time.Unix(0, 0).UTC(); now.Sub(time.Unix(0, 0)) <= until; now = now.Add(every) {
		if _, err := rule.Eval(t.Context(), 0, now, rules.EngineQueryFunc(engine, storage), nil, 0); err != nil {
			t.Fatal(err)
		}
		for _, active := range rule.ActiveAlerts() {
			if active.State == rules.StateFiring {
				said[active.Labels.String()] = active.Annotations.Get("description")
			}
		}
	}
	var all []string
	for _, sentence := range said {
		if strings.Contains(sentence, "error") {
			t.Errorf("it says %q", sentence)
		}
		all = append(all, sentence)
	}
	return all
}

func span(t *testing.T, text string) time.Duration {
	t.Helper()
	if text == "" {
		return 0
	}
	d, err := model.ParseDuration(text)
	if err != nil {
		t.Fatal(err)
	}
	return time.Duration(d)
}

package monitoring

import (
	"strings"
	"testing"

	"github.com/grafana/grafana-foundation-sdk/go/cog/plugins"
	"github.com/grafana/grafana-foundation-sdk/go/dashboard"
	"github.com/grafana/grafana-foundation-sdk/go/prometheus"
	"github.com/grafana/grafana-foundation-sdk/go/stat"
	"github.com/grafana/grafana-foundation-sdk/go/table"
	"github.com/grafana/grafana-foundation-sdk/go/timeseries"
)

// Grafana's own description of a dashboard, of its panels and of what they ask of Prometheus knows each field.
func TestDashboardsAreAsGrafanaHasThem(t *testing.T) {
	plugins.RegisterDefaultPlugins()
	for _, path := range dashboardFiles(t) {
		var d dashboard.Dashboard //nolint:staticcheck // Grafanas before 12 read these alone, and all read them
		err := d.UnmarshalJSONStrict(read(t, path))
		if err != nil && err.Error() != "" { // of a row it gives an error that is empty
			t.Errorf("%s: %v", path, err)
		}
		if err := d.Validate(); err != nil {
			t.Errorf("%s: %v", path, err)
		}
		for _, p := range d.Panels {
			if p.Panel == nil || p.Panel.Type == "row" {
				continue
			}
			known := false
			switch p.Panel.Options.(type) {
			case *stat.Options, *table.Options, *timeseries.Options:
				known = true
			}
			if !known {
				t.Errorf("%s: %s has options %T", path, *p.Panel.Title, p.Panel.Options)
			}
			for _, target := range p.Panel.Targets {
				if _, ok := target.(*prometheus.Dataquery); !ok {
					t.Errorf("%s: %s asks for %T", path, *p.Panel.Title, target)
				}
			}
		}
	}
}

// A dashboard can be read: each panel says what it is about, and none covers another.
func TestPanelsCanBeRead(t *testing.T) {
	seen := map[string]bool{}
	for file, b := range boards(t) {
		if seen[b.UID] || b.UID+".json" != file {
			t.Errorf("%s has the uid %s", file, b.UID)
		}
		seen[b.UID] = true
		taken := map[[2]int]string{}
		for _, p := range b.Panels {
			if p.Title == "" || p.Type != "row" && p.Description == "" {
				t.Errorf("%s: the panel %q does not say what it is about", file, p.Title)
			}
			at := p.GridPos
			if at.X+at.W > 24 {
				t.Errorf("%s: %s is wider than the page", file, p.Title)
			}
			for x := at.X; x < at.X+at.W; x++ {
				for y := at.Y; y < at.Y+at.H; y++ {
					if other := taken[[2]int{x, y}]; other != "" && other != p.Title {
						t.Errorf("%s: %s covers %s", file, p.Title, other)
					}
					taken[[2]int{x, y}] = p.Title
				}
			}
		}
	}
}

// Each variable that an expression has is one of the dashboard, or of Grafana.
func TestVariablesAreThere(t *testing.T) {
	for file, b := range boards(t) {
		var names []string
		for _, v := range b.Templating.List {
			names = append(names, "$"+v.Name, "")
		}
		for _, p := range b.Panels {
			for _, target := range p.Targets {
				if left := strings.NewReplacer(names...).Replace(grafana.Replace(target.Expr)); strings.Contains(left, "$") {
					t.Errorf("%s: %s has a variable that is not there: %s", file, p.Title, left)
				}
			}
		}
	}
}

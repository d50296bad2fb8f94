package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const made = "../../../config/monitoring/dashboards"

func TestDashboardsAreAsDescribed(t *testing.T) {
	paths, err := filepath.Glob("*.yaml")
	if err != nil {
		t.Fatal(err)
	}
	there, err := os.ReadDir(made)
	if err != nil || len(there) != len(paths) || len(paths) == 0 {
		t.Errorf("there are %d dashboards and %d descriptions (%v)", len(there), len(paths), err)
	}
	for _, path := range paths {
		uid := "takt-" + strings.TrimSuffix(path, ".yaml")
		want, err := makeDashboard(path, uid)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(filepath.Join(made, uid+".json")); err != nil || string(got) != string(want) {
			t.Errorf("%s is not as %s describes it (%v): make generate", uid, path, err)
		}
	}
}

func TestWhatIsMisspeltIsRefused(t *testing.T) {
	for text, want := range map[string]string{
		"title: a\nrow: []": `unknown field "row"`,
		"rows: [{panels: [{title: Done, show: gauge}]}]": `Done is shown as "gauge", which is not known`,
	} {
		path := filepath.Join(t.TempDir(), "a.yaml")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := makeDashboard(path, "a"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("of %q it says %v, want %s", text, err, want)
		}
	}
}

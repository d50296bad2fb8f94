package monitoring

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// Each alert has a part of docs/runbooks.md, to which it points, and each part has its alert.
func TestEachAlertHasItsRunbook(t *testing.T) {
	page := string(read(t, root+"/docs/runbooks.md"))
	parts := map[string]string{}
	for _, part := range strings.Split(page, "\n## ")[1:] {
		title, text, _ := strings.Cut(part, "\n")
		parts[title] = text
	}
	for _, a := range alerts(t) {
		text, found := parts[a.Alert]
		delete(parts, a.Alert)
		for _, want := range []string{"*It means* that ", "*Look at* ", "*Do*"} {
			if !found || !strings.Contains(text, want) {
				t.Errorf("docs/runbooks.md has no part %s that says: %s", a.Alert, want)
			}
		}
		if want := "docs/runbooks.md#" + strings.ToLower(a.Alert); !strings.HasSuffix(a.Annotations["runbook_url"], want) {
			t.Errorf("%s points to %q, not to %s", a.Alert, a.Annotations["runbook_url"], want)
		}
		severe := slices.Contains([]string{"critical", "warning", "info"}, a.Labels["severity"])
		if a.Annotations["summary"] == "" || a.Annotations["description"] == "" || !severe {
			t.Errorf("%s lacks a summary, a description or a severity", a.Alert)
		}
	}
	for title := range parts {
		t.Errorf("docs/runbooks.md is about %s, which is no alert", title)
	}
}

var (
	quoted  = regexp.MustCompile(`"([^"\n]+)"`)
	command = regexp.MustCompile("`takt ([a-z]+)|(?m:^takt ([a-z]+))")
	setting = regexp.MustCompile("`([a-z]+)\\.([a-zA-Z]+)`")
	path    = regexp.MustCompile("`(config/[a-z/._]+)`")
)

// Whoever is woken at night finds what the page speaks of: panels, commands, settings and files.
func TestRunbooksSpeakOfWhatThereIs(t *testing.T) {
	page := string(read(t, root+"/docs/runbooks.md"))
	var titles []string
	for _, b := range boards(t) {
		titles = append(titles, b.Title)
		for _, p := range b.Panels {
			titles = append(titles, p.Title)
		}
	}
	commands, settings := string(read(t, root+"/docs/cli.md"))+"\n## plan\n",
		string(read(t, root+"/config/manager/takt.yaml"))
	found := map[string]int{}
	for _, m := range quoted.FindAllStringSubmatch(page, -1) {
		found["panels"]++
		if !slices.Contains(titles, m[1]) {
			t.Errorf("no dashboard and no panel is called %q", m[1])
		}
	}
	for _, m := range command.FindAllStringSubmatch(page, -1) {
		found["commands"]++
		if !regexp.MustCompile(`(?m)^## (.* and )?` + m[1] + m[2] + `\b`).MatchString(commands) {
			t.Errorf("docs/cli.md does not know takt %s%s", m[1], m[2])
		}
	}
	for _, m := range setting.FindAllStringSubmatch(page, -1) {
		if m[1] == "spec" { // of an ElasticJob
			continue
		}
		found["settings"]++
		if !regexp.MustCompile(`(?m)^` + m[1] + `:\n( .*\n|\n)*  ` + m[2] + `:`).MatchString(settings) {
			t.Errorf("config/manager/takt.yaml has no setting %s.%s", m[1], m[2])
		}
	}
	for _, m := range path.FindAllStringSubmatch(page, -1) {
		found["files"]++
		if _, err := os.Stat(root + "/" + m[1]); err != nil {
			t.Error(err)
		}
	}
	for _, kind := range []string{"panels", "commands", "settings", "files"} {
		if found[kind] == 0 {
			t.Errorf("the page speaks of no %s, as far as this test sees", kind)
		}
	}
}

package packaging

import (
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"k8s.io/apimachinery/pkg/api/resource"
	"sigs.k8s.io/yaml"
)

// chart is the folder of the chart.
const chart = "../../charts/takt/"

// checkValues says whether the schema of the chart takes values, as helm does.
func checkValues(t *testing.T, values map[string]any) error {
	t.Helper()
	text, err := os.ReadFile(chart + "values.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	document, err := jsonschema.UnmarshalJSON(strings.NewReader(string(text)))
	if err != nil {
		t.Fatal(err)
	}
	compiler := jsonschema.NewCompiler()
	if err := compiler.AddResource("values.json", document); err != nil {
		t.Fatal(err)
	}
	schema, err := compiler.Compile("values.json")
	if err != nil {
		t.Fatal(err)
	}
	return schema.Validate(values)
}

// settings are those of a file with all of them, as they are given to the chart.
func settings(t *testing.T) map[string]any {
	t.Helper()
	text, err := os.ReadFile("../../config/manager/takt.yaml")
	all := map[string]any{}
	if err == nil {
		err = yaml.Unmarshal(text, &all)
	}
	if err != nil {
		t.Fatal(err)
	}
	delete(all, "apiVersion")
	delete(all, "kind")
	return all
}

// All settings that there are can be given to the chart, and a key beside them in no section.
func TestTheChartTakesAllSettingsAndNoOthers(t *testing.T) {
	all := settings(t)
	if err := checkValues(t, map[string]any{"settings": all}); err != nil {
		t.Errorf("the defaults are refused: %v", err)
	}
	for _, key := range slices.Sorted(maps.Keys(all)) {
		section, is := all[key].(map[string]any)
		if !is || key == "nodeSelector" { // any label may be in that
			continue
		}
		section["evry"] = "1s"
		if checkValues(t, map[string]any{"settings": all}) == nil {
			t.Errorf("%s.evry is taken", key)
		}
		delete(section, "evry")
	}
}

// What the operator could not read is refused before anything is installed.
func TestTheChartRefusesSettingsThatCannotBe(t *testing.T) {
	for _, test := range []struct {
		section, key string
		value        any
		taken        bool
	}{
		{"planning", "every", "banana", false},
		{"planning", "every", "30", false},
		{"planning", "every", 30, false},
		{"planning", "every", "-30s", false},
		{"planning", "every", "1h30m", true},
		{"planning", "every", "1.5h", true},
		{"planning", "payback", "much", false},
		{"planning", "payback", 2.5, true},
		{"planning", "payback", 0, false},
		{"planning", "promiseShare", 1, true},
		{"planning", "promiseShare", 1.5, false},
		{"elasticJobs", "ttlAfterFinished", "0", true},
		{"resizes", "keep", 2.5, false},
		{"resizes", "keep", 0, false},
		{"resizes", "keep", 1000, true},
		{"agent", "enabled", "yes", false},
		{"outsiders", "most", map[string]any{"*": "8"}, false},
		{"outsiders", "most", map[string]any{"*": 8}, true},
		{"leavingNodes", "taints", "gone", false},
		{"log", "format", "xml", false},
		{"log", "format", "console", true},
		{"records", "folder", "/data", false},
		{"records", "folder", "/var/lib/takt/records", true},
		{"gpus", "prices", map[string]any{"*": -1}, false},
		// What the rest of the chart is made for: its probes, Service, Roles and volumes.
		{"health", "bindAddress", ":8082", false},
		{"health", "bindAddress", "0", false},
		{"health", "bindAddress", "127.0.0.1:8081", false}, // where the kubelet asks nobody
		{"health", "bindAddress", "0.0.0.0:8081", true},
		{"health", "bindAddress", "[::]:8081", true},
		{"metrics", "bindAddress", ":9443", false},
		{"metrics", "bindAddress", ":8443", true},
		{"metrics", "bindAddress", "127.0.0.1:8443", true},
		{"metrics", "bindAddress", "0", true},
		{"metrics", "certDir", "/etc/cert", false},  // which nothing is mounted at: metrics.certSecret is for that
		{"leaderElection", "enabled", false, false}, // an upgrade would have two at work
		{"leaderElection", "enabled", true, true},
		{"leaderElection", "name", "mine", false},
		{"leaderElection", "name", "takt-operator", true},
		{"leaderElection", "namespace", "other", false},
		{"records", "namespace", "other", false},
	} {
		values := map[string]any{"settings": map[string]any{test.section: map[string]any{test.key: test.value}}}
		if err := checkValues(t, values); (err == nil) != test.taken {
			t.Errorf("of %s.%s: %v this is said: %v", test.section, test.key, test.value, err)
		}
	}
}

// An image can be pinned to what was looked at.
func TestTheChartTakesADigest(t *testing.T) {
	for digest, taken := range map[string]bool{
		"": true, "sha256:" + strings.Repeat("0a", 32): true, "sha256:0a": false, strings.Repeat("0a", 32): false,
	} {
		values := map[string]any{"image": map[string]any{"repository": "takt", "digest": digest}}
		if err := checkValues(t, values); (err == nil) != taken {
			t.Errorf("of image.digest=%s this is said: %v", digest, err)
		}
	}
}

// Whoever looks for a value finds what it is for, right above it.
func TestEachValueSaysWhatItIsFor(t *testing.T) {
	text, err := os.ReadFile(chart + "values.yaml")
	if err != nil {
		t.Fatal(err)
	}
	key, found, section := regexp.MustCompile(`^(  )?([a-zA-Z]+):(.*)$`), 0, ""
	lines := strings.Split(string(text), "\n")
	for i, line := range lines {
		parts := key.FindStringSubmatch(line)
		if parts == nil {
			continue
		}
		indent, name := parts[1], parts[2]
		if indent == "" {
			section = name
		}
		if indent == "" && parts[3] == "" { // all that it has says for itself what it is for
			continue
		}
		found++
		if i == 0 || !strings.HasPrefix(lines[i-1], indent+"# ") {
			t.Errorf("values.yaml:%d: %s of %s does not say what it is for", i+1, name, section)
		}
	}
	if found < 35 {
		t.Errorf("only %d values are found", found)
	}
}

// The node of the operator keeps as much memory for it as it was measured to take with 5,000 jobs: what has more than
// it asks for goes first where a node lacks memory.
func TestTheOperatorAsksForTheMemoryThatItTakes(t *testing.T) {
	page, err := os.ReadFile("../../docs/benchmarks-operator.md")
	if err != nil {
		t.Fatal(err)
	}
	row := regexp.MustCompile(`(?s)## 5000 ElasticJobs at rest\n.*?\| resident memory, at most \| (\d+) MB `).
		FindSubmatch(page)
	if row == nil {
		t.Fatal("docs/benchmarks-operator.md does not say how much memory 5,000 jobs take")
	}
	taken := resource.MustParse(string(row[1]) + "Mi")
	for _, file := range []string{"../../config/manager/deployment.yaml", chart + "values.yaml"} {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		asked := regexp.MustCompile(`(?s)requests:.*?memory: (\w+)`).FindSubmatch(text)
		if asked == nil {
			t.Fatalf("%s asks for no memory", file)
		}
		if asks := resource.MustParse(string(asked[1])); asks.Cmp(taken) < 0 {
			t.Errorf("%s asks for %s, and 5,000 jobs take %s", file, asks.String(), taken.String())
		}
	}
}

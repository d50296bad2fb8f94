package settings

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/yaml"
)

// What is installed tells all that may be chosen, with its default.
func TestTheManifestTellsAllDefaults(t *testing.T) {
	text, err := os.ReadFile("../../config/scheduler/beside/scheduler.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var config struct {
		Profiles []struct {
			PluginConfig []struct {
				Name string
				Args json.RawMessage
			}
		}
	}
	if err := yaml.Unmarshal(text, &config); err != nil {
		t.Fatal(err)
	}
	plugin := config.Profiles[0].PluginConfig[0]
	if plugin.Name != Plugin {
		t.Fatalf("the configuration is that of plugin %q", plugin.Name)
	}
	got, err := Decode(&runtime.Unknown{Raw: plugin.Args})
	if err != nil {
		t.Fatal(err)
	}
	same := cmpopts.IgnoreUnexported(Span{})
	if diff := cmp.Diff(Default(), got, same); diff != "" {
		t.Errorf("what the manifest says is not the default, -default +manifest:\n%s", diff)
	}
	var told, all map[string]map[string]any
	if err := yaml.Unmarshal(plugin.Args, &told); err != nil {
		t.Fatal(err)
	}
	everything, err := yaml.Marshal(Default())
	if err != nil {
		t.Fatal(err)
	}
	if err := yaml.Unmarshal(everything, &all); err != nil {
		t.Fatal(err)
	}
	for section, fields := range all {
		for name := range fields {
			if _, is := told[section][name]; !is {
				t.Errorf("the manifest does not tell of %s.%s", section, name)
			}
		}
	}
}

// A scheduler that localcluster runs has the name of kube-scheduler, and must have the rights of Takt's all the
// same: without them every gang waits for a Resize that it does not see.
func TestLocalclusterGivesTheRightsOfTheManifests(t *testing.T) {
	want := rules(t, "../../config/scheduler/base/rbac.yaml", "takt-scheduler")
	if diff := cmp.Diff(want, rules(t, "../../localcluster/manifests/cluster.yaml",
		"localcluster-scheduler")); diff != "" || len(want) == 0 {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// rules are those of a ClusterRole in a file.
func rules(t *testing.T, file, name string) []rbacv1.PolicyRule {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for document := range strings.SplitSeq(string(text), "\n---\n") {
		var role rbacv1.ClusterRole
		if err := yaml.Unmarshal([]byte(document), &role); err == nil && role.Kind == "ClusterRole" && role.Name == name {
			return role.Rules
		}
	}
	t.Fatalf("%s has no ClusterRole %s", file, name)
	return nil
}

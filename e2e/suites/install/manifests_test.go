package install

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/yaml"
)

var rewrite = flag.Bool("rewrite", false, "write what the manifests are into testdata as what is expected")

// hash ends the name of the ConfigMap and changes with every comment in it.
var hash = regexp.MustCompile(`(name: takt-(?:scheduler-)?config)-[a-z0-9]{10}\b`)

// The files in testdata are there to be read: a change of a right is seen in them as one line, for
// all ways to install Takt.
func TestManifestsAreAsReviewed(t *testing.T) {
	for _, folder := range []string{"default", "namespaced", "prometheus", "monitoring", "removal", "scheduler/beside",
		"scheduler/instead"} {
		t.Run(folder, func(t *testing.T) {
			var got bytes.Buffer
			for _, o := range render(t, "config/"+folder) {
				switch o.GetKind() {
				case "CustomResourceDefinition": // generated from api/, and tested there
					continue
				case "ConfigMap": // its text is tested where it is read
					data := o.Object["data"].(map[string]any)
					for name := range data {
						data[name] = "…"
					}
				}
				text, err := yaml.Marshal(o.Object)
				if err != nil {
					t.Fatal(err)
				}
				got.WriteString("---\n")
				got.Write(hash.ReplaceAll(text, []byte("$1-HASH")))
			}
			golden := filepath.Join("testdata", strings.ReplaceAll(folder, "/", "-")+".yaml")
			if *rewrite {
				if err := os.WriteFile(golden, got.Bytes(), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), got.String()); diff != "" {
				t.Errorf("config/%s is not as in %s (go test -rewrite, if it is meant to change), -want +got:\n%s", folder,
					golden, diff)
			}
		})
	}
}

// excess says what a rule allows that nothing of Takt may ever need.
func excess(rule rbacv1.PolicyRule) string {
	all := slices.Concat(rule.APIGroups, rule.Resources, rule.Verbs, rule.NonResourceURLs, rule.ResourceNames)
	for _, word := range all {
		if word == "/takt/*" { // all that is below it is to be read alone, and is the operator's own
			continue
		}
		if bytes.ContainsRune([]byte(word), '*') {
			return "a wildcard"
		}
	}
	for _, resource := range []string{"secrets", "pods/exec", "pods/attach", "pods/portforward",
		"pods/ephemeralcontainers", "serviceaccounts/token", "nodes/proxy"} {
		if slices.Contains(rule.Resources, resource) {
			return resource
		}
	}
	for _, verb := range []string{"escalate", "bind", "impersonate", "deletecollection"} {
		if slices.Contains(rule.Verbs, verb) {
			return "the verb " + verb
		}
	}
	if slices.Contains(rule.APIGroups, rbacv1.GroupName) {
		return "rights to change rights"
	}
	return ""
}

// rules are those of a Role or a ClusterRole; others have none.
func rules(t *testing.T, o *unstructured.Unstructured) []rbacv1.PolicyRule {
	t.Helper()
	if kind := o.GetKind(); kind != "Role" && kind != "ClusterRole" {
		return nil
	}
	var role rbacv1.ClusterRole // a Role has the same rules
	if err := runtime.DefaultUnstructuredConverter.FromUnstructured(o.Object, &role); err != nil {
		t.Fatal(err)
	}
	return role.Rules
}

func TestNoRoleAllowsTooMuch(t *testing.T) {
	for _, folder := range []string{"config/default", "config/namespaced", "config/prometheus", "config/removal",
		"config/scheduler/beside", "config/scheduler/instead", "e2e/suites/install/testdata/custom-metrics"} {
		seen := 0
		for _, o := range render(t, folder) {
			for _, rule := range rules(t, o) {
				seen++
				if too := excess(rule); too != "" {
					t.Errorf("%s: %s %s allows %s: %v", folder, o.GetKind(), o.GetName(), too, rule)
				}
			}
		}
		if seen == 0 {
			t.Errorf("%s has no rules at all", folder)
		}
	}
}

func TestTooMuchIsSeen(t *testing.T) {
	for want, rule := range map[string]rbacv1.PolicyRule{
		"a wildcard":              {Resources: []string{"pods/*"}},
		"secrets":                 {Resources: []string{"configmaps", "secrets"}},
		"the verb impersonate":    {Verbs: []string{"get", "impersonate"}},
		"rights to change rights": {APIGroups: []string{rbacv1.GroupName}},
		"":                        {Resources: []string{"pods"}, Verbs: []string{"get"}},
	} {
		if got := excess(rule); got != want {
			t.Errorf("%v: got %q, want %q", rule, got, want)
		}
	}
}

// Where Takt is installed for some namespaces, it has no right in others but to read and report on
// what belongs to no namespace.
func TestNamespacedInstallationIsConfined(t *testing.T) {
	for _, o := range render(t, "config/namespaced") {
		if o.GetKind() != "ClusterRole" {
			continue
		}
		for _, rule := range rules(t, o) {
			for _, resource := range rule.Resources {
				switch resource {
				case "nodes", "namespaces", "trainingqueues", "trainingqueues/status", "tokenreviews", "subjectaccessreviews":
				default:
					t.Errorf("the ClusterRole %s reaches %s of every namespace", o.GetName(), resource)
				}
			}
		}
	}
}

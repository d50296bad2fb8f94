package settings

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	"sigs.k8s.io/yaml"
)

// manifest reads the document of a kind from a file of config.
func manifest(t *testing.T, file, kind string, into any) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "config", file))
	if err != nil {
		t.Fatal(err)
	}
	for document := range strings.SplitSeq(string(text), "\n---\n") {
		if strings.Contains(document, "\nkind: "+kind+"\n") {
			if err := yaml.UnmarshalStrict([]byte(document), into); err != nil {
				t.Fatal(err)
			}
			return
		}
	}
	t.Fatalf("%s has no %s", file, kind)
}

func TestDeploymentFitsTheDefault(t *testing.T) {
	var deployment appsv1.Deployment
	manifest(t, "manager/deployment.yaml", "Deployment", &deployment)
	ports := map[string]int32{}
	for _, port := range deployment.Spec.Template.Spec.Containers[0].Ports {
		ports[port.Name] = port.ContainerPort
	}
	if diff := cmp.Diff(map[string]int32{"metrics": 8443, "health": 8081}, ports); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if s := Default(); s.Metrics.BindAddress != ":8443" || s.Health.BindAddress != ":8081" {
		t.Errorf("by default metrics are on %s, health is on %s", s.Metrics.BindAddress, s.Health.BindAddress)
	}
	if replicas := *deployment.Spec.Replicas; replicas > 1 && !Default().LeaderElection.Enabled {
		t.Errorf("%d replicas would all work at once", replicas)
	}
}

func TestRoleNamesTheLeaseOfTheDefault(t *testing.T) {
	var role rbacv1.Role
	manifest(t, "rbac/cluster/own_namespace.yaml", "Role", &role)
	if !slices.ContainsFunc(role.Rules, func(rule rbacv1.PolicyRule) bool {
		return slices.Contains(rule.Resources, "leases") && slices.Equal(rule.ResourceNames, []string{
			Default().LeaderElection.Name,
		})
	}) {
		t.Errorf("no rule is about the lease %s: %v", Default().LeaderElection.Name, role.Rules)
	}
}

func TestNamespacedInstallationHasGoodSettings(t *testing.T) {
	s, err := Load(filepath.Join("..", "..", "config", "namespaced", "takt.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(s.Namespaces, []string{"training"}) || len(s.NodeSelector) == 0 {
		t.Errorf("it looks after %v on %v", s.Namespaces, s.NodeSelector)
	}
}

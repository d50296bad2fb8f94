package operator

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/yaml"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/e2e/lib/cluster"
	"github.com/takt-dev/takt/e2e/lib/training"
	"github.com/takt-dev/takt/e2e/lib/world"
	"github.com/takt-dev/takt/operator/settings"
	"github.com/takt-dev/takt/records"
)

// The operator does all that it is there for with the rights that an installation gives it: it starts a job, resizes
// it, learns from it, and keeps what has happened to it.
func TestTheRightsOfAnInstallationAreEnough(t *testing.T) {
	t.Parallel()
	home := cluster.Shared().Namespace(t)
	as := newAccounts(t, home)
	as.grant("takt-operator", slices.Concat(as.rules("config/rbac/cluster/cluster_role.yaml"),
		as.rules("config/rbac/jobs/role.yaml")))
	as.grantAtHome("takt-operator", "config/rbac/cluster/own_namespace.yaml")
	w := world.New(t, world.Options{
		Start: func(ctx context.Context, config *rest.Config, s settings.Settings) error {
			config.Impersonate = rest.ImpersonationConfig{UserName: "system:serviceaccount:" + home + ":takt-operator"}
			return world.Operate(ctx, config, s)
		},
		Settings: func(s *settings.Settings) { s.Records.Namespace, s.Records.Keep = home, 10 },
	})
	w.Nodes(1, 4)
	w.PyTorchJob("resnet", world.Job{Max: 4, Suspended: true, Deadline: "1h", Profile: "resnet",
		Training: world.Steps(300, training.Speed{Base: 10, Scaling: 0.9})})
	verdictOf(w, "resnet", world.Later, v1alpha1.VerdictMet)
	w.Eventually("it is on record", world.Later, func() error {
		var kept corev1.ConfigMap
		name := client.ObjectKey{Namespace: home, Name: v1alpha1.RecordsName(w.Namespace)}
		if err := w.Client.Get(t.Context(), name, &kept); err != nil {
			return err
		}
		if all, _ := records.Decode(kept.BinaryData[v1alpha1.RecordsKey]); len(all) != 1 || all[0].Name != "resnet" {
			return fmt.Errorf("the records are %+v", all)
		}
		return nil
	})
}

// grantAtHome gives an account the Roles of a file in its own namespace.
func (a *accounts) grantAtHome(name, file string) {
	a.t.Helper()
	text, err := os.ReadFile(filepath.Join(cluster.Root(), file))
	if err != nil {
		a.t.Fatal(err)
	}
	for document := range strings.SplitSeq(string(text), "\n---\n") {
		var role rbacv1.Role
		if err := yaml.Unmarshal([]byte(document), &role); err != nil {
			a.t.Fatal(err)
		}
		if role.Kind != "Role" {
			continue
		}
		roles := a.client.RbacV1()
		if _, err := roles.Roles(a.namespace).Create(a.t.Context(), &role, metav1.CreateOptions{}); err != nil {
			a.t.Fatal(err)
		}
		binding := &rbacv1.RoleBinding{
			ObjectMeta: metav1.ObjectMeta{Name: role.Name},
			RoleRef:    rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "Role", Name: role.Name},
			Subjects:   []rbacv1.Subject{{Kind: rbacv1.ServiceAccountKind, Namespace: a.namespace, Name: name}},
		}
		if _, err := roles.RoleBindings(a.namespace).Create(a.t.Context(), binding, metav1.CreateOptions{}); err != nil {
			a.t.Fatal(err)
		}
	}
}

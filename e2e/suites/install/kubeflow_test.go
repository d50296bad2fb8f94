package install

import (
	"context"
	"fmt"
	"strings"
	"testing"
)

// kubeflow are roles that Kubeflow gives its users, which gather their rights from others by labels.
const kubeflow = `
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: kubeflow-edit}
aggregationRule: {clusterRoleSelectors: [{matchLabels: {rbac.authorization.kubeflow.org/aggregate-to-kubeflow-edit: "true"}}]}
rules: []
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: kubeflow-view}
aggregationRule: {clusterRoleSelectors: [{matchLabels: {rbac.authorization.kubeflow.org/aggregate-to-kubeflow-view: "true"}}]}
rules: []
`

// Who has a role of Kubernetes or of Kubeflow in a namespace may do with what Takt keeps there what it says.
func rolesOfKubeflow(t *testing.T) {
	applied(t, kubeflow)
	const see, change = "get,list,watch elasticjobs,resizes,trainingprofiles",
		"create,update,patch,delete elasticjobs,trainingprofiles"
	for role, want := range map[string][]string{
		"view": {see}, "kubeflow-view": {see},
		"edit": {see, change}, "admin": {see, change}, "kubeflow-edit": {see, change},
	} {
		eventually(t, role, func(ctx context.Context) error { // rights are gathered a moment after the role is there
			rules, err := fresh.Kubectl(ctx, "get", "clusterrole", role, "--output",
				`jsonpath={range .rules[*]}{.apiGroups[0]}:{range .verbs[*]}{@},{end} {range .resources[*]}{@},{end}{"\n"}{end}`)
			if err != nil {
				return err
			}
			var ours []string
			for line := range strings.Lines(rules) {
				if rest, is := strings.CutPrefix(strings.TrimSpace(line), "takt.dev:"); is {
					ours = append(ours, strings.ReplaceAll(strings.TrimSuffix(rest, ","), ", ", " "))
				}
			}
			for _, each := range want {
				if !strings.Contains(strings.Join(ours, "\n"), each) {
					return fmt.Errorf("it has the rights %q, and lacks %q", ours, each)
				}
			}
			if len(ours) != len(want) {
				return fmt.Errorf("it has the rights %q, want %q", ours, want)
			}
			return nil
		})
	}
}

package main

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/operator-framework/api/pkg/manifests"
	"github.com/operator-framework/api/pkg/operators/v1alpha1"
	"github.com/operator-framework/api/pkg/validation"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

const agentImage = "registry.example.com/takt-agent:v0.1.0"

func bundle(t *testing.T) *manifests.Bundle {
	t.Helper()
	out := filepath.Join(t.TempDir(), "bundle")
	if err := write(options{root: "../../..", version: "v0.1.0", image: "registry.example.com/takt:v0.1.0",
		agentImage: agentImage, out: out, created: 1795761545}); err != nil {
		t.Fatal(err)
	}
	b, err := manifests.GetBundleFromDir(out)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// The validators of the Operator Framework find nothing to say, not even a warning.
func TestTheBundleIsValid(t *testing.T) {
	b := bundle(t)
	objects := []any{b, b.CSV}
	for _, object := range b.Objects {
		objects = append(objects, object)
	}
	validators := validation.DefaultBundleValidators.WithValidators(validation.OperatorHubV2Validator,
		validation.StandardCapabilitiesValidator,
		validation.StandardCategoriesValidator, validation.ObjectValidator, validation.GoodPracticesValidator,
		validation.AlphaDeprecatedAPIsValidator)
	for _, result := range validators.Validate(objects...) {
		for _, found := range slices.Concat(result.Errors, result.Warnings) {
			t.Errorf("%s: %v", result.Name, found)
		}
	}
}

// What config/default installs is in the bundle, or made by the Lifecycle Manager itself.
func TestTheBundleInstallsWhatTheManifestsDo(t *testing.T) {
	b := bundle(t)
	wanted, err := installed(options{root: "../../.."})
	if err != nil {
		t.Fatal(err)
	}
	has := map[string]bool{
		// The Lifecycle Manager makes these itself, of what the CSV says.
		"Namespace/takt-system": true, "ServiceAccount/takt-operator": true, "ClusterRoleBinding/takt-operator": true,
		"ClusterRoleBinding/takt-operator-jobs": true, "RoleBinding/takt-operator-leader-election": true,
		"RoleBinding/takt-operator-records": true,
		// Older ones refuse a bundle with it.
		"NetworkPolicy/takt-operator": true,
	}
	for _, object := range b.Objects {
		has[object.GetKind()+"/"+object.GetName()] = true
		if object.GetNamespace() != "" {
			t.Errorf("%s %s names a namespace, which is the user's to choose", object.GetKind(), object.GetName())
		}
	}
	spec := b.CSV.Spec.InstallStrategy.StrategySpec
	for _, deployment := range spec.DeploymentSpecs {
		has["Deployment/"+deployment.Name] = true
		if image := deployment.Spec.Template.Spec.Containers[0].Image; image != "registry.example.com/takt:v0.1.0" {
			t.Errorf("the image is %s", image)
		}
		if env := deployment.Spec.Template.Spec.Containers[0].Env; !slices.ContainsFunc(env, func(e corev1.EnvVar) bool {
			return e.Name == "TAKT_AGENT_IMAGE" && e.Value == agentImage
		}) {
			t.Errorf("the operator is told of no agent: %+v", env)
		}
	}
	for _, each := range wanted {
		rules, _, _ := unstructured.NestedSlice(each.Object, "rules")
		switch name := each.GetKind() + "/" + each.GetName(); {
		case name == "ClusterRole/takt-operator", name == "ClusterRole/takt-operator-jobs":
			allows(t, name, spec.ClusterPermissions, rules)
		case each.GetKind() == "Role":
			allows(t, name, spec.Permissions, rules)
		case !has[name]:
			t.Errorf("%s is not in the bundle", name)
		}
	}
	if images := b.CSV.Spec.RelatedImages; len(images) != 2 ||
		images[0].Image != "registry.example.com/takt:v0.1.0" || images[1].Image != agentImage {
		t.Errorf("who copies the catalog is told of these images: %+v", images)
	}
	if created := b.CSV.GetAnnotations()["createdAt"]; created != "2026-11-27T06:39:05Z" {
		t.Errorf("it was created at %s", created)
	}
	for _, owned := range b.CSV.Spec.CustomResourceDefinitions.Owned {
		if len(owned.Resources) == 0 { // the scorecard asks for some
			t.Errorf("%s has no resources", owned.Kind)
		}
	}
	if kinds := len(b.CSV.Spec.CustomResourceDefinitions.Owned); kinds != 4 {
		t.Errorf("it owns %d kinds, want 4", kinds)
	}
}

// allows judges that an account has been given all rights of a role.
func allows(t *testing.T, role string, permissions []v1alpha1.StrategyDeploymentPermissions, rules []any) {
	t.Helper()
	for _, rule := range rules {
		resources, _, _ := unstructured.NestedStringSlice(rule.(map[string]any), "resources")
		verbs, _, _ := unstructured.NestedStringSlice(rule.(map[string]any), "verbs")
		found := false
		for _, permission := range permissions {
			for _, given := range permission.Rules {
				found = found || permission.ServiceAccountName == account && slices.Equal(given.Resources, resources) &&
					slices.Equal(given.Verbs, verbs)
			}
		}
		if !found {
			t.Errorf("the bundle does not let the operator %s %s, as %s does", strings.Join(verbs, ", "),
				strings.Join(resources, ", "), role)
		}
	}
}

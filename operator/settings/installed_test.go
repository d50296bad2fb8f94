package settings

import (
	"slices"
	"strings"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
)

// Whoever installs Takt has its agent, unless they say otherwise.
func TestTheAgentOfTheInstallationCounts(t *testing.T) {
	const shipped, own = "registry.example.com/takt-agent:v0.1.0", "mirror.example.com/agent:1"
	for name, test := range map[string]struct {
		file, installed, version, want string
	}{
		"installed":           {"{}", shipped, "v0.1.0", shipped},
		"installed without":   {"{}", "", "v0.1.0", ""},
		"the settings say so": {`agent: {image: ""}`, shipped, "v0.1.0", shipped},
		"another":             {"agent: {image: " + own + "}", shipped, "v0.1.0", own},
		"switched off":        {"agent: {enabled: false}", shipped, "v0.1.0", ""},
		"another, and off":    {"agent: {enabled: false, image: " + own + "}", shipped, "v0.1.0", ""},
		"not filled in":       {"{}", "takt-agent:dev", "v0.1.0", ""},
		"made under the name": {"{}", "takt-agent:dev", "dev", "takt-agent:dev"},
	} {
		t.Run(name, func(t *testing.T) {
			s, err := parse([]byte(test.file))
			if err != nil {
				t.Fatal(err)
			}
			if s, err = s.InstalledWith(test.installed, test.version); err != nil {
				t.Fatal(err)
			}
			if got := s.AgentDefault().Image; got != test.want {
				t.Errorf("its image is %q, want %q", got, test.want)
			}
		})
	}
	_, err := Default().InstalledWith("https://registry/takt agent", "v0.1.0")
	if err == nil || !strings.Contains(err.Error(), AgentImageVariable) {
		t.Errorf("of what is no image this is said: %v", err)
	}
}

// What nobody has filled in is told by its name, so that it has to be the one of the manifests.
func TestTheDeploymentHasThePlaceholder(t *testing.T) {
	var deployment appsv1.Deployment
	manifest(t, "manager/deployment.yaml", "Deployment", &deployment)
	if env := deployment.Spec.Template.Spec.Containers[0].Env; !slices.Contains(env, corev1.EnvVar{
		Name: AgentImageVariable, Value: placeholder,
	}) {
		t.Errorf("the operator is told of no agent: %+v", env)
	}
}

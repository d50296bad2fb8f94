package reporting

import (
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/operator/kind"
	"github.com/takt-dev/takt/operator/view"
	"github.com/takt-dev/takt/operator/wrapping"
)

func TestWhyAJobIsRunWithoutTheAgent(t *testing.T) {
	const image = "registry/takt-agent:1"
	fault, err := wrapping.Fault{Job: "u-1", Image: image, Said: "ErrImagePull: denied"}.Encode()
	if err != nil {
		t.Fatal(err)
	}
	command := func(words ...string) *corev1.PodTemplateSpec {
		return &corev1.PodTemplateSpec{
			Spec: corev1.PodSpec{Containers: []corev1.Container{{Name: "pytorch", Command: words}}},
		}
	}
	denied := command("python")
	denied.Annotations = map[string]string{"takt.dev/agent": "false"}
	saying := func(template *corev1.PodTemplateSpec) *corev1.PodTemplateSpec {
		template = template.DeepCopy()
		if template.Annotations == nil {
			template.Annotations = map[string]string{}
		}
		template.Annotations["takt.dev/save-signal"] = "SIGUSR1"
		return template
	}
	for name, test := range map[string]struct {
		says   *bool
		image  string
		fault  string
		worker *corev1.PodTemplateSpec
		want   string // of the sentence
	}{
		"nobody has one": {nil, "", "", command(), ""},
		"it could not come": {nil, image, fault, command("python"),
			"could not be installed (ErrImagePull: denied). Have its namespace able to pull registry/takt-agent:1"},
		"another could not come":      {nil, "registry/takt-agent:2", fault, command("python"), ""},
		"it could not, nor should it": {new(false), image, fault, command("python"), ""},
		"no command, and no wish":     {nil, image, "", command(), ""},
		"no command": {
			new(true), image, "", command(), "It asks for the agent, which cannot be put in. Container pytorch has no command",
		},
		"no command, and something is said to it": {nil, image, "", saying(command()),
			"Nobody reads takt.dev/save-signal of its pods, as the agent cannot be put in. Container pytorch has no command"},
		"something is said to it, and heard":          {nil, image, "", saying(command("python")), ""},
		"something is said to it, and no wish":        {new(false), image, "", saying(command()), ""},
		"something is said to it, and it is denied":   {nil, image, "", saying(denied), ""},
		"something is said to it, and nobody has one": {nil, "", "", saying(command()), ""},
		"kept out by its template": {
			new(true), image, "", denied, "The template of its pods says by takt.dev/agent that",
		},
		"no image":    {new(true), "", "", command("python"), "there is none here"},
		"all is well": {new(true), image, "", command("python"), ""},
	} {
		t.Run(name, func(t *testing.T) {
			s := &view.Subject{
				ElasticJob: &v1alpha1.ElasticJob{Spec: v1alpha1.ElasticJobSpec{Agent: test.says}},
				Job: kind.Job{Kind: "PyTorchJob", UID: "u-1", Worker: test.worker,
					AgentObstacle: wrapping.Obstacle(test.worker, "pytorch"), Annotations: map[string]string{
						wrapping.FaultAnnotation: test.fault,
					}},
			}
			got := withoutAgent(s, wrapping.Default{Image: test.image, ByDefault: true})
			if (got == "") != (test.want == "") || !strings.Contains(got, test.want) {
				t.Errorf("it says %q, want %q", got, test.want)
			}
		})
	}
}

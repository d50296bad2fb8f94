package wrapping

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/takt-dev/takt/agent/contract"
)

const image = "registry/takt-agent:1"

// written is a template with something in every place that could be harmed.
func written(change ...func(*corev1.PodTemplateSpec)) *corev1.PodTemplateSpec {
	t := &corev1.PodTemplateSpec{
		ObjectMeta: metav1.ObjectMeta{Annotations: map[string]string{"a": "b"}},
		Spec: corev1.PodSpec{
			InitContainers: []corev1.Container{{Name: "data", Image: "data"}},
			Volumes:        []corev1.Volume{{Name: "data"}},
			Containers: []corev1.Container{
				{Name: "sidecar", Command: []string{"logs"}},
				{
					Name: "pytorch", Command: []string{"torchrun", "train.py"}, Args: []string{"--epochs=3"},
					Env: []corev1.EnvVar{{Name: "SEED", Value: "1"}}, Ports: []corev1.ContainerPort{
						{Name: "pytorchjob-port", ContainerPort: 23456},
					},
					VolumeMounts: []corev1.VolumeMount{{Name: "data", MountPath: "/data"}},
				},
			},
		},
	}
	for _, f := range change {
		f(t)
	}
	return t
}

func trainer(t *corev1.PodTemplateSpec) *corev1.Container { return find(t, "pytorch") }

func TestTheAgentStartsTheTraining(t *testing.T) {
	in := written()
	Into(in, "pytorch", Intent{Image: image})
	c := trainer(in)
	if diff := cmp.Diff([]string{"/takt/agent", "exec", "--", "torchrun", "train.py"}, c.Command); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if first := in.Spec.InitContainers[0]; first.Image != image ||
		strings.Join(first.Command, " ") != "/takt-agent install /takt" || len(in.Spec.InitContainers) != 2 {
		t.Errorf("it is installed by %+v", in.Spec.InitContainers)
	}
	if in.Annotations[contract.AgentAnnotation] == "" || in.Annotations[contract.PortAnnotation] != "9494" ||
		in.Annotations["a"] != "b" {
		t.Errorf("the annotations are %v", in.Annotations)
	}
	if c.Args[0] != "--epochs=3" || c.Env[0].Name != "SEED" || len(c.VolumeMounts) != 3 || len(in.Spec.Volumes) != 3 ||
		c.Ports[1].ContainerPort != 9494 {
		t.Errorf("what was there is not as it was: %+v", c)
	}
	variables := map[string]corev1.EnvVar{}
	for _, e := range c.Env {
		variables[e.Name] = e
	}
	if e := variables[contract.EpochVariable]; e.ValueFrom == nil ||
		e.ValueFrom.FieldRef.FieldPath != "metadata.labels['takt.dev/epoch']" {
		t.Errorf("the epoch is told as %+v", e)
	}
	if e := variables[contract.GraceVariable]; e.Value != "30s" {
		t.Errorf("the grace period is told as %+v", e)
	}
	if mount := c.VolumeMounts[2]; mount.MountPath+"/"+
		in.Spec.Volumes[2].DownwardAPI.Items[0].Path != contract.AnnotationsFile {
		t.Errorf("the annotations are at %s", mount.MountPath)
	}
	if diff := cmp.Diff(written().Spec.Containers[0], in.Spec.Containers[0]); diff != "" {
		t.Errorf("another container is changed (-was +is):\n%s", diff)
	}
}

// An agent waits as long as those who let it in may take. What it waits for by itself need not be said.
func TestTheAgentWaitsAsLongAsItMayTake(t *testing.T) {
	for within, want := range map[time.Duration]string{0: "", contract.BarrierWithin: "", 35 * time.Minute: "35m0s"} {
		in := written()
		Into(in, "pytorch", Intent{Image: image, LetsInWithin: within})
		told := func(t *corev1.PodTemplateSpec) (said string) {
			for _, e := range trainer(t).Env {
				if e.Name == contract.LetInWithinVariable {
					said = e.Value
				}
			}
			return said
		}
		if said := told(in); said != want {
			t.Errorf("of %s it is told %q, want %q", within, said, want)
		}
		once := in.DeepCopy()
		Into(once, "pytorch", Intent{Image: image})
		if told(once) != "" {
			t.Error("it is told for ever")
		}
		Out(in)
		if diff := cmp.Diff(written(), in); diff != "" {
			t.Errorf("taken out it differs (-was +is):\n%s", diff)
		}
	}
}

// No grace period is none to tell. An agent that was told so said that it is of no use.
func TestNoGracePeriodIsNotTold(t *testing.T) {
	none := func(t *corev1.PodTemplateSpec) { t.Spec.TerminationGracePeriodSeconds = new(int64(0)) }
	in := written(none)
	Into(in, "pytorch", Intent{Image: image})
	for _, e := range trainer(in).Env {
		if e.Name == contract.GraceVariable {
			t.Errorf("it is told %q", e.Value)
		}
	}
	// It was told so before.
	trainer(in).Env = append(trainer(in).Env, corev1.EnvVar{Name: contract.GraceVariable, Value: "0s"})
	Out(in)
	if diff := cmp.Diff(written(none), in); diff != "" {
		t.Errorf("taken out it differs (-was +is):\n%s", diff)
	}
}

// Put in and taken out again, a template is as somebody has written it.
func TestWhatIsPutInIsTakenOut(t *testing.T) {
	for name, change := range map[string]func(*corev1.PodTemplateSpec){
		"as it is": func(*corev1.PodTemplateSpec) {},
		"bare":     func(t *corev1.PodTemplateSpec) { t.Annotations = nil; t.Spec.InitContainers, t.Spec.Volumes = nil, nil },
		"as root": func(t *corev1.PodTemplateSpec) {
			t.Spec.SecurityContext = &corev1.PodSecurityContext{RunAsUser: new(int64(0))}
		},
		"on a port":    func(t *corev1.PodTemplateSpec) { t.Annotations[contract.PortAnnotation] = "9000" },
		"patient":      func(t *corev1.PodTemplateSpec) { t.Spec.TerminationGracePeriodSeconds = new(int64(300)) },
		"at once gone": func(t *corev1.PodTemplateSpec) { t.Spec.TerminationGracePeriodSeconds = new(int64(0)) },
		"with words of its own": func(t *corev1.PodTemplateSpec) {
			trainer(t).Env = append(trainer(t).Env, corev1.EnvVar{Name: contract.GraceVariable, Value: "1m"})
		},
		"in the network of the node": func(t *corev1.PodTemplateSpec) { t.Spec.HostNetwork = true },
	} {
		t.Run(name, func(t *testing.T) {
			in := written(change)
			Into(in, "pytorch", Intent{Image: "registry/takt-agent:0"})
			once := in.DeepCopy()
			Into(once, "pytorch", Intent{Image: image})
			if Image(once) != image {
				t.Errorf("its image is %q", Image(once))
			}
			Into(once, "pytorch", Intent{Image: "registry/takt-agent:0"})
			if diff := cmp.Diff(in, once); diff != "" {
				t.Errorf("put in once more it differs (-once +more):\n%s", diff)
			}
			Out(in)
			want := written(change)
			if len(want.Annotations) == 0 {
				in.Annotations = nil
			}
			if diff := cmp.Diff(want, in); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// What somebody applies anew while the agent is in the template may take a part of it away: lists are written as a
// whole.
func TestWhatIsThereInPartIsMadeWhole(t *testing.T) {
	want := written()
	Into(want, "pytorch", Intent{Image: image})
	for name, change := range map[string]func(*corev1.PodTemplateSpec){
		"the containers": func(t *corev1.PodTemplateSpec) { t.Spec.Containers = written().Spec.Containers },
		"the volumes":    func(t *corev1.PodTemplateSpec) { t.Spec.Volumes = written().Spec.Volumes },
		"the installer":  func(t *corev1.PodTemplateSpec) { t.Spec.InitContainers = written().Spec.InitContainers },
	} {
		t.Run(name, func(t *testing.T) {
			part := want.DeepCopy()
			change(part)
			Into(part, "pytorch", Intent{Image: image})
			if diff := cmp.Diff(want, part); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
			change(part)
			Out(part)
			if diff := cmp.Diff(written(), part); diff != "" {
				t.Errorf("taken out, -want +got:\n%s", diff)
			}
		})
	}
}

// Two pods of a node share its ports in its own network, so none is declared there.
func TestNoPortIsTakenOfTheNode(t *testing.T) {
	in := written(func(t *corev1.PodTemplateSpec) { t.Spec.HostNetwork = true })
	Into(in, "pytorch", Intent{Image: image})
	if ports := trainer(in).Ports; len(ports) != 1 {
		t.Errorf("it has the ports %+v", ports)
	}
}

// What the restricted profile of pod security asks of a container, the init container says itself, but for the seccomp
// profile: that is the training's, as policies differ in which they allow.
func TestTheInstallerIsRestricted(t *testing.T) {
	in := written()
	Into(in, "pytorch", Intent{Image: image})
	s := in.Spec.InitContainers[0].SecurityContext
	if *s.AllowPrivilegeEscalation || !*s.RunAsNonRoot || s.Capabilities.Drop[0] != "ALL" ||
		s.SeccompProfile != nil || s.RunAsUser != nil {
		t.Errorf("it runs as %+v", s)
	}
	profile := &corev1.SeccompProfile{Type: corev1.SeccompProfileTypeRuntimeDefault}
	restricted := written(func(t *corev1.PodTemplateSpec) {
		trainer(t).SecurityContext = &corev1.SecurityContext{SeccompProfile: profile}
	})
	Into(restricted, "pytorch", Intent{Image: image})
	if diff := cmp.Diff(profile, restricted.Spec.InitContainers[0].SecurityContext.SeccompProfile); diff != "" {
		t.Errorf("beside a training with a profile (-want +got):\n%s", diff)
	}
	root := written(func(t *corev1.PodTemplateSpec) {
		t.Spec.SecurityContext = &corev1.PodSecurityContext{RunAsUser: new(int64(0))}
	})
	Into(root, "pytorch", Intent{Image: image})
	if user := root.Spec.InitContainers[0].SecurityContext.RunAsUser; user == nil || *user == 0 {
		t.Errorf("beside a training that runs as root it runs as user %v", user)
	}
}

func TestObstacles(t *testing.T) {
	for name, test := range map[string]struct {
		change func(*corev1.PodTemplateSpec)
		want   string
	}{
		"none":        {func(*corev1.PodTemplateSpec) {}, ""},
		"it is there": {func(t *corev1.PodTemplateSpec) { Into(t, "pytorch", Intent{Image: image}) }, ""},
		"by hand":     {func(t *corev1.PodTemplateSpec) { t.Annotations[contract.AgentAnnotation] = "true" }, "by hand"},
		"kept out": {func(t *corev1.PodTemplateSpec) { t.Annotations[contract.AgentAnnotation] = "No" },
			"without it"},
		"no container":     {func(t *corev1.PodTemplateSpec) { trainer(t).Name = "train" }, "no container pytorch"},
		"no command":       {func(t *corev1.PodTemplateSpec) { trainer(t).Command = nil }, "has no command"},
		"Windows":          {func(t *corev1.PodTemplateSpec) { t.Spec.OS = &corev1.PodOS{Name: corev1.Windows} }, "Windows"},
		"a liveness probe": {func(t *corev1.PodTemplateSpec) { trainer(t).LivenessProbe = &corev1.Probe{} }, "livenessProbe"},
		"a startup probe":  {func(t *corev1.PodTemplateSpec) { trainer(t).StartupProbe = &corev1.Probe{} }, "startupProbe"},
		"a hook that may wait for it": {func(t *corev1.PodTemplateSpec) {
			trainer(t).Lifecycle = &corev1.Lifecycle{PostStart: &corev1.LifecycleHandler{}}
		}, "lifecycle.postStart"},
		"a hook at its end": {func(t *corev1.PodTemplateSpec) {
			trainer(t).Lifecycle = &corev1.Lifecycle{PreStop: &corev1.LifecycleHandler{}}
		}, ""},
		"a hook of another": {func(t *corev1.PodTemplateSpec) {
			t.Spec.Containers[0].Lifecycle = &corev1.Lifecycle{PostStart: &corev1.LifecycleHandler{}}
		}, ""},
		"an init of its own": {func(t *corev1.PodTemplateSpec) {
			trainer(t).Command = []string{"/init", "torchrun"}
		}, "starts /init"},
		"systemd": {func(t *corev1.PodTemplateSpec) {
			trainer(t).Command = []string{"/usr/lib/systemd/systemd"}
		}, "starts /usr/lib/systemd/systemd"},
		"an init below the agent": {func(t *corev1.PodTemplateSpec) {
			trainer(t).Command = []string{"/sbin/init"}
			Into(t, "pytorch", Intent{Image: image})
		}, "starts /sbin/init"},
		"an init that is none": {func(t *corev1.PodTemplateSpec) {
			trainer(t).Command = []string{"dumb-init", "torchrun"}
		}, ""},
		"its folder": {func(t *corev1.PodTemplateSpec) {
			trainer(t).VolumeMounts[0].MountPath = "/takt"
		}, "mounts something else at /takt"},
		"its volume": {
			func(t *corev1.PodTemplateSpec) { t.Spec.Volumes[0].Name = "takt-pod" }, "a volume takt-pod of their own",
		},
		"its init container": {func(t *corev1.PodTemplateSpec) { t.Spec.InitContainers[0].Name = Installer },
			"an init container takt-agent of their own"},
		"its port": {func(t *corev1.PodTemplateSpec) {
			t.Spec.Containers[0].Ports = []corev1.ContainerPort{{ContainerPort: 9494}}
		}, "Container sidecar has port 9494"},
		"another port": {func(t *corev1.PodTemplateSpec) {
			t.Spec.Containers[0].Ports = []corev1.ContainerPort{{ContainerPort: 9494}}
			t.Annotations[contract.PortAnnotation] = "9495"
		}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			got := Obstacle(written(test.change), "pytorch")
			if (got == "") != (test.want == "") || !strings.Contains(got, test.want) {
				t.Errorf("it says %q, want %q", got, test.want)
			}
		})
	}
}

// A template that somebody has written with the agent is theirs.
func TestWhatIsWrittenByHandStays(t *testing.T) {
	hand := written(func(t *corev1.PodTemplateSpec) {
		t.Annotations[contract.AgentAnnotation] = "true"
		t.Spec.InitContainers[0].Name = Installer
		trainer(t).Command = []string{"/takt/agent", "exec", "--", "torchrun"}
	})
	want := hand.DeepCopy()
	Out(hand)
	if diff := cmp.Diff(want, hand); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

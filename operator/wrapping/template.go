package wrapping

import (
	"fmt"
	"slices"
	"strconv"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/takt-dev/takt/agent/contract"
)

// Injected is the value of the annotation takt.dev/agent on a template that Takt has put the agent into. On one that
// somebody has written so by hand it is another, and Takt leaves that as it is.
const Injected = "injected"

// What is added to a template.
const (
	// Installer is the init container that copies the agent.
	Installer = "takt-agent"
	// binaries and podInfo are volumes: the agent, and what is written on the pod.
	binaries = "takt-agent"
	podInfo  = "takt-pod"
	portName = "takt-metrics"

	podInfoDirectory = "/takt-pod"
	annotationsItem  = "annotations"
)

// InImage is where the agent is in its image.
const InImage = "/takt-agent"

// defaultGrace is what Kubernetes takes for a grace period that is not given.
const defaultGrace = 30

// By says whether the agent is in a template, and whether it was Takt that has put it there.
func By(t *corev1.PodTemplateSpec) (there, byTakt bool) {
	value := t.Annotations[contract.AgentAnnotation]
	return contract.Wraps(value), value == Injected
}

// LetIn is what a template is to say so that the pods which it brings about train as they come: its own epoch. It is
// empty where it says so, or has no agent of Takt. The next growth has another epoch, and its pods wait.
func LetIn(t *corev1.PodTemplateSpec) string {
	if _, byTakt := By(t); !byTakt || contract.Open(t.Annotations[contract.LetInAnnotation], epoch(t.Labels)) {
		return ""
	}
	return t.Labels[contract.EpochLabel]
}

// Image is that of the agent that Takt has put into a template; empty if it has not.
func Image(t *corev1.PodTemplateSpec) string {
	if _, byTakt := By(t); byTakt {
		for i := range t.Spec.InitContainers {
			if t.Spec.InitContainers[i].Name == Installer {
				return t.Spec.InitContainers[i].Image
			}
		}
	}
	return ""
}

// Into has an agent start what a container of a template runs. A template that has it already, in whole or in part, is
// made whole. Obstacle must have found none.
func Into(t *corev1.PodTemplateSpec, container string, agent Intent) {
	letIn := t.Annotations[contract.LetInAnnotation]
	Out(t)
	port := portOf(t)
	if t.Annotations == nil {
		t.Annotations = map[string]string{}
	}
	t.Annotations[contract.AgentAnnotation] = Injected
	if letIn != "" {
		t.Annotations[contract.LetInAnnotation] = letIn
	}
	if t.Annotations[contract.PortAnnotation] == "" {
		t.Annotations[contract.PortAnnotation] = strconv.Itoa(port)
	}
	t.Spec.InitContainers = slices.Insert(slices.Clone(t.Spec.InitContainers), 0, installer(t, container, agent.Image))
	t.Spec.Volumes = append(slices.Clone(t.Spec.Volumes),
		corev1.Volume{Name: binaries, VolumeSource: corev1.VolumeSource{EmptyDir: &corev1.EmptyDirVolumeSource{}}},
		corev1.Volume{Name: podInfo, VolumeSource: corev1.VolumeSource{DownwardAPI: &corev1.DownwardAPIVolumeSource{
			Items: []corev1.DownwardAPIVolumeFile{{Path: annotationsItem, FieldRef: field("metadata.annotations")}},
		}}})
	c := find(t, container)
	c.Command = slices.Concat(prefix(), c.Command)
	c.VolumeMounts = append(slices.Clone(c.VolumeMounts),
		corev1.VolumeMount{Name: binaries, MountPath: contract.Directory, ReadOnly: true},
		corev1.VolumeMount{Name: podInfo, MountPath: podInfoDirectory, ReadOnly: true})
	told := without(variables(&t.Spec), func(e corev1.EnvVar) bool { return e.Value == noGrace })
	if agent.LetsInWithin > contract.BarrierWithin {
		told = append(told, corev1.EnvVar{Name: contract.LetInWithinVariable, Value: agent.LetsInWithin.String()})
	}
	for _, variable := range told {
		if !slices.ContainsFunc(c.Env, func(e corev1.EnvVar) bool { return e.Name == variable.Name }) {
			c.Env = append(slices.Clone(c.Env), variable)
		}
	}
	// In the network of the node a port that is declared is one that the scheduler gives to one pod of a node alone.
	if !t.Spec.HostNetwork && port > 0 {
		c.Ports = append(slices.Clone(c.Ports), corev1.ContainerPort{
			Name: portName, ContainerPort: int32(port), Protocol: corev1.ProtocolTCP,
		})
	}
}

// Out takes the agent out of a template that Takt has put it into. What somebody has changed since stays as it is.
func Out(t *corev1.PodTemplateSpec) {
	if _, byTakt := By(t); !byTakt {
		return
	}
	grace := variables(&t.Spec)
	delete(t.Annotations, contract.AgentAnnotation)
	delete(t.Annotations, contract.LetInAnnotation)
	if t.Annotations[contract.PortAnnotation] == strconv.Itoa(contract.Port) {
		delete(t.Annotations, contract.PortAnnotation)
	}
	t.Spec.InitContainers = without(t.Spec.InitContainers, func(c corev1.Container) bool { return c.Name == Installer })
	t.Spec.Volumes = without(t.Spec.Volumes, func(v corev1.Volume) bool { return ours(v.Name) })
	t.Spec.Containers = slices.Clone(t.Spec.Containers)
	for i := range t.Spec.Containers {
		c := &t.Spec.Containers[i]
		if wrapped(c) {
			c.Command = slices.Clone(c.Command[len(prefix()):])
		}
		c.VolumeMounts = without(c.VolumeMounts, func(m corev1.VolumeMount) bool { return ours(m.Name) })
		c.Ports = without(c.Ports, func(p corev1.ContainerPort) bool { return p.Name == portName })
		c.Env = without(c.Env, func(e corev1.EnvVar) bool {
			return e.Name == contract.LetInWithinVariable || slices.ContainsFunc(grace, func(g corev1.EnvVar) bool {
				return g.Name == e.Name && sameValue(g, e)
			})
		})
	}
}

// prefix is what comes before the command of the training.
func prefix() []string {
	return []string{Program, "exec", "--"}
}

func wrapped(c *corev1.Container) bool {
	return len(c.Command) > len(prefix()) && slices.Equal(c.Command[:len(prefix())], prefix())
}

func ours(volume string) bool { return volume == binaries || volume == podInfo }

// installer is the init container. It needs no right that the restricted profile of pod security does not grant, and
// asks for little, as much as it may have: a quota counts it, and a pod that is guaranteed all that it asks for stays
// so. Its user is that of the pod, else that of its image, which is not root. Its seccomp profile is that of the
// container that trains, else of the pod: where neither has one, none may be allowed, as by some policies of OpenShift,
// and where one is asked for, the training itself has it.
func installer(t *corev1.PodTemplateSpec, trainer, image string) corev1.Container {
	little := corev1.ResourceList{
		corev1.ResourceCPU: resource.MustParse("100m"), corev1.ResourceMemory: resource.MustParse("64Mi"),
	}
	c := corev1.Container{
		Name: Installer, Image: image, ImagePullPolicy: corev1.PullIfNotPresent,
		Command:      []string{InImage, "install", contract.Directory},
		Resources:    corev1.ResourceRequirements{Requests: little, Limits: little},
		VolumeMounts: []corev1.VolumeMount{{Name: binaries, MountPath: contract.Directory}},
		// What it says of its failure is all that is told of it: its pod goes.
		TerminationMessagePolicy: corev1.TerminationMessageFallbackToLogsOnError,
		SecurityContext: &corev1.SecurityContext{
			AllowPrivilegeEscalation: new(false), ReadOnlyRootFilesystem: new(true), RunAsNonRoot: new(true),
			Capabilities: &corev1.Capabilities{Drop: []corev1.Capability{"ALL"}},
		},
	}
	if s := find(t, trainer).SecurityContext; s != nil && s.SeccompProfile != nil {
		c.SecurityContext.SeccompProfile = s.SeccompProfile.DeepCopy()
	}
	if s := t.Spec.SecurityContext; s != nil && s.RunAsUser != nil && *s.RunAsUser == 0 {
		c.SecurityContext.RunAsUser = new(int64(nobody))
	}
	return c
}

// nobody is the user of the agent's image.
const nobody = 65532

// noGrace is the grace period of a pod that has none. The agent is not told of it.
const noGrace = "0s"

// variables are what the agent is told of the pod that it is in.
func variables(pod *corev1.PodSpec) []corev1.EnvVar {
	grace := int64(defaultGrace)
	if pod.TerminationGracePeriodSeconds != nil {
		grace = *pod.TerminationGracePeriodSeconds
	}
	return []corev1.EnvVar{
		{Name: contract.EpochVariable,
			ValueFrom: &corev1.EnvVarSource{FieldRef: field(fmt.Sprintf("metadata.labels['%s']", contract.EpochLabel))}},
		{Name: contract.IndexVariable,
			ValueFrom: &corev1.EnvVarSource{FieldRef: field(fmt.Sprintf("metadata.labels['%s']", contract.IndexLabel))}},
		{Name: contract.PodVariable, ValueFrom: &corev1.EnvVarSource{FieldRef: field("metadata.uid")}},
		{Name: contract.GraceVariable, Value: (time.Duration(grace) * time.Second).String()},
	}
}

func sameValue(a, b corev1.EnvVar) bool {
	if a.ValueFrom == nil || b.ValueFrom == nil {
		return a.ValueFrom == nil && b.ValueFrom == nil && a.Value == b.Value
	}
	return b.ValueFrom.FieldRef != nil && a.ValueFrom.FieldRef.FieldPath == b.ValueFrom.FieldRef.FieldPath
}

func field(path string) *corev1.ObjectFieldSelector {
	return &corev1.ObjectFieldSelector{APIVersion: "v1", FieldPath: path}
}

// portOf is where the agent serves its metrics; 0 if nobody can tell.
func portOf(t *corev1.PodTemplateSpec) int {
	text := t.Annotations[contract.PortAnnotation]
	if text == "" {
		return contract.Port
	}
	port, _ := strconv.ParseUint(text, 10, 16)
	return int(port)
}

func find(t *corev1.PodTemplateSpec, container string) *corev1.Container {
	for i := range t.Spec.Containers {
		if t.Spec.Containers[i].Name == container {
			return &t.Spec.Containers[i]
		}
	}
	return nil
}

// without is a list without some of its elements, and none where nothing is left.
func without[T any](all []T, some func(T) bool) []T {
	kept := slices.DeleteFunc(slices.Clone(all), some)
	if len(kept) == 0 {
		return nil
	}
	return kept
}

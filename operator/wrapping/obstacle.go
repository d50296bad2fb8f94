package wrapping

import (
	"fmt"
	"path"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/takt-dev/takt/agent/contract"
)

// Obstacle says why the agent cannot be put into a template, to start what a container of it runs, and what to do about
// it; empty if it can.
func Obstacle(t *corev1.PodTemplateSpec, container string) string {
	there, byTakt := By(t)
	if there && !byTakt {
		return fmt.Sprintf("The template of its pods says %s, so somebody has put it in by hand.", contract.AgentAnnotation)
	}
	if contract.Denied(t.Annotations[contract.AgentAnnotation]) {
		return fmt.Sprintf("The template of its pods says by %s that they are without it: take that off, or say so on the "+
			"job itself.", contract.AgentAnnotation)
	}
	bare := t
	if byTakt {
		bare = t.DeepCopy()
		Out(bare)
	}
	c := find(bare, container)
	switch {
	case c == nil:
		return fmt.Sprintf("Its pods have no container %s.", container)
	case len(c.Command) == 0:
		return fmt.Sprintf("Container %s has no command, and the agent does not know that of the image: write it in the "+
			"template of the pods.", container)
	case bare.Spec.OS != nil && bare.Spec.OS.Name == corev1.Windows:
		return "Its pods run on Windows."
	case c.LivenessProbe != nil, c.StartupProbe != nil:
		return fmt.Sprintf("Container %s has a livenessProbe or a startupProbe, which would end it while it waits for the "+
			"others: remove it.", container)
	case c.Lifecycle != nil && c.Lifecycle.PostStart != nil:
		return fmt.Sprintf("Container %s has a lifecycle.postStart, which may wait for a training that waits for the "+
			"others: remove it.", container)
	case beFirst(c.Command[0]):
		return fmt.Sprintf("Container %s starts %s, which has to be process 1, as the agent is then: start the training "+
			"itself in the template of the pods.", container, c.Command[0])
	}
	for _, m := range c.VolumeMounts {
		if m.MountPath == contract.Directory || m.MountPath == podInfoDirectory {
			return fmt.Sprintf("Container %s mounts something else at %s: mount that elsewhere.", container, m.MountPath)
		}
	}
	for _, v := range bare.Spec.Volumes {
		if ours(v.Name) {
			return fmt.Sprintf("Its pods have a volume %s of their own: call it something else.", v.Name)
		}
	}
	for _, i := range bare.Spec.InitContainers {
		if i.Name == Installer {
			return fmt.Sprintf("Its pods have an init container %s of their own: call it something else.", i.Name)
		}
	}
	return portTaken(bare)
}

// beFirst says whether a program ends at once where it is not process 1: an init that manages services, and no mere one
// that forwards signals.
func beFirst(program string) bool {
	return slices.Contains([]string{"/init", "/sbin/init", "/usr/sbin/init"}, program) || path.Base(program) == "systemd"
}

// portTaken says that a container of a template declares the port of the agent.
func portTaken(t *corev1.PodTemplateSpec) string {
	for _, c := range t.Spec.Containers {
		for _, p := range c.Ports {
			if int(p.ContainerPort) == portOf(t) || p.Name == portName {
				return fmt.Sprintf("Container %s has port %d, which the agent would serve its metrics at: write another in the "+
					"annotation %s of the template.",
					c.Name, p.ContainerPort, contract.PortAnnotation)
			}
		}
	}
	return ""
}

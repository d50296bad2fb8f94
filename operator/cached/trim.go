package cached

import (
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/takt-dev/takt/agent/contract"
	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/operator/wrapping"
	"github.com/takt-dev/takt/printed"
)

// defaultContainer is by which a pod names the container whose logs are read.
const defaultContainer = "kubectl.kubernetes.io/default-container"

// trimAny takes from an object what nobody reads here, and what is never written back, as patches say
// only what changes.
func trimAny(object any) (any, error) {
	if o, err := meta.Accessor(object); err == nil {
		o.SetManagedFields(nil)
		delete(o.GetAnnotations(), corev1.LastAppliedConfigAnnotation)
	}
	return object, nil
}

// TrimElasticJob leaves of whose fields are whose what is told of the spec: who has set a field there is
// not overruled by what is written on the job.
func TrimElasticJob(object any) (any, error) {
	ej, ok := object.(*v1alpha1.ElasticJob)
	if !ok {
		return trimAny(object)
	}
	var kept []metav1.ManagedFieldsEntry
	for _, entry := range ej.ManagedFields {
		if entry.Subresource == "" {
			kept = append(kept, entry)
		}
	}
	trimmed, err := trimAny(object)
	ej.ManagedFields = kept
	return trimmed, err
}

// trimNode leaves out what a node has pulled and mounted, which is most of it.
func trimNode(object any) (any, error) {
	if node, ok := object.(*corev1.Node); ok {
		node.Annotations, node.Status.Images = nil, nil
		node.Status.VolumesInUse, node.Status.VolumesAttached = nil, nil
	}
	return trimAny(object)
}

// TrimResize leaves of a Resize that is over how it ended, and when workers were told to leave, if they were: every job
// has many of them. The operator writes nothing to it any more.
func TrimResize(object any) (any, error) {
	if r, ok := object.(*v1alpha1.Resize); ok {
		if end := r.Ending(); end != nil {
			var kept []metav1.Condition
			for _, c := range r.Status.Conditions {
				if c.Message = ""; slices.Contains([]string{end.Type, v1alpha1.ConditionCommitted,
					v1alpha1.ConditionRollingBack}, c.Type) {
					kept = append(kept, c)
				}
			}
			r.Spec.Message, r.Status.Pods = "", nil
			r.Status.Conditions, r.Status.Placement = kept, v1alpha1.PlacementStatus{}
		}
	}
	return trimAny(object)
}

// trimPod leaves of a pod what Takt looks at.
func trimPod(object any) any {
	pod, ok := object.(*corev1.Pod)
	if !ok {
		return object
	}
	trimmed := &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: pod.Namespace, Name: pod.Name, UID: pod.UID, ResourceVersion: pod.ResourceVersion,
			CreationTimestamp: pod.CreationTimestamp, DeletionTimestamp: pod.DeletionTimestamp,
			Labels: pod.Labels, OwnerReferences: pod.OwnerReferences,
		},
		Spec: corev1.PodSpec{
			NodeName: pod.Spec.NodeName, NodeSelector: pod.Spec.NodeSelector, Affinity: pod.Spec.Affinity,
			Tolerations: pod.Spec.Tolerations, SchedulingGates: pod.Spec.SchedulingGates,
			Containers: trimContainers(pod.Spec.Containers), InitContainers: trimContainers(pod.Spec.InitContainers),
			Overhead: pod.Spec.Overhead, Resources: pod.Spec.Resources, Priority: pod.Spec.Priority,
			HostNetwork: pod.Spec.HostNetwork, TopologySpreadConstraints: pod.Spec.TopologySpreadConstraints,
		},
		Status: corev1.PodStatus{Phase: pod.Status.Phase, PodIP: pod.Status.PodIP,
			NominatedNodeName: pod.Status.NominatedNodeName, Reason: pod.Status.Reason, StartTime: pod.Status.StartTime},
	}
	for _, s := range pod.Status.InitContainerStatuses {
		kept := corev1.ContainerStatus{Name: s.Name, RestartCount: s.RestartCount}
		if s.Name == wrapping.Installer {
			kept.State.Terminated = ofInstaller(s.State)
			kept.LastTerminationState.Terminated = ofInstaller(s.LastTerminationState)
		}
		keepWaiting(&kept, s)
		keepCrash(&kept, s)
		if kept.RestartCount > 0 || kept.State.Waiting != nil || kept.State.Terminated != nil {
			trimmed.Status.InitContainerStatuses = append(trimmed.Status.InitContainerStatuses, kept)
		}
	}
	for _, s := range pod.Status.ContainerStatuses {
		kept := corev1.ContainerStatus{Name: s.Name, RestartCount: s.RestartCount}
		kept.State.Running = s.State.Running
		kept.State.Terminated, kept.LastTerminationState.Terminated = ofItsStart(s.State), ofItsStart(s.LastTerminationState)
		keepWaiting(&kept, s)
		keepCrash(&kept, s)
		partly := pod.Status.Phase == corev1.PodPending && s.State.Running != nil // while another cannot run
		if partly || wasPrepared(pod, s) || s.RestartCount > 0 || kept.State.Waiting != nil || kept.State.Terminated != nil ||
			kept.LastTerminationState.Terminated != nil {
			trimmed.Status.ContainerStatuses = append(trimmed.Status.ContainerStatuses, kept)
		}
	}
	keepPending(trimmed, pod)
	for key, value := range pod.Annotations {
		if key == defaultContainer || strings.HasPrefix(key, "takt.dev/") || strings.HasPrefix(key, "prometheus.io/") {
			metav1.SetMetaDataAnnotation(&trimmed.ObjectMeta, key, value)
		}
	}
	if wrapping.InNameAlone(pod.Annotations, pod.Spec.Containers) {
		delete(trimmed.Annotations, contract.AgentAnnotation)
	}
	return trimmed
}

// wasPrepared says that the node of a pod took long until it ran a container: others run since about when their pods
// came to their nodes.
func wasPrepared(pod *corev1.Pod, s corev1.ContainerStatus) bool {
	const long = 5 * time.Minute
	return s.State.Running != nil && pod.Status.StartTime != nil &&
		s.State.Running.StartedAt.Sub(pod.Status.StartTime.Time) >= long
}

// keepPending keeps why a pod does not run yet: its scheduler has no node for it, or since when it has one, or its node
// neither volumes nor a network; that it has both by now; and what may take long then.
func keepPending(kept, pod *corev1.Pod) {
	pends := pod.Status.Phase == corev1.PodPending
	for _, c := range pod.Status.Conditions {
		placing := c.Type == corev1.PodScheduled && (c.Status == corev1.ConditionFalse || pends)
		if placing || pends && c.Type == corev1.PodReadyToStartContainers {
			kept.Status.Conditions = append(kept.Status.Conditions, corev1.PodCondition{
				Type: c.Type, Status: c.Status, Reason: c.Reason, Message: c.Message, LastTransitionTime: c.LastTransitionTime,
			})
		}
	}
	if c := pod.Spec.SecurityContext; pends && c != nil && c.FSGroup != nil {
		kept.Spec.SecurityContext = &corev1.PodSecurityContext{
			FSGroup: c.FSGroup, FSGroupChangePolicy: c.FSGroupChangePolicy,
		}
	}
}

// usual are the reasons for which a container waits that is about to run.
var usual = []string{"", "PodInitializing", "ContainerCreating"}

// waitingBytes is how much is kept of why a container waits.
const waitingBytes = 1 << 10

// keepWaiting keeps why a container waits, unless that is usual, and how it has ended before, but for what it said.
func keepWaiting(kept *corev1.ContainerStatus, s corev1.ContainerStatus) {
	w := s.State.Waiting
	if w == nil || slices.Contains(usual, w.Reason) && !ofAgent(w.Message) {
		return
	}
	kept.State.Waiting = &corev1.ContainerStateWaiting{Reason: w.Reason, Message: cut(w.Message)}
	if t := s.LastTerminationState.Terminated; t != nil && kept.LastTerminationState.Terminated == nil {
		kept.LastTerminationState.Terminated = &corev1.ContainerStateTerminated{Reason: t.Reason, ExitCode: t.ExitCode}
	}
}

// keepCrash keeps how a container has ended that is started again and again. For a while, nothing says that it waits.
func keepCrash(kept *corev1.ContainerStatus, s corev1.ContainerStatus) {
	if t := s.State.Terminated; t != nil && t.ExitCode != 0 && s.RestartCount > 0 && kept.State.Terminated == nil {
		kept.State.Terminated = &corev1.ContainerStateTerminated{Reason: t.Reason, ExitCode: t.ExitCode}
	}
}

// cut is the beginning of a message.
func cut(message string) string {
	if len(message) > waitingBytes {
		return strings.ToValidUTF8(message[:waitingBytes], "")
	}
	return message
}

// ofInstaller is how the container has failed that installs the agent, and why, as it says itself; nil if it has not.
func ofInstaller(state corev1.ContainerState) *corev1.ContainerStateTerminated {
	if t := state.Terminated; t != nil && t.ExitCode != 0 {
		return &corev1.ContainerStateTerminated{Reason: t.Reason, Message: cut(t.Message), ExitCode: t.ExitCode}
	}
	return nil
}

// ofAgent says that what is told of a container is about Takt's agent in it.
func ofAgent(message string) bool { return strings.Contains(message, contract.Directory+"/") }

// ofItsStart is how a container has ended that the agent could not be started in; nil for any other.
func ofItsStart(state corev1.ContainerState) *corev1.ContainerStateTerminated {
	if t := state.Terminated; t != nil && ofAgent(t.Message) {
		return &corev1.ContainerStateTerminated{Reason: t.Reason, Message: t.Message, ExitCode: t.ExitCode}
	}
	return nil
}

func trimContainers(containers []corev1.Container) []corev1.Container {
	var trimmed []corev1.Container
	for _, c := range containers {
		trimmed = append(trimmed, corev1.Container{
			Name: c.Name, Command: trimCommand(c), Env: trimEnvironment(c.Env), Resources: c.Resources,
			RestartPolicy: c.RestartPolicy, Ports: trimPorts(c.Ports),
		})
	}
	return trimmed
}

// trimPorts leaves of the ports of a container those that it takes of its node.
func trimPorts(ports []corev1.ContainerPort) (kept []corev1.ContainerPort) {
	for _, p := range ports {
		if p.HostPort > 0 {
			kept = append(kept, corev1.ContainerPort{
				HostPort: p.HostPort, ContainerPort: p.ContainerPort, HostIP: p.HostIP, Protocol: p.Protocol,
			})
		}
	}
	return kept
}

// commandBytes is how much is kept at most of what a command says, and how long a variable is that is kept. Nobody says
// in more than that how much there is to train.
const commandBytes = 4 << 10

// trimEnvironment leaves of the variables of a container those that may say how much there is to train.
func trimEnvironment(all []corev1.EnvVar) (kept []corev1.EnvVar) {
	for _, variable := range all {
		text := variable.Name + "=" + variable.Value
		if len(text) <= commandBytes && printed.Command([]string{text}) != (printed.Work{}) {
			kept = append(kept, corev1.EnvVar{Name: variable.Name, Value: variable.Value})
		}
	}
	return kept
}

// trimCommand leaves of all that a container runs, with its variables filled in, the words that say how much there is
// to train, and whether the agent starts it: what is trimmed may be trimmed again. The rest may be long: some libraries
// put the source of a training into it.
func trimCommand(c corev1.Container) []string {
	words, left := slices.Concat(c.Command, c.Args), filledBytes
	var variables *strings.Replacer
	for i, word := range words {
		if !strings.Contains(word, "$(") || len(word) > left {
			continue
		}
		if variables == nil {
			variables = inWords(c.Env)
		}
		words[i], left = variables.Replace(word), left-len(word)
	}
	said := printed.Telling(words)
	if len(strings.Join(said, " ")) > commandBytes {
		said = nil
	}
	if wrapping.Starts(c) && !slices.Contains(said, wrapping.Program) {
		said = slices.Insert(said, 0, wrapping.Program)
	}
	return said
}

// filledBytes is how much of a command is filled in, and variableBytes how long a variable is at most that is filled
// in: a word may name it a thousand times.
const (
	filledBytes   = 64 << 10
	variableBytes = 64
)

// inWords puts the variables of a container into the words of its command that name them.
func inWords(variables []corev1.EnvVar) *strings.Replacer {
	var pairs []string
	for _, v := range variables {
		if v.Value != "" && len(v.Value) <= variableBytes {
			pairs = append(pairs, "$("+v.Name+")", v.Value)
		}
	}
	return strings.NewReplacer(pairs...)
}

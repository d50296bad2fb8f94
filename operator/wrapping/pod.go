package wrapping

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/takt-dev/takt/agent/contract"
)

// Within says that the agent is in a pod.
func Within(pod *corev1.Pod) bool { return contract.Wraps(pod.Annotations[contract.AgentAnnotation]) }

// InNameAlone says that Takt's agent is written on a pod or a template, and starts none of the containers: who applies
// a manifest as a whole takes it out of the command, and leaves the annotation.
func InNameAlone(annotations map[string]string, containers []corev1.Container) bool {
	return annotations[contract.AgentAnnotation] == Injected && !slices.ContainsFunc(containers, Starts)
}

// Program is the agent in a pod.
const Program = contract.Directory + "/" + contract.Binary

// Starts says that the agent starts what a container runs. Where somebody else has wrapped the command in turn, it is
// among the arguments.
func Starts(c corev1.Container) bool {
	names := func(word string) bool { return strings.Contains(word, Program) }
	return slices.ContainsFunc(c.Command, names) || slices.ContainsFunc(c.Args, names)
}

// Waits says that the agent of a pod holds its training back until it is let in.
func Waits(pod *corev1.Pod) bool {
	return Within(pod) && !contract.Open(pod.Annotations[contract.LetInAnnotation], Epoch(pod))
}

// Stays are the annotations that have a pod train, whatever it was told before: it is let in, and not told to leave.
// nil takes one off.
func Stays(pod *corev1.Pod) map[string]any {
	says := map[string]any{}
	if Waits(pod) {
		says[contract.LetInAnnotation] = strconv.FormatInt(Epoch(pod), 10)
	}
	if _, marked := pod.Annotations[contract.DrainingAnnotation]; marked {
		says[contract.DrainingAnnotation] = nil
	}
	return says
}

// Epoch is the epoch of a pod, as its agent reads it: 0 if it cannot.
func Epoch(pod *corev1.Pod) int64 { return epoch(pod.Labels) }

func epoch(labels map[string]string) int64 {
	epoch, err := strconv.ParseInt(labels[contract.EpochLabel], 10, 64)
	if err != nil {
		return 0
	}
	return epoch
}

// longest is how long something may be in the way of the agent that does not pass by itself, from when the node of the
// pod could start containers.
const longest = time.Minute

// installs is how long the agent may take to be installed where pods may take so long to be ready, and something is in
// its way: there is to be time left for others without it. What may pass, such as a registry that is asked for too much
// at once, has longer.
func installs(readyWithin time.Duration, passes bool) time.Duration {
	if passes {
		return readyWithin / 2
	}
	return min(longest, readyWithin/2)
}

// mayPass are reasons for which the agent cannot be installed, or its container not be made, at the moment; unless what
// is said of it is among lasting.
var (
	mayPass = []string{"ErrImagePull", "ImagePullBackOff", "RegistryUnavailable", "ImageInspectError",
		"CreateContainerError", "RunContainerError"}
	lasting = regexp.MustCompile(`(?i)not ?found|denied|unauthorized|forbidden|manifest unknown|does not exist|` +
		`no match for platform|exec format|invalid reference|no such image`)
)

// waiting are reasons for which a container waits though nothing is wrong.
var waiting = []string{"", "PodInitializing", "ContainerCreating"}

// Faulty says that something keeps the agent of a pod from being installed, or started, at the moment.
func Faulty(pod *corev1.Pod) bool {
	reason, _ := faultOf(pod)
	return reason != "" && pod.Annotations[contract.AgentAnnotation] == Injected
}

// Hindered says what keeps the agent of a pod from being installed that may take so long to be ready, for as long as it
// may be in the way; and else, if anything is, when that time is over.
func Hindered(pod *corev1.Pod, readyWithin time.Duration, now time.Time) (why string, at time.Time) {
	return HinderedSince(pod, time.Time{}, readyWithin, now)
}

// HinderedSince does the same of something that was not in the way before some moment.
func HinderedSince(pod *corev1.Pod, since time.Time, readyWithin time.Duration, now time.Time) (why string,
	at time.Time) {
	if pod.Annotations[contract.AgentAnnotation] != Injected || pod.Status.StartTime == nil {
		return "", time.Time{}
	}
	reason, message := faultOf(pod)
	if reason == "" {
		return "", time.Time{}
	}
	passes := slices.Contains(mayPass, reason) && !lasting.MatchString(message)
	if from := startable(pod); from.After(since) {
		since = from
	}
	over := since.Add(installs(readyWithin, passes))
	if now.Before(over) && pod.Status.Phase != corev1.PodFailed { // what has failed is not tried again
		return "", over
	}
	return fmt.Sprintf("pod %s: %s", pod.Name, strings.TrimSuffix(reason+": "+shortened(message), ": ")), time.Time{}
}

// startable is since when the node of a pod can start containers of it, or when the pod came there if that is not said.
// After the node itself has started anew that is another moment.
func startable(pod *corev1.Pod) time.Time {
	for _, c := range pod.Status.Conditions {
		if c.Type == corev1.PodReadyToStartContainers && c.LastTransitionTime.After(pod.Status.StartTime.Time) {
			return c.LastTransitionTime.Time
		}
	}
	return pod.Status.StartTime.Time
}

// killed says that a container was ended by somebody else, such as a node that is shut down.
func killed(t *corev1.ContainerStateTerminated) bool { return t.ExitCode == 137 || t.ExitCode == 143 }

// faultOf is what the kubelet says where the agent cannot be installed, or cannot be executed: its volume may be
// mounted so that nothing in it may be. What the installer has said itself, such as that the disk is full, counts
// before that it is to be started again, once it has failed twice. A pod that has failed for its node, such as by an
// eviction, tells nothing, nor what it waited for then.
func faultOf(pod *corev1.Pod) (reason, message string) {
	failed := pod.Status.Phase == corev1.PodFailed
	if failed && pod.Status.Reason != "" {
		return "", ""
	}
	for i := range pod.Status.InitContainerStatuses {
		s := &pod.Status.InitContainerStatuses[i]
		if s.Name != Installer {
			continue
		}
		w, ended := s.State.Waiting, s.State.Terminated
		if w != nil && w.Reason == "CrashLoopBackOff" {
			ended = s.LastTerminationState.Terminated
		}
		switch {
		case failed && (w != nil || ended != nil && killed(ended)):
			return "", ""
		case ended != nil && ended.ExitCode != 0 && s.RestartCount == 0 && !failed:
			return "", "" // it is tried again
		case ended != nil && ended.ExitCode != 0:
			return ended.Reason, cmp.Or(ended.Message, fmt.Sprintf("exit code %d", ended.ExitCode))
		case w != nil && !slices.Contains(waiting, w.Reason):
			return w.Reason, w.Message
		}
	}
	for i := range pod.Status.ContainerStatuses {
		s := &pod.Status.ContainerStatuses[i]
		if s.State.Running != nil {
			continue // whatever was in the way before
		}
		if w := s.State.Waiting; w != nil && strings.Contains(w.Message, contract.Directory+"/") {
			return w.Reason, w.Message
		}
		for _, t := range []*corev1.ContainerStateTerminated{s.State.Terminated, s.LastTerminationState.Terminated} {
			if t != nil && t.Reason == "StartError" && strings.Contains(t.Message, contract.Directory+"/") {
				return t.Reason, t.Message
			}
		}
	}
	return "", ""
}

// shortened is a message that somebody else has written, on one line and no longer than a sentence.
func shortened(message string) string {
	const most = 160
	message = strings.Join(strings.Fields(message), " ")
	if runes := []rune(message); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return message
}

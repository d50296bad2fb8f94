package view

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/takt-dev/takt/agent/contract"
	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/elastic/resize"
	"github.com/takt-dev/takt/elastic/starting"
	"github.com/takt-dev/takt/operator/kind"
	"github.com/takt-dev/takt/operator/wording"
	"github.com/takt-dev/takt/operator/wrapping"
)

// Hurdle is what keeps a worker from running, in the words of its kubelet or scheduler.
type Hurdle struct {
	Pod    *corev1.Pod
	Reason string // such as ImagePullBackOff
	Says   string // on one line, and no longer than longestSaid; may be empty
	Do     string // what to do about it, as a sentence
	Lasts  bool   // it will not pass by itself, as far as anybody can tell
	Partly bool   // a container of the pod runs all the same
}

// Why is what is said of it, in one part of a sentence.
func (h Hurdle) Why() string {
	if h.Says == "" {
		return h.Reason
	}
	return h.Reason + ": " + h.Says
}

// longestSaid is how much is passed on of what others say of a pod, in bytes.
const longestSaid = 200

// pause is for how long a kubelet says that it pauses before it starts a container anew.
var pause = regexp.MustCompile(`back-off (\S+) restarting`)

const checkImage = "Correct the name of its image, or let its namespace pull it."

// remedies are what to do by the reason for which a container waits. Any other is none that keeps it from running.
var remedies = map[string]string{
	"ErrImagePull": checkImage, "ImagePullBackOff": checkImage, "ErrImageNeverPull": checkImage,
	"RegistryUnavailable": checkImage, "ImageInspectError": checkImage, "SignatureValidationFailed": checkImage,
	"InvalidImageName":           "Correct the name of its image.",
	"CreateContainerConfigError": "Create the ConfigMap or Secret that it names, or name another.",
	"CreateContainerError":       "Correct its command, or what it mounts.",
	"RunContainerError":          "Correct its command, or what it mounts.",
	"CreatePodSandboxError":      "See what is wrong with its node, or with the network there.",
	"PostStartHookError":         "Correct its postStart hook.",
	crashes:                      "",
}

const crashes = "CrashLoopBackOff"

// Hurdles are those of the workers of a job that are to run at a moment, in their order.
func (s *Subject) Hurdles(now time.Time) (all []Hurdle) {
	for _, w := range s.Pods {
		if w.Pod.DeletionTimestamp != nil || HasEnded(w.Pod) {
			continue
		}
		if h, found := s.hurdleOf(w.Pod, now); found {
			all = append(all, h)
		}
	}
	return all
}

// Waits says that workers of a job may well wait for one that does not run: it cannot, or is yet to, and the job trains
// with all of them or not at all.
func (s *Subject) Waits(now time.Time) bool {
	return len(s.Hurdles(now)) > 0 || s.Mode() == resize.Cold && slices.ContainsFunc(s.Pods, func(w Worker) bool {
		return w.Pod.Status.Phase == corev1.PodPending && w.Pod.DeletionTimestamp == nil
	})
}

// WaitsWith is what keeps a worker from running at a moment; empty if nothing does.
func (s *Subject) WaitsWith(pod *corev1.Pod, now time.Time) string {
	h, _ := s.hurdleOf(pod, now)
	return h.Why()
}

// Prepared says that the node of a pod that does not run yet is about to run it: its volumes and its network are there,
// or their files are given to a group, and nothing keeps it from running that does not pass by itself. Its image is
// pulled, or its init containers run.
func (s *Subject) Prepared(pod *corev1.Pod, now time.Time) bool {
	if pod.Status.Phase != corev1.PodPending {
		return false
	}
	if h, found := s.hurdleOf(pod, now); found && h.Lasts {
		return false
	}
	return slices.ContainsFunc(pod.Status.Conditions, func(c corev1.PodCondition) bool {
		return c.Type == corev1.PodReadyToStartContainers && (c.Status == corev1.ConditionTrue || givesFiles(pod))
	})
}

// CannotRun says that a worker cannot run, and that this does not pass by itself: another like it could not either.
func (s *Subject) CannotRun(now time.Time) bool {
	return slices.ContainsFunc(s.Hurdles(now), func(h Hurdle) bool { return h.Lasts })
}

// hurdleOf is what keeps a pod from running, or its training once the pod runs: what else runs there, such as what
// sends its figures away, may crash as it likes. That the agent cannot be installed passes where Takt has put it in:
// the pod is made without.
func (s *Subject) hurdleOf(pod *corev1.Pod, now time.Time) (h Hurdle, found bool) {
	if pod.Spec.NodeName == "" {
		return unbound(pod)
	}
	trainer := ""
	if c := kind.Trainer(pod.Annotations, &pod.Spec, s.Job.Container); c != nil {
		trainer = c.Name
	}
	pending, inits, partly := pod.Status.Phase == corev1.PodPending, len(pod.Status.InitContainerStatuses), false
	for i, c := range slices.Concat(pod.Status.InitContainerStatuses, pod.Status.ContainerStatuses) {
		trains := i >= inits && c.Name == trainer
		partly = partly || i >= inits && c.State.Running != nil
		ours := c.Name == wrapping.Installer && pod.Annotations[contract.AgentAnnotation] == wrapping.Injected
		if !found && !ours && (pending || trains) {
			h, found = hurdle(pod, c, i < inits)
		}
	}
	if !found && pending {
		h, found = unprepared(pod, now)
	}
	h.Partly = partly
	return h, found
}

// unprepared is the hurdle of a pod for which its node has had no volumes and no network for long: a Secret that it
// mounts is not there, or another node has its volume. Its containers are said to be created all the while.
func unprepared(pod *corev1.Pod, now time.Time) (Hurdle, bool) {
	for _, c := range pod.Status.Conditions {
		if c.Type == corev1.PodReadyToStartContainers && c.Status == corev1.ConditionFalse &&
			starting.Unprepared(c.LastTransitionTime.Time, now) {
			return Hurdle{
				Pod: pod, Reason: "NotPrepared", Lasts: !givesFiles(pod),
				Says: fmt.Sprintf("its node has not got its volumes or its network ready in %s",
					wording.Span(starting.PreparedWithin)),
				Do: fmt.Sprintf("kubectl -n %s describe pod %s says why, at its end.", pod.Namespace, pod.Name),
			}, true
		}
	}
	return Hurdle{}, false
}

// givesFiles says that the node of a pod gives all files of its volumes to a group first: of a set of data with
// millions of them that may take an hour, and ends by itself.
func givesFiles(pod *corev1.Pod) bool {
	c := pod.Spec.SecurityContext
	return c != nil && c.FSGroup != nil &&
		(c.FSGroupChangePolicy == nil || *c.FSGroupChangePolicy != corev1.FSGroupChangeOnRootMismatch)
}

// hurdle is what keeps a container of a pod from running; false if it runs, or is about to.
func hurdle(pod *corev1.Pod, c corev1.ContainerStatus, init bool) (Hurdle, bool) {
	reason, message := waitsFor(c)
	do, known := remedies[reason]
	h := Hurdle{Pod: pod, Reason: reason, Says: PassedOn(message), Do: do, Lasts: true}
	if reason == crashes {
		h.Lasts = crash(c).Lasts()
		h.Says, h.Do = crashed(pod, c, init)
	}
	return h, known
}

// waitsFor is why a container does not run; empty if it does. One that has crashed, and is to be started anew, is for a
// while only said to have ended.
func waitsFor(c corev1.ContainerStatus) (reason, message string) {
	switch waits, ended := c.State.Waiting, c.State.Terminated; {
	case waits != nil:
		return waits.Reason, waits.Message
	case ended != nil && ended.ExitCode != 0 && c.RestartCount > 0:
		return crashes, ""
	}
	return "", ""
}

// crash is what the kubelet says of a container that has crashed.
func crash(c corev1.ContainerStatus) starting.Crash {
	seen := starting.Crash{Waits: c.State.Waiting != nil, Starts: int(c.RestartCount)}
	if !seen.Waits {
		return seen
	}
	if said := pause.FindStringSubmatch(c.State.Waiting.Message); said != nil {
		seen.Pause, _ = time.ParseDuration(said[1]) // it says nothing where that makes no sense
	}
	return seen
}

// crashed says how often a container has ended, and how at last, and where to read why. What it has written itself is
// its owner's alone.
func crashed(pod *corev1.Pod, c corev1.ContainerStatus, init bool) (says, do string) {
	what := "container"
	if init {
		what = "init container"
	}
	says = fmt.Sprintf("%s %s was started anew, %s", what, c.Name, elastic.CountOf(c.RestartCount, "time"))
	if t := cmp.Or(c.State.Terminated, c.LastTerminationState.Terminated); t != nil {
		says += fmt.Sprintf(", and ended with exit code %d", t.ExitCode)
		if t.Reason != "" && t.Reason != "Error" {
			says += fmt.Sprintf(" (%s)", t.Reason)
		}
	}
	return says, fmt.Sprintf("kubectl -n %s logs %s -c %s --previous says why.", pod.Namespace, pod.Name, c.Name)
}

// Unplaced is what is said of a pod for which no node was found, or that somebody keeps from being placed; nil if
// nobody has said that.
func Unplaced(pod *corev1.Pod) *corev1.PodCondition {
	for i := range pod.Status.Conditions {
		if c := &pod.Status.Conditions[i]; c.Type == corev1.PodScheduled && c.Status == corev1.ConditionFalse {
			return c
		}
	}
	return nil
}

// unbound is the hurdle of a pod whose volume claim is not there, or not bound, as its scheduler says.
func unbound(pod *corev1.Pod) (Hurdle, bool) {
	c := Unplaced(pod)
	if c == nil || !strings.Contains(strings.ToLower(c.Message), "persistentvolumeclaim") {
		return Hurdle{}, false
	}
	return Hurdle{
		Pod: pod, Reason: c.Reason, Says: PassedOn(c.Message), Lasts: true,
		Do: fmt.Sprintf("Create the claim, or see kubectl -n %s describe pvc.", pod.Namespace),
	}, true
}

// secrets are what may stand in an address or beside it but for the name of a place: who asks, and with which token.
var secrets = regexp.MustCompile(
	`(?i)(://)[^/\s@"']+@|([?&][^=\s&"']+=|\b(?:bearer|basic) |\b(?:token|password|secret)=)` +
		`[^\s&"']+`)

// PassedOn is what others say, on one line, bounded, and without what only they should know.
func PassedOn(message string) string {
	line := secrets.ReplaceAllString(strings.Join(strings.Fields(message), " "), "${1}${2}…")
	return wording.ClipTo(strings.TrimSuffix(line, "."), longestSaid)
}

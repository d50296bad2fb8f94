package view

import (
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/takt-dev/takt/operator/cached"
	"github.com/takt-dev/takt/operator/kind"
	"github.com/takt-dev/takt/operator/settings"
	"github.com/takt-dev/takt/operator/wrapping"
)

// waits is a container that waits, as its kubelet says, after so many restarts.
func waits(reason, message string, restarts int32) corev1.ContainerStatus {
	c := corev1.ContainerStatus{Name: "pytorch", RestartCount: restarts}
	c.State.Waiting = &corev1.ContainerStateWaiting{Reason: reason, Message: message}
	c.LastTerminationState.Terminated = &corev1.ContainerStateTerminated{
		ExitCode: 137, Reason: "OOMKilled", Message: "HF_TOKEN=hf_abc",
	}
	return c
}

// ends is a container that has ended, and of which nothing else is said yet, after so many restarts.
func ends(code, restarts int32) corev1.ContainerStatus {
	c := corev1.ContainerStatus{Name: "pytorch", RestartCount: restarts}
	c.State.Terminated = &corev1.ContainerStateTerminated{ExitCode: code, Reason: "Error", Message: "HF_TOKEN=hf_abc"}
	return c
}

// asCached is what the operator sees of a pod: its cache leaves out most of it.
func asCached(t *testing.T, pod *corev1.Pod) *corev1.Pod {
	t.Helper()
	for kind, by := range cached.Options(settings.Default()).ByObject {
		if _, is := kind.(*corev1.Pod); is {
			kept, err := by.Transform(pod)
			if err != nil {
				t.Fatal(err)
			}
			return kept.(*corev1.Pod)
		}
	}
	t.Fatal("the cache has no pods")
	return nil
}

func TestWhatKeepsAWorkerFromRunning(t *testing.T) {
	for name, c := range map[string]struct {
		main, init corev1.ContainerStatus
		beside     string // the name of the container that waits beside the one that trains
		scheduler  string
		reason     string // empty for none
		says, do   string // parts of them
		passes     bool
		runs       bool          // its pod does
		unprepared time.Duration // for how long its node has had no volumes or network for it
		group      *corev1.PodSecurityContext
	}{
		"image": {
			main:   waits("ImagePullBackOff", `Back-off pulling image "reg.io/llm:lates"`, 0),
			reason: "ImagePullBackOff", says: `Back-off pulling image "reg.io/llm:lates"`, do: "name of its image",
		},
		"name": {main: waits("InvalidImageName", "", 0), reason: "InvalidImageName", do: "Correct the name"},
		"Secret": {
			main:   waits("CreateContainerConfigError", `secret "wandb" not found`, 0),
			reason: "CreateContainerConfigError", says: `secret "wandb" not found`, do: "Create the ConfigMap or Secret",
		},
		"it crashes": {
			main: waits("CrashLoopBackOff", "back-off 5m0s restarting failed container=pytorch", 7), reason: "CrashLoopBackOff",
			says: "container pytorch was started anew, 7 times, and ended with exit code 137 (OOMKilled)",
			do:   "kubectl -n team logs p -c pytorch --previous",
		},
		"it has just crashed again": {
			main: ends(1, 4), reason: "CrashLoopBackOff",
			says: "container pytorch was started anew, 4 times, and ended with exit code 1", do: "--previous", passes: true,
		},
		"it has crashed for the first time": {main: ends(1, 0)},
		"it has ended well":                 {main: ends(0, 4)},
		"it has crashed once": {
			main: waits("CrashLoopBackOff", "", 1), reason: "CrashLoopBackOff", says: "started anew, 1 time", passes: true,
		},
		"it has crashed many times before, and now once": {
			main:   waits("CrashLoopBackOff", "back-off 10s restarting failed container=pytorch", 12),
			reason: "CrashLoopBackOff", says: "started anew, 12 times", passes: true,
		},
		"init container": {
			init: waits("CrashLoopBackOff", "", 4), main: waits("PodInitializing", "", 0), reason: "CrashLoopBackOff",
			says: "init container pytorch was started anew, 4 times", do: "-c pytorch --previous",
		},
		"it crashes, and its pod runs": {
			main: waits("CrashLoopBackOff", "", 7), reason: "CrashLoopBackOff", says: "container pytorch", runs: true,
		},
		"another container crashes": {main: waits("CrashLoopBackOff", "", 7), beside: "metrics", runs: true},
		"another one keeps the pod from running": {
			main: waits("ImagePullBackOff", "no metrics:latest", 0), beside: "metrics", reason: "ImagePullBackOff",
			says: "no metrics:latest",
		},
		"claim": {
			scheduler: `0/3 nodes are available: persistentvolumeclaim "data" not found. not found`, reason: "Unschedulable",
			says: `persistentvolumeclaim "data" not found`, do: "Create the claim",
		},
		"a Secret to mount is not there": {
			main: waits("ContainerCreating", "", 0), unprepared: 10 * time.Minute, reason: "NotPrepared",
			says: "its node has not got its volumes or its network ready in 10m",
			do:   "kubectl -n team describe pod p says why, at its end.",
		},
		"all files of its volume are given to its group": {
			main: waits("ContainerCreating", "", 0), unprepared: time.Hour, group: new(corev1.PodSecurityContext{
				FSGroup: new(int64(100)),
			}), reason: "NotPrepared", says: "its volumes", do: "says why", passes: true,
		},
		"they were given to it before": {
			main: waits("ContainerCreating", "", 0), unprepared: time.Hour, group: new(corev1.PodSecurityContext{
				FSGroup: new(int64(100)), FSGroupChangePolicy: new(corev1.FSGroupChangeOnRootMismatch),
			}), reason: "NotPrepared", says: "its volumes", do: "says why",
		},
		"its disk is on its way":    {main: waits("ContainerCreating", "", 0), unprepared: 9 * time.Minute},
		"it runs without a network": {main: ends(0, 0), unprepared: 11 * time.Minute, runs: true},
		"no GPU is free":            {scheduler: "0/3 nodes are available: 3 Insufficient nvidia.com/gpu."},
		"about to run":              {main: waits("ContainerCreating", "", 0)},
		"something else":            {main: waits("WaitingForGodot", "", 0)},
		"a token of ours": {main: waits("ErrImagePull",
			`Get "https://me:pw1@reg.io/v2?token=abc1&x=def2": Bearer eyJ3`, 0), reason: "ErrImagePull"},
		"many lines": {
			main:   waits("RunContainerError", strings.Repeat("exec failed\n", 100), 0),
			reason: "RunContainerError", says: "exec failed exec",
		},
	} {
		t.Run(name, func(t *testing.T) {
			now := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
			pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "team", Name: "p"}}
			pod.Status.Phase, pod.Spec.NodeName = corev1.PodPending, "node"
			pod.Spec.SecurityContext = c.group
			pod.Spec.Containers = []corev1.Container{{Name: "metrics"}, {Name: "pytorch"}}
			pod.Status.ContainerStatuses = []corev1.ContainerStatus{c.main}
			if c.runs {
				pod.Status.Phase = corev1.PodRunning
			}
			if c.beside != "" {
				runs := corev1.ContainerStatus{Name: "pytorch"}
				runs.State.Running = &corev1.ContainerStateRunning{}
				pod.Status.ContainerStatuses[0].Name = c.beside
				pod.Status.ContainerStatuses = append(pod.Status.ContainerStatuses, runs)
			}
			pod.Status.InitContainerStatuses = []corev1.ContainerStatus{c.init}
			if c.unprepared > 0 {
				pod.Status.Conditions = []corev1.PodCondition{{
					Type: corev1.PodReadyToStartContainers, Status: corev1.ConditionFalse,
					LastTransitionTime: metav1.NewTime(now.Add(-c.unprepared)),
				}}
			}
			if c.scheduler != "" {
				pod.Spec.NodeName = ""
				pod.Status.Conditions = []corev1.PodCondition{{
					Type: corev1.PodScheduled, Status: corev1.ConditionFalse, Reason: "Unschedulable", Message: c.scheduler,
				}}
			}
			var got Hurdle
			s := &Subject{Pods: []Worker{{0, asCached(t, pod)}}, Job: kind.Job{Container: "pytorch"}}
			if all := s.Hurdles(now); len(all) > 0 {
				got = all[0]
			}
			if got.Partly != (c.beside != "" && !c.runs) {
				t.Errorf("a container runs all the same: %t", got.Partly)
			}
			if got.Reason != c.reason || !strings.Contains(got.Says, c.says) || !strings.Contains(got.Do, c.do) ||
				got.Lasts == (c.passes || c.reason == "") {
				t.Errorf("got %s, lasts: %t: %q, %q", got.Reason, got.Lasts, got.Says, got.Do)
			}
			for _, secret := range []string{"hf_abc", "pw1", "abc1", "def2", "eyJ3", "\n"} {
				if strings.Contains(got.Says+got.Do, secret) {
					t.Errorf("it tells %q: %q", secret, got.Says)
				}
			}
			if len(got.Says) > 210 {
				t.Errorf("%d bytes are passed on", len(got.Says))
			}
		})
	}
}

// Takt makes a pod anew in which it cannot install its agent. Nobody does that of one that somebody else has put in.
func TestAnAgentThatIsPutInByHandMayKeepAWorkerFromRunning(t *testing.T) {
	for by, want := range map[string]int{wrapping.Injected: 0, "true": 1} {
		installs := waits("ImagePullBackOff", "denied", 0)
		installs.Name = wrapping.Installer
		pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "p", Annotations: map[string]string{"takt.dev/agent": by}}}
		pod.Spec.NodeName, pod.Status.Phase = "node", corev1.PodPending
		pod.Spec.Containers = []corev1.Container{{Name: "pytorch", Command: []string{wrapping.Program, "exec", "--", "a"}}}
		pod.Status.InitContainerStatuses = []corev1.ContainerStatus{installs}
		s := &Subject{Pods: []Worker{{0, asCached(t, pod)}}, Job: kind.Job{Container: "pytorch"}}
		if got := s.Hurdles(time.Now()); len(got) != want {
			t.Errorf("%q: %+v", by, got)
		}
	}
}

// A node that pulls an image, runs what comes before a training, or gives files to a group is busy with a pod, which is
// not stopped for that.
func TestAPodThatIsPreparedIsNotOneThatCannotRun(t *testing.T) {
	now := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	given := &corev1.PodSecurityContext{FSGroup: new(int64(1000))}
	const can, cannot = corev1.ConditionTrue, corev1.ConditionFalse
	for name, c := range map[string]struct {
		runs  bool
		ready corev1.ConditionStatus // to start its containers; empty if its node has not said
		main  corev1.ContainerStatus
		group *corev1.PodSecurityContext
		want  bool
	}{
		"its image is pulled":        {ready: can, main: waits("ContainerCreating", "", 0), want: true},
		"what comes before runs":     {ready: can, main: waits("PodInitializing", "", 0), want: true},
		"files are given to a group": {ready: cannot, main: waits("ContainerCreating", "", 0), group: given, want: true},
		"its image is nowhere":       {ready: can, main: waits("ImagePullBackOff", "", 0)},
		"its volume is elsewhere":    {ready: cannot, main: waits("ContainerCreating", "", 0)},
		"its node has said nothing":  {},
		"it runs":                    {ready: can, runs: true},
	} {
		pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "team", Name: "p"}}
		pod.Status.Phase, pod.Spec.NodeName, pod.Spec.SecurityContext = corev1.PodPending, "node", c.group
		if c.runs {
			pod.Status.Phase = corev1.PodRunning
		}
		pod.Spec.Containers = []corev1.Container{{Name: "pytorch"}}
		pod.Status.ContainerStatuses = []corev1.ContainerStatus{c.main}
		if c.ready != "" {
			pod.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodReadyToStartContainers, Status: c.ready,
				LastTransitionTime: metav1.NewTime(now.Add(-time.Hour))}}
		}
		pod = asCached(t, pod)
		s := &Subject{Pods: []Worker{{0, pod}}, Job: kind.Job{Container: "pytorch"}}
		if got := s.Prepared(pod, now); got != c.want {
			t.Errorf("%s: prepared is %t", name, got)
		}
	}
}

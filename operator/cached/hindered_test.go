package cached

import (
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/takt-dev/takt/agent/contract"
	"github.com/takt-dev/takt/operator/wrapping"
)

// That the agent cannot be started is seen of a pod as the cache has it.
func TestWhatHindersTheAgentIsKept(t *testing.T) {
	now := time.Now()
	denied := &corev1.ContainerStateTerminated{Reason: "StartError", Message: `exec: "/takt/agent": permission denied`}
	pod := &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Name: "p", Annotations: map[string]string{contract.AgentAnnotation: wrapping.Injected}},
		Spec:       corev1.PodSpec{Containers: []corev1.Container{{Command: []string{"/takt/agent", "exec", "--", "train"}}}},
		Status: corev1.PodStatus{
			StartTime: new(metav1.NewTime(now.Add(-time.Hour))), ContainerStatuses: []corev1.ContainerStatus{{
				Name: "pytorch", RestartCount: 4, LastTerminationState: corev1.ContainerState{Terminated: denied},
			}},
		},
	}
	whole, _ := wrapping.Hindered(pod, time.Minute, now)
	trimmed := trimPod(pod)
	if kept, _ := wrapping.Hindered(trimmed.(*corev1.Pod), time.Minute, now); whole != kept || whole == "" {
		t.Errorf("of the pod: %q; of the pod in the cache: %q", whole, kept)
	}
}

// So is that it could not be installed, whether that is tried again or not, and what it has said itself.
func TestThatTheInstallerHasFailedIsKept(t *testing.T) {
	now := time.Now()
	full := &corev1.ContainerStateTerminated{
		Reason: "Error", ExitCode: 1, Message: "takt-agent: the disk is full at /takt",
	}
	crashes := &corev1.ContainerStateWaiting{Reason: "CrashLoopBackOff", Message: "back-off 10s"}
	for name, c := range map[string]struct {
		phase  corev1.PodPhase
		status corev1.ContainerStatus
		after  time.Duration
	}{
		"it is not tried again": {corev1.PodFailed, corev1.ContainerStatus{
			State: corev1.ContainerState{Terminated: full}}, time.Second},
		"it is tried again": {corev1.PodPending, corev1.ContainerStatus{RestartCount: 1,
			State: corev1.ContainerState{Terminated: full}}, time.Hour},
		"it waits before": {corev1.PodPending, corev1.ContainerStatus{RestartCount: 1,
			State: corev1.ContainerState{Waiting: crashes}, LastTerminationState: corev1.ContainerState{Terminated: full}},
			time.Hour},
	} {
		t.Run(name, func(t *testing.T) {
			c.status.Name = wrapping.Installer
			pod := &corev1.Pod{
				ObjectMeta: metav1.ObjectMeta{Name: "p", Annotations: map[string]string{
					contract.AgentAnnotation: wrapping.Injected}},
				Spec: corev1.PodSpec{Containers: []corev1.Container{{Command: []string{"/takt/agent", "exec", "--", "train"}}}},
				Status: corev1.PodStatus{Phase: c.phase, StartTime: new(metav1.NewTime(now.Add(-c.after))),
					InitContainerStatuses: []corev1.ContainerStatus{c.status}},
			}
			kept := trimPod(trimPod(pod)).(*corev1.Pod)
			why, _ := wrapping.Hindered(kept, time.Hour, now)
			if want := "pod p: Error: takt-agent: the disk is full at /takt"; why != want {
				t.Errorf("of the pod in the cache: %q", why)
			}
		})
	}
}

// Why a container waits is kept of it, and how it has ended, but for what it has written itself.
func TestWhyAContainerWaitsIsKept(t *testing.T) {
	status := corev1.ContainerStatus{Name: "pytorch", RestartCount: 4}
	status.State.Waiting = &corev1.ContainerStateWaiting{Reason: "CrashLoopBackOff", Message: strings.Repeat("x", 1<<12)}
	status.LastTerminationState.Terminated = &corev1.ContainerStateTerminated{
		Reason: "OOMKilled", ExitCode: 137, Message: "HF_TOKEN=hf_abc",
	}
	pod := &corev1.Pod{Status: corev1.PodStatus{
		ContainerStatuses: []corev1.ContainerStatus{status}, InitContainerStatuses: []corev1.ContainerStatus{status},
	}}
	kept := trimPod(pod).(*corev1.Pod)
	for _, all := range [][]corev1.ContainerStatus{kept.Status.ContainerStatuses, kept.Status.InitContainerStatuses} {
		if len(all) != 1 || all[0].State.Waiting == nil || len(all[0].State.Waiting.Message) != waitingBytes {
			t.Fatalf("kept: %+v", all)
		}
		if end := all[0].LastTerminationState.Terminated; end == nil || end.ExitCode != 137 || end.Message != "" {
			t.Errorf("of its end is kept: %+v", end)
		}
	}
	usually := &corev1.Pod{Status: corev1.PodStatus{ContainerStatuses: []corev1.ContainerStatus{{
		State: corev1.ContainerState{Waiting: &corev1.ContainerStateWaiting{Reason: "ContainerCreating"}},
	}}}}
	if kept := trimPod(usually).(*corev1.Pod); len(kept.Status.ContainerStatuses) > 0 {
		t.Errorf("of one that is about to run is kept: %+v", kept.Status.ContainerStatuses)
	}
}

// How a container has crashed that is started again and again is kept as well.
func TestThatAContainerHasCrashedIsKept(t *testing.T) {
	ended := corev1.ContainerStatus{Name: "pytorch", RestartCount: 4}
	ended.State.Terminated = &corev1.ContainerStateTerminated{Reason: "Error", ExitCode: 1, Message: "HF_TOKEN=hf_abc"}
	kept := trimPod(&corev1.Pod{Status: corev1.PodStatus{
		ContainerStatuses: []corev1.ContainerStatus{ended}, InitContainerStatuses: []corev1.ContainerStatus{ended},
	}}).(*corev1.Pod)
	for _, all := range [][]corev1.ContainerStatus{kept.Status.ContainerStatuses, kept.Status.InitContainerStatuses} {
		if len(all) != 1 || all[0].State.Terminated == nil || all[0].State.Terminated.ExitCode != 1 ||
			all[0].State.Terminated.Message != "" {
			t.Errorf("kept: %+v", all)
		}
	}
}

// Since when a container runs is kept where its pod was long on its node before that: from there on it trains.
func TestWhenAContainerBeganThatWasLongPreparedIsKept(t *testing.T) {
	came := metav1.NewTime(time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC))
	for after, want := range map[time.Duration]bool{10 * time.Second: false, 40 * time.Minute: true} {
		began := metav1.NewTime(came.Add(after))
		kept := trimPod(&corev1.Pod{Status: corev1.PodStatus{Phase: corev1.PodRunning, StartTime: &came,
			ContainerStatuses: []corev1.ContainerStatus{{Name: "pytorch",
				State: corev1.ContainerState{Running: &corev1.ContainerStateRunning{StartedAt: began}}}}}}).(*corev1.Pod)
		is := len(kept.Status.ContainerStatuses) == 1 && kept.Status.ContainerStatuses[0].State.Running.StartedAt == began
		if is != want {
			t.Errorf("after %v: %+v", after, kept.Status.ContainerStatuses)
		}
	}
}

// A manifest that is applied as a whole puts back the command of the training, and leaves what else Takt has written in
// the template: the pods that follow train without the agent, and nobody is to wait for it.
func TestAgentThatStartsNothingIsNotThere(t *testing.T) {
	for name, test := range map[string]struct {
		agent      string
		runs, with []string
		want       bool
	}{
		"as Takt has made it":     {wrapping.Injected, []string{"/takt/agent", "exec", "--", "torchrun"}, nil, true},
		"with another's command":  {wrapping.Injected, []string{"torchrun"}, []string{"train.py"}, false},
		"with that of the image":  {wrapping.Injected, nil, nil, false},
		"as somebody has made it": {"true", []string{"sh", "-c", "/takt/agent exec -- torchrun"}, nil, true},
		"as a webhook has it":     {wrapping.Injected, []string{"/vault/env"}, []string{"/takt/agent", "exec", "--"}, true},
	} {
		t.Run(name, func(t *testing.T) {
			trimmed := trimPod(trimPod(&corev1.Pod{ // as client-go does it with what it has listed
				ObjectMeta: metav1.ObjectMeta{Annotations: map[string]string{contract.AgentAnnotation: test.agent}},
				Spec: corev1.PodSpec{Containers: []corev1.Container{
					{Name: "istio"}, {Name: "pytorch", Command: test.runs, Args: test.with},
				}},
			})).(*corev1.Pod)
			if got := wrapping.Within(trimmed); got != test.want {
				t.Errorf("the agent is within: %v, want %v", got, test.want)
			}
			if got := wrapping.Waits(trimmed); got != test.want {
				t.Errorf("it waits to be let in: %v, want %v", got, test.want)
			}
		})
	}
}

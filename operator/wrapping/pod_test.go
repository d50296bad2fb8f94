package wrapping

import (
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func TestWaits(t *testing.T) {
	for name, test := range map[string]struct {
		annotations map[string]string
		epoch       string
		want        bool
	}{
		"no agent":                     {nil, "3", false},
		"not let in":                   {map[string]string{"takt.dev/agent": Injected}, "3", true},
		"let in":                       {map[string]string{"takt.dev/agent": "true", "takt.dev/let-in": "3"}, "3", false},
		"let in before":                {map[string]string{"takt.dev/agent": "true", "takt.dev/let-in": "2"}, "3", true},
		"let in, of no epoch":          {map[string]string{"takt.dev/agent": "true", "takt.dev/let-in": "2"}, "", false},
		"not let in, of no epoch":      {map[string]string{"takt.dev/agent": "true"}, "", true},
		"let in, of a senseless epoch": {map[string]string{"takt.dev/agent": "true", "takt.dev/let-in": "2"}, "x", false},
	} {
		t.Run(name, func(t *testing.T) {
			pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{
				Annotations: test.annotations, Labels: map[string]string{"takt.dev/epoch": test.epoch},
			}}
			if got := Waits(pod); got != test.want {
				t.Errorf("got %t", got)
			}
		})
	}
}

// A template may say that its pods are without the agent, as the job itself does.
func TestWhoSaysNoHasNoAgent(t *testing.T) {
	const spaced = " No "
	for value, want := range map[string]bool{
		Injected: true, "true": true, "1": true, "": false, "false": false, spaced: false, "OFF": false,
	} {
		meta := metav1.ObjectMeta{Annotations: map[string]string{"takt.dev/agent": value}}
		if got := Within(&corev1.Pod{ObjectMeta: meta}); got != want {
			t.Errorf("%q: the agent is in a pod: %t", value, got)
		}
		template := written()
		template.Annotations = meta.Annotations
		there, byTakt := By(template)
		why := Obstacle(template, "pytorch")
		if there != want || byTakt != (value == Injected) || (why != "") != (value != "" && !byTakt) {
			t.Errorf("%q: it is in a template: %t, by Takt: %t, and is kept out as %q", value, there, byTakt, why)
		}
	}
}

func TestWhatHindersTheInstallationIsToldInTime(t *testing.T) {
	began := time.Date(2026, 11, 24, 18, 0, 0, 0, time.UTC)
	pod := func(annotation, container, reason, message string) *corev1.Pod {
		return &corev1.Pod{
			ObjectMeta: metav1.ObjectMeta{Name: "resnet-worker-0", Annotations: map[string]string{"takt.dev/agent": annotation}},
			Status: corev1.PodStatus{StartTime: &metav1.Time{Time: began}, InitContainerStatuses: []corev1.ContainerStatus{
				{Name: container, State: corev1.ContainerState{Waiting: &corev1.ContainerStateWaiting{
					Reason: reason, Message: message,
				}}},
			}},
		}
	}
	// What runc says of a volume from which nothing may be executed, and of a command of the image that is not there.
	training := func(message string) *corev1.Pod {
		p := pod(Injected, Installer, "", "")
		p.Status.InitContainerStatuses[0].State = corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{}}
		p.Status.ContainerStatuses = []corev1.ContainerStatus{{Name: "pytorch",
			State: corev1.ContainerState{Waiting: &corev1.ContainerStateWaiting{Reason: "CrashLoopBackOff",
				Message: "back-off 10s restarting failed container"}},
			LastTerminationState: corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{
				ExitCode: 128, Reason: "StartError", Message: message,
			}}}}
		return p
	}
	crashed := func(before int32, phase corev1.PodPhase, why string, code int32) *corev1.Pod {
		p := pod(Injected, Installer, "", "")
		p.Status.Phase, p.Status.Reason = phase, why
		p.Status.InitContainerStatuses[0].RestartCount = before
		p.Status.InitContainerStatuses[0].State = corev1.ContainerState{
			Terminated: &corev1.ContainerStateTerminated{ExitCode: code, Reason: "Error"}}
		return p
	}
	long := strings.Repeat("denied ", 100)
	for name, test := range map[string]struct {
		pod   *corev1.Pod
		after time.Duration
		want  string // of the sentence
		at    bool
	}{
		"not pulled": {pod(Injected, Installer, "ImagePullBackOff", "denied:\n  no such image"), time.Minute,
			"pod resnet-worker-0: ImagePullBackOff: denied: no such image", false},
		"not pulled yet":     {pod(Injected, Installer, "ErrImagePull", "denied"), time.Second, "", true},
		"asked for too much": {pod(Injected, Installer, "ErrImagePull", "pull QPS exceeded"), time.Minute, "", true},
		"asked for too much for long": {pod(Injected, Installer, "ErrImagePull", "pull QPS exceeded"), 5 * time.Minute,
			"pod resnet-worker-0: ErrImagePull: pull QPS exceeded", false},
		"its registry does not answer": {pod(Injected, Installer, "ImagePullBackOff", `Back-off pulling image "agent:1"`),
			2 * time.Minute, "", true},
		"its node is slow": {pod(Injected, Installer, "CreateContainerError", "context deadline exceeded"), time.Minute, "",
			true},
		"no such image": {pod(Injected, Installer, "ImagePullBackOff",
			`Back-off pulling image "agent:1": ErrImagePull: failed to resolve reference: agent:1: not found`), time.Minute,
			"pod resnet-worker-0: ImagePullBackOff: Back-off pulling", false},
		"a Secret is not there": {pod(Injected, Installer, "CreateContainerConfigError", `secret "s" not there`), time.Minute,
			"CreateContainerConfigError", false},
		"it crashes, and says why": {func() *corev1.Pod {
			p := pod(Injected, Installer, "CrashLoopBackOff", "back-off 40s")
			p.Status.InitContainerStatuses[0].RestartCount = 1
			p.Status.InitContainerStatuses[0].LastTerminationState.Terminated = &corev1.ContainerStateTerminated{
				ExitCode: 1, Reason: "Error", Message: "takt-agent: the disk is full at /takt"}
			return p
		}(), time.Minute, "pod resnet-worker-0: Error: takt-agent: the disk is full at /takt", false},
		"it has failed, and is not tried again": {func() *corev1.Pod {
			p := pod(Injected, Installer, "", "")
			p.Status.Phase = corev1.PodFailed
			p.Status.InitContainerStatuses[0].State = corev1.ContainerState{
				Terminated: &corev1.ContainerStateTerminated{ExitCode: 1, Reason: "Error"}}
			return p
		}(), time.Second, "pod resnet-worker-0: Error: exit code 1", false},
		"it has crashed once": {crashed(0, corev1.PodPending, "", 1), time.Hour, "", false},
		"it crashes":          {crashed(1, corev1.PodPending, "", 1), time.Hour, "Error: exit code 1", false},
		"it was killed as its node was shut down": {crashed(0, corev1.PodFailed, "Terminated", 1), time.Hour, "", false},
		"it was killed":         {crashed(0, corev1.PodFailed, "", 143), time.Hour, "", false},
		"it was killed at once": {crashed(1, corev1.PodFailed, "", 137), time.Hour, "", false},
		"its pod was evicted while its image was pulled": {func() *corev1.Pod {
			p := pod(Injected, Installer, "ErrImagePull", "denied")
			p.Status.Phase, p.Status.Reason = corev1.PodFailed, "Evicted"
			return p
		}(), time.Hour, "", false},
		"its pod has failed while its image was pulled": {func() *corev1.Pod {
			p := pod(Injected, Installer, "ErrImagePull", "denied")
			p.Status.Phase = corev1.PodFailed
			return p
		}(), time.Hour, "", false},
		"its node has started anew": {func() *corev1.Pod {
			p := pod(Injected, Installer, "ErrImagePull", "denied")
			p.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodReadyToStartContainers, Status: corev1.ConditionTrue,
				LastTransitionTime: metav1.NewTime(began.Add(time.Hour))}}
			return p
		}(), time.Hour + 30*time.Second, "", true},
		"not to be executed at first": {func() *corev1.Pod {
			p := training(`exec: "/takt/takt-agent": text file busy`)
			p.Status.ContainerStatuses[0].State = corev1.ContainerState{Running: &corev1.ContainerStateRunning{}}
			return p
		}(), time.Hour, "", false},
		"no message": {
			pod(Injected, Installer, "CrashLoopBackOff", ""), time.Minute, "pod resnet-worker-0: CrashLoopBackOff", false,
		},
		"a long message": {pod(Injected, Installer, "ErrImagePull", long), time.Minute, "denied…", false},
		"not to be executed": {training(`failed to create task: exec: "/takt/takt-agent": permission denied`), time.Minute,
			`pod resnet-worker-0: StartError: failed to create task: exec: "/takt/takt-agent": permission denied`, false},
		"its own command is not there": {training(`exec: "/opt/train": no such file or directory`), time.Hour, "", false},
		"being pulled":                 {pod(Injected, Installer, "PodInitializing", ""), time.Hour, "", false},
		"put in by hand":               {pod("true", Installer, "ErrImagePull", "denied"), time.Hour, "", false},
		"another container":            {pod(Injected, "data", "ErrImagePull", "denied"), time.Hour, "", false},
		"not come to a node": {
			&corev1.Pod{ObjectMeta: metav1.ObjectMeta{Annotations: map[string]string{"takt.dev/agent": Injected}}},
			time.Hour, "", false,
		},
	} {
		t.Run(name, func(t *testing.T) {
			why, at := Hindered(test.pod, 10*time.Minute, began.Add(test.after))
			if (why == "") != (test.want == "") || !strings.Contains(why, test.want) || at.IsZero() == test.at ||
				len(why) > 300 {
				t.Errorf("it says %q, and looks again at %v; want %q", why, at, test.want)
			}
		})
	}
}

func TestWhoGetsTheAgent(t *testing.T) {
	kept, err := Fault{Job: "u-1", Image: image, Said: "it cannot be pulled"}.Encode()
	if err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct {
		settings Default
		says     *bool
		fault    string
		want     string
	}{
		"nobody, without an image": {Default{ByDefault: true}, new(true), "", ""},
		"all":                      {Default{Image: image, ByDefault: true}, nil, "", image},
		"none that does not say":   {Default{Image: image, ByDefault: false}, nil, "", ""},
		"who wants it":             {Default{Image: image, ByDefault: false}, new(true), "", image},
		"who does not want it":     {Default{Image: image, ByDefault: true}, new(false), "", ""},
		"whose could not come":     {Default{Image: image, ByDefault: true}, new(true), kept, ""},
		"whose other could not": {
			Default{Image: "registry/takt-agent:2", ByDefault: true}, nil, kept, "registry/takt-agent:2",
		},
		"who was copied": {
			Default{Image: image, ByDefault: true}, nil, strings.Replace(kept, "u-1", "u-2", 1), image,
		},
		"who carries nonsense": {Default{Image: image, ByDefault: true}, nil, "{", image},
	} {
		t.Run(name, func(t *testing.T) {
			if got := test.settings.For("u-1", test.says, test.fault); got.Image != test.want {
				t.Errorf("got %+v, want %q", got, test.want)
			}
		})
	}
}

// However little time pods have to be ready, some is left for pods without the agent.
func TestTheAgentLeavesTimeForPodsWithoutIt(t *testing.T) {
	for ready, want := range map[time.Duration][2]time.Duration{10 * time.Minute: {time.Minute, 5 * time.Minute},
		30 * time.Second: {15 * time.Second, 15 * time.Second}} {
		if got := [2]time.Duration{installs(ready, false), installs(ready, true)}; got != want {
			t.Errorf("of %s it may take %s, want %s", ready, got, want)
		}
	}
}

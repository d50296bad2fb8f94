package localcluster_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
)

const annotation = "localcluster.takt.dev/"

func TestPodsLiveAsTheirAnnotationsAsk(t *testing.T) {
	c := shared(t)

	cases := map[string]struct {
		annotations  map[string]string
		wantPhases   []corev1.PodPhase
		wantExitCode int32
		wantLife     time.Duration // at least, between its start and its end
	}{
		"done": {map[string]string{"run-for": "1s"}, []corev1.PodPhase{"Pending", "Running", "Succeeded"}, 0, 0},
		"broken": {
			map[string]string{"run-for": "1s", "exit-code": "3"}, []corev1.PodPhase{"Pending", "Running", "Failed"}, 3, 0,
		},
		"slow-start": {
			map[string]string{"pending-for": "2s", "run-for": "0s"}, []corev1.PodPhase{"Pending", "Running", "Succeeded"}, 0, 0,
		},
		"longer": {
			map[string]string{"run-for": "0m3s"}, []corev1.PodPhase{"Pending", "Running", "Succeeded"}, 0, 3 * time.Second,
		},
	}
	for name, test := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			annotations := map[string]string{}
			for key, value := range test.annotations {
				annotations[annotation+key] = value
			}
			events := c.watchPod(t, name)
			c.create(t, pod(name, annotations))
			last, phases := followPhases(t, events)
			if !slices.Equal(phases, test.wantPhases) {
				t.Fatalf("phases %v, want %v", phases, test.wantPhases)
			}
			end := last.Status.ContainerStatuses[0].State.Terminated
			if end == nil || end.ExitCode != test.wantExitCode {
				t.Fatalf("it ended as %+v, want exit code %d", end, test.wantExitCode)
			}
			// Kubernetes keeps whole seconds, so a second may be missing.
			if life := end.FinishedAt.Sub(last.Status.StartTime.Time); life < test.wantLife-time.Second {
				t.Errorf("it lived for %v, want %v", life, test.wantLife)
			}
		})
	}
}

func TestARunningPodEndsWhenItIsAskedTo(t *testing.T) {
	c := shared(t)
	c.create(t, pod("endless", nil))
	c.awaitPhase(t, "endless", corev1.PodRunning)
	if output, err := c.kubectl(t, "", "annotate", "pod", "endless", annotation+"run-for=0s",
		annotation+"exit-code=1"); err != nil {
		t.Fatal(output)
	}
	c.awaitPhase(t, "endless", corev1.PodFailed)
}

// The node lifecycle controller says that the pods of a node are not ready once nothing was heard of the
// node for a while; it is the kubelet that says that they are again.
func TestARunningPodIsReadyAgainWhenItsNodeIsHeardAgain(t *testing.T) {
	c := shared(t)
	c.create(t, pod("cut-off", nil))
	c.awaitPhase(t, "cut-off", corev1.PodRunning)
	patch := []byte(`{"status":{"conditions":[{"type":"Ready","status":"False","reason":"NodeNotReady"}]}}`)
	pods := c.client.CoreV1().Pods(c.namespace)
	if _, err := pods.Patch(t.Context(), "cut-off", types.StrategicMergePatchType, patch, metav1.PatchOptions{},
		"status"); err != nil {
		t.Fatal(err)
	}
	eventually(t, "pod cut-off", func(ctx context.Context) error {
		cutOff, err := pods.Get(ctx, "cut-off", metav1.GetOptions{})
		if err != nil {
			return err
		}
		for _, c := range cutOff.Status.Conditions {
			if c.Type == corev1.PodReady && c.Status == corev1.ConditionTrue {
				return nil
			}
		}
		return fmt.Errorf("its conditions are %v", cutOff.Status.Conditions)
	})
}

func TestDeletedPodsHonourTheirGracePeriod(t *testing.T) {
	c := shared(t)
	cases := map[string]struct {
		annotations  map[string]string
		grace        int64
		wantStay     time.Duration // at least
		wantExitCode int32
		wantPhase    corev1.PodPhase
	}{
		"stubborn": {nil, 3, 3 * time.Second, 137, "Failed"},
		"obliging": {map[string]string{annotation + "stop-after": "1s"}, 1000, 0, 143, "Failed"},
		"clean": {
			map[string]string{annotation + "stop-after": "1s", annotation + "stop-exit-code": "0"}, 1000, 0, 0, "Succeeded",
		},
		"over-patient": {map[string]string{annotation + "stop-after": "1000s"}, 2, 2 * time.Second, 143, "Failed"},
	}
	for name, test := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c.create(t, pod(name, test.annotations))
			c.awaitPhase(t, name, corev1.PodRunning)
			events := c.watchPod(t, name)
			asked := time.Now()
			if err := c.client.CoreV1().Pods(c.namespace).Delete(t.Context(), name,
				metav1.DeleteOptions{GracePeriodSeconds: &test.grace}); err != nil {
				t.Fatal(err)
			}
			last := followDeletion(t, events)
			// Kubernetes keeps whole seconds, so a second may be missing.
			if stay := time.Since(asked); stay < test.wantStay-time.Second {
				t.Errorf("it was gone after %v, want %v", stay, test.wantStay)
			}
			end := last.Status.ContainerStatuses[0].State.Terminated
			if last.Status.Phase != test.wantPhase || end == nil || end.ExitCode != test.wantExitCode {
				t.Errorf("it ended %s as %+v, want %s with exit code %d", last.Status.Phase, end, test.wantPhase, test.wantExitCode)
			}
		})
	}
}

func TestAnnotationsThatMeanNothingAreRefused(t *testing.T) {
	c := shared(t)
	c.create(t, pod("first", nil)) // waits until pods can be made at all
	cases := map[string]struct{ key, value, want string }{
		"no unit":             {"run-for", "30", "take a duration, such as 30s or 1h30m"},
		"no duration":         {"pending-for", "soon", "take a duration, such as 30s or 1h30m"},
		"negative":            {"stop-after", "-1s", "take a duration, such as 30s or 1h30m"},
		"no exit code":        {"exit-code", "256", "take an exit code, from \"0\" to \"255\""},
		"no exit code either": {"stop-exit-code", "SIGTERM", "take an exit code"},
	}
	for name, test := range cases {
		t.Run(name, func(t *testing.T) {
			_, err := c.client.CoreV1().Pods(c.namespace).Create(t.Context(),
				pod("refused", map[string]string{annotation + test.key: test.value}), metav1.CreateOptions{})
			if !apierrors.IsInvalid(err) || !strings.Contains(err.Error(), test.want) {
				t.Errorf("the API server answers %v, want %q", err, test.want)
			}
		})
	}
}

func TestNodesAreLikeRealGPUNodes(t *testing.T) {
	c := shared(t)
	nodes, err := c.client.CoreV1().Nodes().List(t.Context(), metav1.ListOptions{})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, node := range nodes.Items {
		gpus := node.Status.Allocatable["nvidia.com/gpu"]
		got = append(got, fmt.Sprintf("%s %s %s %s %s", node.Name, node.Labels["topology.kubernetes.io/zone"],
			node.Labels["topology.kubernetes.io/rack"], node.Labels["nvidia.com/gpu.product"], gpus.String()))
		if node.Status.NodeInfo.KubeletVersion != "v1.37.1" {
			t.Errorf("%s runs kubelet %s", node.Name, node.Status.NodeInfo.KubeletVersion)
		}
	}
	want := []string{
		"node-0 zone-0 rack-0 Tesla-T4 4", "node-1 zone-0 rack-0 Tesla-T4 4",
		"node-2 zone-0 rack-1 Tesla-T4 4", "node-3 zone-0 rack-1 Tesla-T4 4",
		"node-4 zone-1 rack-2 Tesla-T4 4", "node-5 zone-1 rack-2 Tesla-T4 4",
	}
	if !slices.Equal(got, want) {
		t.Errorf("nodes are\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}

	// A node takes no more GPUs than it has.
	whole := pod("whole", nil)
	whole.Spec.Containers[0].Resources.Limits = corev1.ResourceList{"nvidia.com/gpu": resource.MustParse("4")}
	tooMuch := pod("too-much", nil)
	tooMuch.Spec.Containers[0].Resources.Limits = corev1.ResourceList{"nvidia.com/gpu": resource.MustParse("5")}
	c.create(t, whole)
	c.create(t, tooMuch)
	c.awaitPhase(t, "whole", corev1.PodRunning)
	events := c.watchPod(t, "too-much")
	for event := range events {
		for _, condition := range event.Object.(*corev1.Pod).Status.Conditions {
			if condition.Reason == corev1.PodReasonUnschedulable && strings.Contains(condition.Message,
				"Insufficient nvidia.com/gpu") {
				return
			}
		}
	}
	t.Error("the scheduler never said that no node has five GPUs")
}

// watchPod watches one pod, from now or from what is there, for a bounded time.
func (c *testCluster) watchPod(t *testing.T, name string) <-chan watch.Event {
	t.Helper()
	seconds := int64(patience.Seconds())
	watcher, err := c.client.CoreV1().Pods(c.namespace).Watch(t.Context(), metav1.ListOptions{
		FieldSelector: "metadata.name=" + name, TimeoutSeconds: &seconds,
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(watcher.Stop)
	return watcher.ResultChan()
}

// followPhases reads the phases that a pod goes through until it has ended.
func followPhases(t *testing.T, events <-chan watch.Event) (last *corev1.Pod, phases []corev1.PodPhase) {
	t.Helper()
	for event := range events {
		last = event.Object.(*corev1.Pod)
		phases = append(phases, last.Status.Phase)
		if last.Status.Phase == corev1.PodSucceeded || last.Status.Phase == corev1.PodFailed {
			return last, slices.Compact(phases)
		}
	}
	t.Fatalf("the pod did not end within %v; it was %v", patience, phases)
	return nil, nil
}

// followDeletion reads on until the pod is gone, and gives it as it was last.
func followDeletion(t *testing.T, events <-chan watch.Event) *corev1.Pod {
	t.Helper()
	for event := range events {
		if event.Type == watch.Deleted {
			return event.Object.(*corev1.Pod)
		}
	}
	t.Fatalf("the pod was not gone within %v", patience)
	return nil
}

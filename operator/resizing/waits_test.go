package resizing_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/operator/fixture"
)

// What keeps a worker from running is seen with it.
func TestWhatAWorkerWaitsForIsSeen(t *testing.T) {
	job, ej := fixture.PyTorchJob("resnet", 1), fixture.ElasticJob("resnet")
	pod := fixture.Worker0(job, "node")
	c := corev1.ContainerStatus{Name: "pytorch"}
	c.State.Waiting = &corev1.ContainerStateWaiting{Reason: "ImagePullBackOff", Message: "Back-off pulling image"}
	pod.Status.Phase, pod.Status.ContainerStatuses = corev1.PodPending, []corev1.ContainerStatus{c}
	r := fixture.ResizeOf(ej, 1, 0, 1, v1alpha1.ConditionProposed)
	o := fixture.Stopped(t, interceptor.Funcs{}, job, ej, pod, r, fixture.Node("node", "8"))
	s, err := o.View.Look(t.Context(), ej)
	if err != nil {
		t.Fatal(err)
	}
	if got := o.Resizer.Observed(t.Context(), s, r).Pods[0].Waits; got != "ImagePullBackOff: Back-off pulling image" {
		t.Errorf("it waits with %q", got)
	}
}

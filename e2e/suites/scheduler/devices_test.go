package scheduler

import (
	"context"
	"testing"

	corev1 "k8s.io/api/core/v1"
	resourcev1 "k8s.io/api/resource/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/takt-dev/takt/e2e/lib/world"
)

// How many claims to devices a node can satisfy is seen in none of its resources, and a pod that is tried in
// thought takes nothing from the next: the scheduler learns it from what it was refused.
func TestSchedulerPlacesPodsThatClaimDevices(t *testing.T) {
	t.Parallel()
	w := world.New(t, world.Options{})
	class := &resourcev1.DeviceClass{ObjectMeta: metav1.ObjectMeta{Name: w.Namespace}}
	mine := `device.driver == "` + w.Namespace + `.example.com"`
	class.Spec.Selectors = []resourcev1.DeviceSelector{{CEL: &resourcev1.CELDeviceSelector{Expression: mine}}}
	objects := []client.Object{class}
	nodes := w.Nodes(2, 8)
	for _, node := range nodes {
		objects = append(objects, &resourcev1.ResourceSlice{
			ObjectMeta: metav1.ObjectMeta{Name: node},
			Spec: resourcev1.ResourceSliceSpec{
				Driver: w.Namespace + ".example.com", NodeName: &node,
				Pool:    resourcev1.ResourcePool{Name: node, ResourceSliceCount: 1},
				Devices: []resourcev1.Device{{Name: "left"}, {Name: "right"}},
			},
		})
	}
	template := &resourcev1.ResourceClaimTemplate{ObjectMeta: metav1.ObjectMeta{Namespace: w.Namespace, Name: "one"}}
	template.Spec.Spec.Devices.Requests = []resourcev1.DeviceRequest{
		{Name: "device", Exactly: &resourcev1.ExactDeviceRequest{DeviceClassName: w.Namespace}},
	}
	for _, object := range append(objects, template) {
		if err := w.Client.Create(t.Context(), object); err != nil {
			t.Fatal(err)
		}
	}
	t.Cleanup(func() {
		for _, object := range objects {
			if err := w.Client.Delete(context.Background(), object); err != nil {
				t.Error(err)
			}
		}
	})
	scheduled(t, w)
	c := gang(t, w, change{job: "resnet", to: 4, pod: []func(*corev1.Pod){func(pod *corev1.Pod) {
		pod.Spec.ResourceClaims = []corev1.PodResourceClaim{{Name: "device", ResourceClaimTemplateName: &template.Name}}
		pod.Spec.Containers[0].Resources.Claims = []corev1.ResourceClaim{{Name: "device"}}
	}}})
	placed(w, c)
	on := map[string]int{}
	for _, name := range c.pods() {
		on[w.Pod(name).Spec.NodeName]++
	}
	for _, node := range nodes {
		if on[node] != 2 {
			t.Errorf("%d pods are on %s, which has two devices", on[node], node)
		}
	}
}

package world

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/takt-dev/takt/e2e/lib/invariant"
)

// Nodes adds nodes with so many GPUs each, waits until they take pods, and returns their names.
func (w *World) Nodes(count, gpusEach int, change ...func(*corev1.Node)) []string {
	w.t.Helper()
	var names []string
	for range count {
		node := w.node(gpusEach)
		for _, c := range change {
			c(node)
		}
		w.must(w.Client.Create(w.t.Context(), node))
		names = append(names, node.Name)
	}
	for _, name := range names {
		w.Eventually("node "+name+" takes pods", Soon, func() error { return w.takesPods(name) })
	}
	return names
}

// Capacity is how many GPUs the world's nodes have.
func (w *World) Capacity() (gpus int64) {
	w.t.Helper()
	nodes := &corev1.NodeList{}
	w.must(w.Client.List(w.t.Context(), nodes, client.MatchingLabels{mine: w.Namespace}))
	for _, node := range nodes.Items {
		quantity := node.Status.Allocatable[invariant.GPU]
		gpus += quantity.Value()
	}
	return gpus
}

// Rack is a change of a node: the rack that it stands in.
func Rack(name string) func(*corev1.Node) {
	return func(node *corev1.Node) { node.Labels["topology.kubernetes.io/rack"] = name }
}

// node is the next node. KWOK plays those with its annotation.
func (w *World) node(gpus int) *corev1.Node {
	name := fmt.Sprintf("%s-%d", w.Namespace, w.made)
	w.made++
	resources := corev1.ResourceList{
		corev1.ResourceCPU:    resource.MustParse("128"),
		corev1.ResourceMemory: resource.MustParse("1Ti"),
		corev1.ResourcePods:   resource.MustParse("110"),
		invariant.GPU:         *resource.NewQuantity(int64(gpus), resource.DecimalSI),
	}
	w.History.hasNode(name, int64(gpus))
	return &corev1.Node{
		ObjectMeta: metav1.ObjectMeta{
			Name:        name,
			Annotations: map[string]string{"kwok.x-k8s.io/node": "fake"},
			Labels: map[string]string{
				mine:                          w.Namespace,
				corev1.LabelHostname:          name,
				corev1.LabelOSStable:          "linux",
				corev1.LabelArchStable:        "amd64",
				corev1.LabelTopologyRegion:    "local",
				corev1.LabelTopologyZone:      "zone-0",
				"topology.kubernetes.io/rack": "rack-0",
				"nvidia.com/gpu.present":      "true",
				"nvidia.com/gpu.count":        fmt.Sprint(gpus),
				"nvidia.com/gpu.product":      w.Namespace + "-GPU",
			},
		},
		Spec: corev1.NodeSpec{
			Taints: []corev1.Taint{{Key: mine, Value: w.Namespace, Effect: corev1.TaintEffectNoSchedule}},
		},
		Status: corev1.NodeStatus{
			Capacity: resources, Allocatable: resources,
			Addresses:       []corev1.NodeAddress{{Type: corev1.NodeInternalIP, Address: "127.0.0.1"}}, // of the kubelet
			DaemonEndpoints: corev1.NodeDaemonEndpoints{KubeletEndpoint: corev1.DaemonEndpoint{Port: w.kubelet.port}},
		},
	}
}

// takesPods says what keeps a node from taking pods.
func (w *World) takesPods(name string) error {
	node := w.getNode(name)
	for _, taint := range node.Spec.Taints {
		if taint.Key != mine {
			return fmt.Errorf("it has the taint %s", taint.Key)
		}
	}
	if readiness(node) != corev1.ConditionTrue {
		return fmt.Errorf("it is not ready")
	}
	return nil
}

// readiness is what a node's condition Ready says; nothing if it has none.
func readiness(node *corev1.Node) corev1.ConditionStatus {
	for _, c := range node.Status.Conditions {
		if c.Type == corev1.NodeReady {
			return c.Status
		}
	}
	return ""
}

// getNode reads a node.
func (w *World) getNode(name string) *corev1.Node {
	w.t.Helper()
	node := &corev1.Node{}
	w.must(w.Client.Get(w.t.Context(), client.ObjectKey{Name: name}, node))
	return node
}

// Cordon keeps further pods off a node; those that are there stay.
func (w *World) Cordon(node string) { w.t.Helper(); w.setUnschedulable(node, true) }

// Uncordon takes that back.
func (w *World) Uncordon(node string) { w.t.Helper(); w.setUnschedulable(node, false) }

// GiveNotice says of a node that its cloud is about to take it back.
func (w *World) GiveNotice(name string) {
	w.t.Helper()
	node := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: name}}
	patch := []byte(`{"spec":{"taints":[{"key":"cloud.google.com/impending-node-termination","effect":"NoSchedule"}]}}`)
	w.must(w.Client.Patch(w.t.Context(), node, client.RawPatch(mergePatch, patch)))
}

func (w *World) setUnschedulable(name string, to bool) {
	w.t.Helper()
	node := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: name}}
	patch := fmt.Appendf(nil, `{"spec":{"unschedulable":%t}}`, to)
	w.must(w.Client.Patch(w.t.Context(), node, client.RawPatch(mergePatch, patch)))
}

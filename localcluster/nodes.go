package localcluster

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/util/retry"
)

const (
	// simulatedNode is the annotation by which KWOK knows the nodes that it plays.
	simulatedNode = "kwok.x-k8s.io/node"
	// leftAlone is on pods that KWOK does nothing with: whoever writes it plays their kubelet.
	leftAlone = "kwok.x-k8s.io/status=custom"
	// ownNode marks the nodes that the cluster was asked for, as against those of a test.
	ownNode = "localcluster.takt.dev/node"

	// realLabel marks those of them that have a kubelet.
	realLabel = "localcluster.takt.dev/real"

	gpuResource = "nvidia.com/gpu"
)

// node is the i-th node, labelled as a real GPU node is by the kubelet, by NVIDIA's feature
// discovery, and by whoever racked it.
func (o Options) node(i int, kubeletVersion string) *corev1.Node {
	name := fmt.Sprintf("node-%d", i)
	resources := corev1.ResourceList{
		corev1.ResourceCPU:              resource.MustParse("128"),
		corev1.ResourceMemory:           resource.MustParse("1Ti"),
		corev1.ResourceEphemeralStorage: resource.MustParse("1Ti"),
		corev1.ResourcePods:             resource.MustParse("110"),
	}
	labels := o.nodeLabels(name, i, o.Nodes)
	if o.GPUsPerNode > 0 {
		resources[gpuResource] = resource.MustParse(strconv.Itoa(o.GPUsPerNode))
	}
	labels[corev1.LabelOSStable] = "linux"
	labels[corev1.LabelArchStable] = "amd64"
	return &corev1.Node{
		ObjectMeta: metav1.ObjectMeta{
			Name:        name,
			Labels:      labels,
			Annotations: map[string]string{simulatedNode: "fake"},
		},
		Status: corev1.NodeStatus{
			Capacity:    resources,
			Allocatable: resources,
			Addresses: []corev1.NodeAddress{
				{Type: corev1.NodeHostName, Address: name},
				{Type: corev1.NodeInternalIP, Address: fmt.Sprintf("10.0.%d.%d", i/250, 1+i%250)},
			},
			NodeInfo: corev1.NodeSystemInfo{
				KubeletVersion: kubeletVersion, OperatingSystem: "linux", Architecture: "amd64",
				ContainerRuntimeVersion: "simulated", KernelVersion: "simulated", OSImage: "simulated",
			},
		},
	}
}

// nodeLabels are those of the i-th of so many nodes that no kubelet knows by itself.
func (o Options) nodeLabels(name string, i, of int) map[string]string {
	rack := i * o.Racks / of
	labels := map[string]string{
		ownNode:                       "",
		corev1.LabelHostname:          name,
		corev1.LabelTopologyRegion:    "local",
		corev1.LabelTopologyZone:      fmt.Sprintf("zone-%d", rack*o.Zones/o.Racks),
		"topology.kubernetes.io/rack": fmt.Sprintf("rack-%d", rack),
	}
	if o.GPUsPerNode > 0 {
		labels["nvidia.com/gpu.present"] = "true"
		labels["nvidia.com/gpu.count"] = strconv.Itoa(o.GPUsPerNode)
		labels["nvidia.com/gpu.product"] = o.GPUProduct
	}
	return labels
}

// realNode is the i-th real node as it is before its kubelet has found it. What it has, only the kubelet says.
func (o Options) realNode(i int) *corev1.Node {
	labels := o.nodeLabels(realNodeName(i), i, o.Kubelets)
	labels[realLabel] = "true"
	return &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: realNodeName(i), Labels: labels}}
}

// allNodes are the nodes that the options ask for.
func (o Options) allNodes(kubeletVersion string) []*corev1.Node {
	var all []*corev1.Node
	for i := range o.Nodes {
		all = append(all, o.node(i, kubeletVersion))
	}
	for i := range o.Kubelets {
		all = append(all, o.realNode(i))
	}
	return all
}

// syncNodes makes the nodes of the cluster those that the options ask for: it adds what is
// missing, changes what differs, and removes what is too many.
func syncNodes(ctx context.Context, client kubernetes.Interface, o Options) error {
	server, err := client.Discovery().ServerVersion()
	if err != nil {
		return err
	}
	nodes := client.CoreV1().Nodes()
	wanted := map[string]bool{}
	group, groupCtx := errgroup.WithContext(ctx)
	group.SetLimit(16)
	for _, node := range o.allNodes(server.GitVersion) {
		wanted[node.Name] = true
		group.Go(func() error {
			_, err := nodes.Create(groupCtx, node, metav1.CreateOptions{})
			if apierrors.IsAlreadyExists(err) {
				err = updateNode(groupCtx, client, node)
			}
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return fmt.Errorf("cannot make the nodes: %w", err)
	}
	existing, err := nodes.List(ctx, metav1.ListOptions{LabelSelector: ownNode})
	if err != nil {
		return err
	}
	for _, node := range existing.Items {
		if wanted[node.Name] {
			continue
		}
		if err := nodes.Delete(ctx, node.Name, metav1.DeleteOptions{}); err != nil && !apierrors.IsNotFound(err) {
			return err
		}
	}
	return nil
}

// updateNode gives an existing node the labels and the resources that are wanted now. Labels that
// others have put on it stay.
func updateNode(ctx context.Context, client kubernetes.Interface, wanted *corev1.Node) error {
	nodes := client.CoreV1().Nodes()
	return retry.RetryOnConflict(retry.DefaultBackoff, func() error {
		node, err := nodes.Get(ctx, wanted.Name, metav1.GetOptions{})
		if err != nil {
			return err
		}
		maps.DeleteFunc(node.Labels, func(key, _ string) bool { return strings.HasPrefix(key, gpuResource) })
		maps.Copy(node.Labels, wanted.Labels)
		if node, err = nodes.Update(ctx, node, metav1.UpdateOptions{}); err != nil || isReal(node) {
			return err
		}
		node.Status.Capacity, node.Status.Allocatable = wanted.Status.Capacity, wanted.Status.Allocatable
		_, err = nodes.UpdateStatus(ctx, node, metav1.UpdateOptions{})
		return err
	})
}

func isReal(node *corev1.Node) bool { return node.Labels[realLabel] != "" }

// checkNodes says what keeps the nodes from taking pods. What a real node has said of itself before a moment counts
// for nothing: it has started anew since.
func checkNodes(ctx context.Context, client kubernetes.Interface, o Options, since time.Time) error {
	ready, err := readyNodes(ctx, client, o, since)
	if err != nil {
		return err
	}
	if want := o.Nodes + o.Kubelets; ready < want {
		return fmt.Errorf("nodes that are ready: %d of %d", ready, want)
	}
	return nil
}

// readyNodes counts the nodes that are ready, and known as ready to the scheduler.
func readyNodes(ctx context.Context, client kubernetes.Interface, o Options, since time.Time) (int, error) {
	list, err := client.CoreV1().Nodes().List(ctx, metav1.ListOptions{LabelSelector: ownNode, ResourceVersion: "0"})
	if err != nil {
		return 0, fmt.Errorf("the API server does not list nodes: %w", err)
	}
	ready := 0
	for _, node := range list.Items {
		heldBack := func(taint corev1.Taint) bool {
			return taint.Key == corev1.TaintNodeNotReady || taint.Key == corev1.TaintNodeUnreachable
		}
		if slices.ContainsFunc(node.Spec.Taints, heldBack) {
			continue
		}
		for _, condition := range node.Status.Conditions {
			if condition.Type != corev1.NodeReady || condition.Status != corev1.ConditionTrue {
				continue
			}
			gpus := node.Status.Allocatable[gpuResource]
			if isReal(&node) && (condition.LastHeartbeatTime.Unix() < since.Unix() || gpus.Value() < int64(o.GPUsPerNode)) {
				continue
			}
			ready++
		}
	}
	return ready, nil
}

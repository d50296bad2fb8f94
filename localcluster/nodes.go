package localcluster

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

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

	gpuResource = "nvidia.com/gpu"
)

// node is the i-th node, labelled as a real GPU node is by the kubelet, by NVIDIA's feature
// discovery, and by whoever racked it.
func (o Options) node(i int, kubeletVersion string) *corev1.Node {
	name := fmt.Sprintf("node-%d", i)
	rack := i * o.Racks / o.Nodes
	zone := rack * o.Zones / o.Racks
	gpus := strconv.Itoa(o.GPUsPerNode)
	resources := corev1.ResourceList{
		corev1.ResourceCPU:              resource.MustParse("128"),
		corev1.ResourceMemory:           resource.MustParse("1Ti"),
		corev1.ResourceEphemeralStorage: resource.MustParse("1Ti"),
		corev1.ResourcePods:             resource.MustParse("110"),
	}
	labels := map[string]string{
		ownNode:                       "",
		corev1.LabelHostname:          name,
		corev1.LabelOSStable:          "linux",
		corev1.LabelArchStable:        "amd64",
		corev1.LabelTopologyRegion:    "local",
		corev1.LabelTopologyZone:      fmt.Sprintf("zone-%d", zone),
		"topology.kubernetes.io/rack": fmt.Sprintf("rack-%d", rack),
	}
	if o.GPUsPerNode > 0 {
		resources[gpuResource] = resource.MustParse(gpus)
		labels["nvidia.com/gpu.present"] = "true"
		labels["nvidia.com/gpu.count"] = gpus
		labels["nvidia.com/gpu.product"] = o.GPUProduct
	}
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
	for i := range o.Nodes {
		node := o.node(i, server.GitVersion)
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
		if node, err = nodes.Update(ctx, node, metav1.UpdateOptions{}); err != nil {
			return err
		}
		node.Status.Capacity, node.Status.Allocatable = wanted.Status.Capacity, wanted.Status.Allocatable
		_, err = nodes.UpdateStatus(ctx, node, metav1.UpdateOptions{})
		return err
	})
}

// checkNodes says what keeps the nodes from taking pods.
func checkNodes(ctx context.Context, client kubernetes.Interface, want int) error {
	ready, err := readyNodes(ctx, client)
	if err != nil {
		return err
	}
	if ready < want {
		return fmt.Errorf("nodes that are ready: %d of %d", ready, want)
	}
	return nil
}

// readyNodes counts the nodes that are ready, and known as ready to the scheduler.
func readyNodes(ctx context.Context, client kubernetes.Interface) (int, error) {
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
			if condition.Type == corev1.NodeReady && condition.Status == corev1.ConditionTrue {
				ready++
			}
		}
	}
	return ready, nil
}

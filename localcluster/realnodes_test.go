package localcluster_test

import (
	"context"
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func TestRealNodesJoin(t *testing.T) {
	c := onRealNodes(t)
	nodes, err := c.client.CoreV1().Nodes().List(t.Context(), metav1.ListOptions{
		LabelSelector: "localcluster.takt.dev/real",
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(nodes.Items) != 2 {
		t.Errorf("%d real nodes, want 2", len(nodes.Items))
	}
	for _, node := range nodes.Items {
		info, gpus := node.Status.NodeInfo, node.Status.Allocatable["nvidia.com/gpu"]
		if !strings.HasPrefix(info.ContainerRuntimeVersion, "containerd://") ||
			!strings.HasPrefix(info.KubeletVersion, "v1.") || gpus.Value() != 4 {
			t.Errorf("%s has %d GPUs, and is %+v", node.Name, gpus.Value(), info)
		}
		if node.Labels["topology.kubernetes.io/rack"] == "" || node.Labels["nvidia.com/gpu.product"] == "" {
			t.Errorf("%s lacks labels that simulated nodes have: %v", node.Name, node.Labels)
		}
	}
	c.awaitHealth(t)
}

func TestRealPodsHaveLogsAndTakeCommands(t *testing.T) {
	c := onRealNodes(t)
	c.create(t, probe("talker", "", 0))
	c.awaitReady(t, "talker")
	if output, err := c.kubectl(t, "", "logs", "talker"); err != nil || output != "I am talker.\n" {
		t.Errorf("the logs are %q: %v", output, err)
	}
	c.awaitAnswer(t, "127.0.0.1", "talker", "lookup", "127.0.0.1")
	// The exit code of a command comes through, too.
	if output, err := c.in(t, "talker", "lookup", "no-such-name.invalid"); err == nil ||
		!strings.Contains(output, "exit code 1") {
		t.Errorf("a command that fails is answered with: %v\n%s", err, output)
	}
}

func TestRealPodsReachEachOther(t *testing.T) {
	c := onRealNodes(t)
	const first, second = "first", "second"
	c.create(t, probe(first, "real-0", 0))
	c.create(t, probe(second, "real-1", 0))
	here, there := c.awaitReady(t, first), c.awaitReady(t, second)
	for from, to := range map[*corev1.Pod]*corev1.Pod{here: there, there: here} {
		c.awaitAnswer(t, to.Name, from.Name, "get", "http://"+to.Status.PodIP+":8080/")
	}
	subnet := func(p *corev1.Pod) netip.Prefix {
		prefix, err := netip.MustParseAddr(p.Status.PodIP).Prefix(24)
		if err != nil {
			t.Fatal(err)
		}
		return prefix
	}
	if subnet(here) == subnet(there) {
		t.Errorf("both nodes give addresses of %v to their pods", subnet(here))
	}
}

func TestRealPodsFindServicesByName(t *testing.T) {
	c := onRealNodes(t)
	var addresses []string
	for i := range 2 {
		c.create(t, probe(fmt.Sprintf("server-%d", i), fmt.Sprintf("real-%d", i), 0))
	}
	for i := range 2 {
		addresses = append(addresses, c.awaitReady(t, fmt.Sprintf("server-%d", i)).Status.PodIP)
	}
	slices.Sort(addresses)
	manifest := `
apiVersion: v1
kind: Service
metadata: {name: headless}
spec: {clusterIP: None, selector: {app: probe}, ports: [{port: 8080}]}
---
apiVersion: v1
kind: Service
metadata: {name: one}
spec: {selector: {who: one}, ports: [{port: 80, targetPort: 8080}]}
`
	if output, err := c.kubectl(t, manifest, "apply", "-f", "-"); err != nil {
		t.Fatal(output)
	}
	if output, err := c.kubectl(t, "", "label", "pod", "server-0", "who=one"); err != nil {
		t.Fatal(output)
	}
	for _, from := range []string{"server-0", "server-1"} {
		c.awaitAnswer(t, strings.Join(addresses, " "), from, "lookup", "headless")
		c.awaitAnswer(t, strings.Join(addresses, " "), from, "lookup", "headless."+c.namespace+".svc.cluster.local")
		// From the node of the server and from the other, and from the server itself.
		c.awaitAnswer(t, "server-0", from, "get", "http://one/")
	}
	// A neighbour on the same bridge.
	c.create(t, probe("neighbour", "real-0", 0))
	c.awaitReady(t, "neighbour")
	c.awaitAnswer(t, "server-0", "neighbour", "get", "http://one/")
	// Pods reach the API server as pods do: the certificate is right for its name, but no one has told the program whom to
	// trust.
	eventually(t, "the API server", func(context.Context) error {
		if output, err := c.in(t, "server-0", "get", "https://kubernetes.default/"); !strings.Contains(output,
			"unknown authority") {
			return fmt.Errorf("the answer is %q: %w", output, err)
		}
		return nil
	})
}

func TestRealPodsHaveTheirOwnGPUs(t *testing.T) {
	c := onRealNodes(t)
	c.create(t, probe("three", "real-0", 3))
	c.create(t, probe("one", "real-0", 1))
	c.create(t, probe("more", "real-0", 1))
	var devices []string
	for _, name := range []string{"three", "one"} {
		c.awaitReady(t, name)
		has, err := c.in(t, name, "env", "NVIDIA_VISIBLE_DEVICES")
		if err != nil {
			t.Fatal(err)
		}
		devices = append(devices, strings.Split(has, ",")...)
	}
	slices.Sort(devices)
	if want := []string{"gpu-0", "gpu-1", "gpu-2", "gpu-3"}; !slices.Equal(devices, want) {
		t.Errorf("the pods have %v, want each of %v once", devices, want)
	}
	eventually(t, "a pod for which no GPU is left", func(ctx context.Context) error {
		p, err := c.client.CoreV1().Pods(c.namespace).Get(ctx, "more", metav1.GetOptions{})
		if err != nil {
			return err
		}
		for _, condition := range p.Status.Conditions {
			if condition.Type == corev1.PodScheduled && strings.Contains(condition.Message, "Insufficient nvidia.com/gpu") {
				return nil
			}
		}
		return fmt.Errorf("is not told to wait for GPUs: %+v", p.Status)
	})
}

// KWOK must leave real nodes alone, also when it starts anew, and its own nodes must work beside them.
func TestRealNodesLiveBesideSimulatedOnes(t *testing.T) {
	c := onRealNodes(t)
	simulated := pod("simulated", nil)
	simulated.Spec.NodeSelector = map[string]string{corev1.LabelHostname: "node-0"}
	c.create(t, simulated)
	c.awaitPhase(t, "simulated", corev1.PodRunning)
	c.create(t, probe("real", "real-0", 0))
	before := c.awaitReady(t, "real")
	lease := func() string {
		lease, err := c.client.CoordinationV1().Leases("kube-node-lease").Get(t.Context(), "real-0", metav1.GetOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if holder := lease.Spec.HolderIdentity; holder == nil || *holder != "real-0" {
			t.Errorf("the lease of the real node is held by %v", holder)
		}
		return string(lease.UID)
	}
	held := lease()
	c.mustRun(t, "restart", "kwok")
	c.awaitHealth(t)
	if lease() != held {
		t.Error("the lease of the real node was made anew when KWOK started")
	}
	again := pod("again", nil)
	again.Spec.NodeSelector = simulated.Spec.NodeSelector
	c.create(t, again)
	c.awaitPhase(t, "again", corev1.PodRunning)
	node, err := c.client.CoreV1().Nodes().Get(t.Context(), "real-0", metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for _, condition := range node.Status.Conditions {
		if strings.Contains(condition.Message, "KWOK") {
			t.Errorf("KWOK writes the status of the real node: %+v", condition)
		}
	}
	if after := c.awaitReady(t,
		"real"); after.Status.ContainerStatuses[0].ContainerID != before.Status.ContainerStatuses[0].ContainerID {
		t.Error("the pod on the real node was started anew")
	}
}

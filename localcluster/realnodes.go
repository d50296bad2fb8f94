package localcluster

import (
	"fmt"
	"net"
	"slices"
	"strconv"
	"strings"
)

// maxKubelets is how many real nodes a cluster can have. Each has the cores and the memory of the whole system, which
// they share.
const maxKubelets = 8

// What runs on each real node, in the order in which it starts. A component is one of these, a dash and the number of
// the node.
const (
	machineName    = "machine"
	containerdName = "containerd"
	kubeletName    = "kubelet"
	proxyName      = "kube-proxy"
)

var onNode = []string{machineName, containerdName, kubeletName, proxyName}

// coredns serves the names of the cluster, where there are real nodes.
const coredns = "coredns"

// nodePorts are where the components of a node say whether they are well. A node has an address of its own, so they
// are the same on each.
var nodePorts = map[string]int{machineName: 10247, containerdName: 1338, kubeletName: 10250, proxyName: 10256}

// Ports of CoreDNS on the address of the system in the network of nodes.
const (
	dnsPort      = 53
	dnsReadyPort = 8181
)

func realNodeName(i int) string { return fmt.Sprintf("real-%d", i) }

func componentOn(kind string, node int) string { return fmt.Sprintf("%s-%d", kind, node) }

// splitComponent says what kind of component of which real node a name means.
func splitComponent(name string) (kind string, node int, onReal bool) {
	at := strings.LastIndexByte(name, '-')
	if at < 0 || !slices.Contains(onNode, name[:at]) {
		return "", 0, false
	}
	node, err := strconv.Atoi(name[at+1:])
	if err != nil || node < 0 || node >= maxKubelets || componentOn(name[:at], node) != name {
		return "", 0, false
	}
	return name[:at], node, true
}

// componentsOn are the components of a real node, in the order in which they start.
func componentsOn(node int) []string {
	var names []string
	for _, kind := range onNode {
		names = append(names, componentOn(kind, node))
	}
	return names
}

// components are the parts of this cluster.
func (s settings) components() []string {
	names := slices.Clone(Components)
	if s.Options.Kubelets == 0 {
		return names
	}
	names = append(names, coredns)
	for node := range s.Options.Kubelets {
		names = append(names, componentsOn(node)...)
	}
	return names
}

// everyComponent are the parts that any cluster can have: whoever takes down a cluster asks for all of them, since it
// may have been asked to be smaller than what still runs.
func everyComponent() []string {
	return settings{Options: Options{Kubelets: maxKubelets}}.components()
}

// address is where a component listens.
func (s settings) address(name string) string {
	kind, node, onReal := splitComponent(name)
	switch {
	case onReal:
		return net.JoinHostPort(s.Network.node(node), strconv.Itoa(nodePorts[kind]))
	case name == coredns:
		return net.JoinHostPort(s.Network.host(), strconv.Itoa(dnsReadyPort))
	}
	return net.JoinHostPort(s.host(name), strconv.Itoa(s.Ports[name]))
}

// host is the address that a component of the control plane listens on. Real nodes must reach the API server, and
// do not reach the loopback of the system.
func (s settings) host(name string) string {
	if name == apiserver && s.Options.Kubelets > 0 {
		return s.Network.host()
	}
	return "127.0.0.1"
}

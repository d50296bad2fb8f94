package localcluster

import (
	"net/netip"
	"testing"
)

// No two networks, nodes or pods may have addresses in common, and no one else may have any of them.
func TestNetworksOfRealNodesAreApart(t *testing.T) {
	mine := netip.MustParsePrefix("198.18.0.0/15")
	seen := map[netip.Prefix]string{}
	claim := func(address, who string) {
		t.Helper()
		parsed := netip.MustParseAddr(address)
		prefix := netip.PrefixFrom(parsed, networkBits).Masked()
		if other, taken := seen[prefix]; taken {
			t.Errorf("%s and %s are both in %s", who, other, prefix)
		}
		if !mine.Contains(parsed) {
			t.Errorf("%s has %s, which belongs to others", who, address)
		}
		seen[prefix] = who
	}
	for n := network(1); n <= lastNetwork; n++ {
		claim(n.host(), n.bridge())
		for node := range maxKubelets {
			claim(n.gateway(node), n.uplink(node))
			if among := netip.MustParsePrefix(n.host() + "/24"); !among.Masked().Contains(netip.MustParseAddr(n.node(node))) {
				t.Errorf("%s does not reach %s", n.host(), n.node(node))
			}
		}
		const longest = 15 // IFNAMSIZ, less its end
		if name := n.uplink(maxKubelets - 1); len(name) > longest {
			t.Errorf("no link can have the name %s", name)
		}
	}
}

func TestComponentsOfRealNodesAreKnownByTheirNames(t *testing.T) {
	for name, want := range map[string]bool{
		"kubelet-0": true, "machine-7": true, "kube-proxy-3": true, "containerd-1": true,
		"kubelet": false, "kubelet-8": false, "kubelet-01": false, "kubelet--1": false, "kube-apiserver": false,
		"etcd-0": false,
	} {
		if _, _, onReal := splitComponent(name); onReal != want {
			t.Errorf("%s is taken for a component of a real node: %v", name, onReal)
		}
	}
	two := settings{Options: Options{Kubelets: 2}}
	if two.checkComponent("kubelet-1") != nil || two.checkComponent("kubelet-2") == nil ||
		two.checkComponent(coredns) != nil {
		t.Error("a cluster of two real nodes has other components than theirs")
	}
	if none := (settings{}); none.checkComponent("kubelet-0") == nil || none.checkComponent(coredns) == nil {
		t.Error("a cluster without real nodes has components of them")
	}
}

package localcluster

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"strings"

	"sigs.k8s.io/yaml"

	"github.com/takt-dev/takt/localcluster/machine"
)

//go:embed manifests/realnodes.yaml
var realNodesManifest string

const clusterDomain = "cluster.local"

// nodePath is a file of a real node.
func (d dir) nodePath(node int, file string) string {
	return d.path("nodes", realNodeName(node), file)
}

// configureRealNodes writes all that the components of real nodes read.
func (d dir) configureRealNodes(s settings) error {
	if s.Options.Kubelets == 0 {
		return nil
	}
	if err := d.writeKubeconfig(d.path("pki", coredns+".kubeconfig"), coredns, s.address(apiserver)); err != nil {
		return err
	}
	if err := d.writeKubeconfig(d.path("pki", proxyName+".kubeconfig"), proxyName, s.address(apiserver)); err != nil {
		return err
	}
	manifest := strings.NewReplacer("DNS_SERVICE", dnsService, "HOST", s.Network.host()).Replace(realNodesManifest)
	if err := writeFile(d.path("realnodes.yaml"), []byte(manifest)); err != nil {
		return err
	}
	if err := writeFile(d.path("Corefile"), []byte(d.corefile(s))); err != nil {
		return err
	}
	for node := range s.Options.Kubelets {
		if err := d.configureRealNode(s, node); err != nil {
			return err
		}
	}
	return nil
}

func (d dir) corefile(s settings) string {
	return fmt.Sprintf(`.:%d {
    bind %s
    errors
    ready %s:%d
    kubernetes %s in-addr.arpa ip6.arpa {
        kubeconfig %q
        pods insecure
        ttl 1
    }
}
`, dnsPort, s.Network.host(), s.Network.host(), dnsReadyPort, clusterDomain, d.path("pki", coredns+".kubeconfig"))
}

func (d dir) configureRealNode(s settings, node int) error {
	for _, folder := range []string{"lib/kubelet", "log/pods", "cni"} {
		if err := os.MkdirAll(d.nodePath(node, folder), 0o700); err != nil {
			return err
		}
	}
	identity := componentOn(kubeletName, node)
	if err := d.writeKubeconfig(d.path("pki", identity+".kubeconfig"), identity, s.address(apiserver)); err != nil {
		return err
	}
	spec, err := json.MarshalIndent(machineSpec(d, s, node), "", "  ")
	if err != nil {
		return err
	}
	pods, err := json.MarshalIndent(podNetwork(s, node), "", "  ")
	if err != nil {
		return err
	}
	kubelet, err := yaml.Marshal(d.kubeletConfig(s, node))
	if err != nil {
		return err
	}
	proxy, err := yaml.Marshal(d.proxyConfig(s, node))
	if err != nil {
		return err
	}
	for file, text := range map[string][]byte{
		"machine.json": spec, "cni/pods.conflist": pods, "kubelet.yaml": kubelet, "kube-proxy.yaml": proxy,
		"containerd.toml": []byte(d.containerdConfig(s, node)),
	} {
		if err := writeFile(d.nodePath(node, file), text); err != nil {
			return err
		}
	}
	return nil
}

func machineSpec(d dir, s settings, node int) machine.Spec {
	spec := machine.Spec{
		Name: realNodeName(node), Folder: d.nodePath(node, ""), Cgroup: s.Network.uplink(node),
		Address: s.Network.node(node), Host: s.Network.host(), Bits: networkBits, Gateway: s.Network.gateway(node),
		Services: serviceNetwork, Routes: map[string]string{}, HealthPort: nodePorts[machineName],
		Resource: gpuResource, Devices: s.Options.GPUsPerNode,
	}
	for other := range maxKubelets {
		if other != node {
			spec.Routes[s.Network.pods(other)] = s.Network.node(other)
		}
	}
	return spec
}

// podNetwork says how the pods of a node get their addresses. What was given before a node died is given anew.
func podNetwork(s settings, node int) map[string]any {
	return map[string]any{
		"cniVersion": "0.4.0", "name": "pods",
		"plugins": []map[string]any{{
			"type": "bridge", "bridge": machine.Bridge, "isGateway": true, "hairpinMode": true,
			"ipam": map[string]any{
				"type": "host-local", "dataDir": "/run/cni",
				"ranges": [][]map[string]any{{{"subnet": s.Network.pods(node)}}},
				"routes": []map[string]any{{"dst": "0.0.0.0/0"}},
			},
		}},
	}
}

func (d dir) kubeletConfig(s settings, node int) map[string]any {
	identity := componentOn(kubeletName, node)
	return map[string]any{
		"apiVersion": "kubelet.config.k8s.io/v1beta1", "kind": "KubeletConfiguration",
		"address": s.Network.node(node), "port": nodePorts[kubeletName], "healthzPort": 0,
		"authentication": map[string]any{
			"anonymous": map[string]any{"enabled": false}, "webhook": map[string]any{"enabled": true},
			"x509": map[string]any{"clientCAFile": d.path("pki", "ca.crt")},
		},
		"authorization":            map[string]any{"mode": "Webhook"},
		"tlsCertFile":              d.path("pki", identity+".crt"),
		"tlsPrivateKeyFile":        d.path("pki", identity+".key"),
		"containerRuntimeEndpoint": "unix:///run/containerd/containerd.sock",
		"clusterDNS":               []string{dnsService}, "clusterDomain": clusterDomain, "resolvConf": "",
		// Of the groups of the system a node has what its first process has given it.
		"cgroupDriver": "cgroupfs", "failCgroupV1": false, "enforceNodeAllocatable": []string{},
		"failSwapOn": false, "oomScoreAdj": 0,
		// The disk is that of the whole system. No node can make room on it, and no image comes back.
		"imageGCHighThresholdPercent": 100, "localStorageCapacityIsolation": false,
		"evictionHard": map[string]string{
			"memory.available": "1%", "nodefs.available": "0%", "nodefs.inodesFree": "0%", "imagefs.available": "0%",
			"imagefs.inodesFree": "0%",
		},
		"volumePluginDir": "/var/lib/kubelet/volumeplugins",
		"featureGates":    gates(s.Options.FeatureGates),
	}
}

// gates are feature gates as configuration files have them.
func gates(flag string) map[string]bool {
	all := map[string]bool{}
	for setting := range strings.SplitSeq(flag, ",") {
		if name, value, found := strings.Cut(setting, "="); found {
			all[name], _ = strconv.ParseBool(value)
		}
	}
	return all
}

func (d dir) proxyConfig(s settings, node int) map[string]any {
	return map[string]any{
		"apiVersion": "kubeproxy.config.k8s.io/v1alpha1", "kind": "KubeProxyConfiguration",
		"mode":               "nftables",
		"clientConnection":   map[string]any{"kubeconfig": d.path("pki", proxyName+".kubeconfig")},
		"hostnameOverride":   realNodeName(node),
		"healthzBindAddress": s.address(componentOn(proxyName, node)),
		"metricsBindAddress": s.Network.node(node) + ":10249",
		"detectLocalMode":    "BridgeInterface",
		"detectLocal":        map[string]any{"bridgeInterface": machine.Bridge},
		"oomScoreAdj":        0,
		// The table of connections is that of the whole system.
		"conntrack":    map[string]any{"maxPerCore": 0, "min": 0, "tcpEstablishedTimeout": "0s", "tcpCloseWaitTimeout": "0s"},
		"featureGates": gates(s.Options.FeatureGates),
	}
}

// pauseImage is what the first process of each pod runs.
const pauseImage = "localhost/pause:1"

func (d dir) containerdConfig(s settings, node int) string {
	return fmt.Sprintf(`version = 2
root = "/var/lib/containerd"
state = "/run/containerd"
[grpc]
address = "/run/containerd/containerd.sock"
[metrics]
address = %q
[plugins."io.containerd.internal.v1.opt"]
path = "/var/lib/containerd/opt"
[plugins."io.containerd.grpc.v1.cri"]
sandbox_image = %q
# Where the system does not let its root lower this score, no container would start.
restrict_oom_score_adj = true
[plugins."io.containerd.grpc.v1.cri".cni]
bin_dir = %q
conf_dir = %q
[plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc]
runtime_type = "io.containerd.runc.v2"
[plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc.options]
SystemdCgroup = false
`, s.address(componentOn(containerdName, node)), pauseImage, cniFolder(), d.nodePath(node, "cni"))
}

package localcluster

import (
	"fmt"
	"slices"
)

// arguments are what a component is called with. They follow from the folder and the settings
// alone, so that a restart is the same as the first start.
func (d dir) arguments(name string, s settings) []string {
	if kind, node, onReal := splitComponent(name); onReal {
		return d.nodeArguments(kind, node, s)
	}
	kubeconfig := "--kubeconfig=" + d.kubeconfigOf(name)
	switch name {
	case etcd:
		return d.etcdArguments(s)
	case apiserver:
		return d.apiserverArguments(s)
	case controllerManager:
		return slices.Concat(d.servingArguments(name, s), d.connectingArguments(name), []string{
			kubeconfig,
			"--root-ca-file=" + d.path("pki", "ca.crt"),
			"--service-account-private-key-file=" + d.path("pki", "service-accounts.key"),
			"--use-service-account-credentials",
			"--leader-elect=false",
			"--kube-api-qps=500", "--kube-api-burst=1000",
			// EndpointSlices are what the programs on nodes go by. The older Endpoints, which Kubernetes advises against,
			// would be written for each replica of each training.
			"--controllers=*,-endpoints-controller,-endpointslice-mirroring-controller",
			// A lease that KWOK cannot renew it does not try again for ten seconds. Its nodes are to outlive an API
			// server that is gone for half a minute, as real ones do.
			"--node-monitor-grace-period=2m",
		})
	case scheduler:
		return slices.Concat(d.servingArguments(name, s), d.connectingArguments(name),
			[]string{"--config=" + d.path("kube-scheduler.yaml")})
	case kwok:
		return []string{
			"--config=" + d.path("kwok.yaml"),
			kubeconfig,
			"--server-address=" + s.local(kwok),
			"--manage-all-nodes=false",
			"--manage-nodes-with-annotation-selector=" + simulatedNode + "=fake",
			"--node-lease-duration-seconds=40",
			"--disregard-status-with-annotation-selector=" + leftAlone,
			"--cidr=10.244.0.0/16",
		}
	case coredns:
		return []string{"-conf", d.path("Corefile")}
	default:
		return []string{
			kubeconfig,
			"--health-probe-bind-address=" + s.local(trainingOperator),
			"--metrics-bind-address=0",
			fmt.Sprintf("--webhook-port=%d", s.Ports[webhookPort]),
			"--webhook-cert-dir=" + d.path("pki"),
			"--webhook-cert-name=" + trainingOperator,
		}
	}
}

// servingArguments say where a component of Kubernetes answers, and how it proves who it is.
func (d dir) servingArguments(name string, s settings) []string {
	serve := []string{
		"--bind-address=" + s.host(name),
		fmt.Sprintf("--secure-port=%d", s.Ports[name]),
		"--tls-cert-file=" + d.path("pki", name+".crt"),
		"--tls-private-key-file=" + d.path("pki", name+".key"),
	}
	if gates := s.Options.FeatureGates; gates != "" {
		serve = append(serve, "--feature-gates="+gates)
	}
	return serve
}

// connectingArguments have a component ask the API server who calls it, and what they may.
func (d dir) connectingArguments(name string) []string {
	return []string{
		"--authentication-kubeconfig=" + d.kubeconfigOf(name), "--authorization-kubeconfig=" + d.kubeconfigOf(name),
	}
}

func (d dir) kubeconfigOf(name string) string { return d.path("pki", name+".kubeconfig") }

func (d dir) etcdArguments(s settings) []string {
	return []string{
		"--name=localcluster",
		"--data-dir=" + d.path("etcd"),
		"--listen-client-urls=https://" + s.local(etcdClientPort),
		"--advertise-client-urls=https://" + s.local(etcdClientPort),
		"--listen-metrics-urls=http://" + s.local(etcd),
		"--listen-peer-urls=https://" + s.local(etcdPeerPort),
		"--initial-advertise-peer-urls=https://" + s.local(etcdPeerPort),
		"--initial-cluster=localcluster=https://" + s.local(etcdPeerPort),
		"--cert-file=" + d.path("pki", "etcd.crt"), "--key-file=" + d.path("pki", "etcd.key"),
		"--peer-cert-file=" + d.path("pki", "etcd.crt"), "--peer-key-file=" + d.path("pki", "etcd.key"),
		"--trusted-ca-file=" + d.path("pki", "etcd-ca.crt"), "--peer-trusted-ca-file=" + d.path("pki", "etcd-ca.crt"),
		"--client-cert-auth", "--peer-client-cert-auth",
		// Data outlives the death of the process, not that of the machine.
		"--unsafe-no-fsync",
		"--quota-backend-bytes=8589934592",
		"--log-level=warn",
	}
}

func (d dir) apiserverArguments(s settings) []string {
	serve := d.servingArguments(apiserver, s)
	if apis := s.Options.RuntimeConfig; apis != "" {
		serve = append(serve, "--runtime-config="+apis)
	}
	// Only real nodes reach the API server by its Service.
	reconciler := map[bool]string{true: "lease", false: "none"}[s.Options.Kubelets > 0]
	if s.Options.Kubelets > 0 { // where all are simulated, a test may answer for a kubelet, with a certificate of its own
		serve = append(serve, "--kubelet-certificate-authority="+d.path("pki", "ca.crt"))
	}
	return append(serve,
		"--advertise-address="+s.host(apiserver),
		"--endpoint-reconciler-type="+reconciler,
		"--kubelet-client-certificate="+d.path("pki", apiserver+".crt"),
		"--kubelet-client-key="+d.path("pki", apiserver+".key"),
		"--kubelet-preferred-address-types=InternalIP",
		"--etcd-servers=https://"+s.local(etcdClientPort),
		"--etcd-cafile="+d.path("pki", "etcd-ca.crt"),
		"--etcd-certfile="+d.path("pki", "etcd-client.crt"), "--etcd-keyfile="+d.path("pki", "etcd-client.key"),
		"--client-ca-file="+d.path("pki", "ca.crt"),
		"--authorization-mode=Node,RBAC",
		"--service-account-issuer=https://kubernetes.default.svc",
		"--service-account-key-file="+d.path("pki", "service-accounts.pub"),
		"--service-account-signing-key-file="+d.path("pki", "service-accounts.key"),
		"--service-cluster-ip-range="+serviceNetwork,
		"--max-requests-inflight=2000", "--max-mutating-requests-inflight=1000",
	)
}

// local is the address of a port that only this machine can reach.
func (s settings) local(port string) string { return fmt.Sprintf("127.0.0.1:%d", s.Ports[port]) }

package localcluster

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Components are the parts of a cluster, in the order in which they start.
var Components = []string{etcd, apiserver, controllerManager, scheduler, kwok, trainingOperator}

const (
	etcd              = "etcd"
	apiserver         = "kube-apiserver"
	controllerManager = "kube-controller-manager"
	scheduler         = "kube-scheduler"
	kwok              = "kwok"
	trainingOperator  = "training-operator"
)

// serviceNetwork holds the addresses of Services, and in it are that of the API server and that of the cluster's DNS.
const (
	serviceNetwork   = "10.96.0.0/16"
	apiserverService = "10.96.0.1"
	dnsService       = "10.96.0.10"
)

// Ports that are not the one a component is asked for its health at.
const (
	etcdPeerPort   = "etcd-peers"
	etcdClientPort = "etcd-clients"
	webhookPort    = "training-operator-webhooks"
)

func portNames() []string {
	return append(slices.Clone(Components), etcdClientPort, etcdPeerPort, webhookPort)
}

// checkComponent says whether the cluster has a component.
func (s settings) checkComponent(name string) error {
	all := s.components()
	if slices.Contains(all, name) {
		return nil
	}
	return fmt.Errorf("there is no component %q: give one of %s", name, strings.Join(all, ", "))
}

// neededBy is the component that another cannot work without.
func neededBy(name string) string {
	if kind, node, onReal := splitComponent(name); onReal && kind != machineName {
		return componentOn(machineName, node)
	}
	switch name {
	case etcd:
		return ""
	case apiserver:
		return etcd
	default:
		return apiserver
	}
}

// program is the binary that a component runs, beside the folder of the localcluster binary.
func (s settings) program(name string) (string, error) {
	if name == scheduler && s.Options.Scheduler != "" {
		return s.Options.Scheduler, nil
	}
	if kind, _, onReal := splitComponent(name); onReal {
		return nodeProgram(kind)
	}
	program := "kubernetes"
	if name == trainingOperator || name == coredns {
		program = name
	}
	return libraryFile(program)
}

// libraryFile is a file that is installed with the localcluster binary.
func libraryFile(name string) (string, error) {
	self, err := os.Executable()
	if err != nil {
		return "", err
	}
	if self, err = filepath.EvalSymlinks(self); err != nil {
		return "", err
	}
	path := filepath.Join(filepath.Dir(self), "lib", name)
	if _, err := os.Stat(path); err != nil {
		return "", fmt.Errorf("%s is missing: build it with make localcluster", path)
	}
	return path, nil
}

// arguments are what a component is called with. They follow from the folder and the settings
// alone, so that a restart is the same as the first start.
func (d dir) arguments(name string, s settings) []string {
	if kind, node, onReal := splitComponent(name); onReal {
		return d.nodeArguments(kind, node, s)
	}
	address := func(port string) string { return fmt.Sprintf("127.0.0.1:%d", s.Ports[port]) }
	pki := func(file string) string { return d.path("pki", file) }
	serve := []string{
		"--bind-address=" + s.host(name),
		fmt.Sprintf("--secure-port=%d", s.Ports[name]),
		"--tls-cert-file=" + pki(name+".crt"),
		"--tls-private-key-file=" + pki(name+".key"),
	}
	connect := []string{
		"--authentication-kubeconfig=" + pki(name+".kubeconfig"),
		"--authorization-kubeconfig=" + pki(name+".kubeconfig"),
	}
	if gates := s.Options.FeatureGates; gates != "" {
		serve = append(serve, "--feature-gates="+gates)
	}
	switch name {
	case etcd:
		return []string{
			"--name=localcluster",
			"--data-dir=" + d.path("etcd"),
			"--listen-client-urls=https://" + address(etcdClientPort),
			"--advertise-client-urls=https://" + address(etcdClientPort),
			"--listen-metrics-urls=http://" + address(etcd),
			"--listen-peer-urls=https://" + address(etcdPeerPort),
			"--initial-advertise-peer-urls=https://" + address(etcdPeerPort),
			"--initial-cluster=localcluster=https://" + address(etcdPeerPort),
			"--cert-file=" + pki("etcd.crt"), "--key-file=" + pki("etcd.key"),
			"--peer-cert-file=" + pki("etcd.crt"), "--peer-key-file=" + pki("etcd.key"),
			"--trusted-ca-file=" + pki("etcd-ca.crt"), "--peer-trusted-ca-file=" + pki("etcd-ca.crt"),
			"--client-cert-auth", "--peer-client-cert-auth",
			// Data outlives the death of the process, not that of the machine.
			"--unsafe-no-fsync",
			"--quota-backend-bytes=8589934592",
			"--log-level=warn",
		}
	case apiserver:
		if apis := s.Options.RuntimeConfig; apis != "" {
			serve = append(serve, "--runtime-config="+apis)
		}
		// Only real nodes reach the API server by its Service.
		reconciler := map[bool]string{true: "lease", false: "none"}[s.Options.Kubelets > 0]
		if s.Options.Kubelets > 0 { // where all are simulated, a test may answer for a kubelet, with a certificate of its own
			serve = append(serve, "--kubelet-certificate-authority="+pki("ca.crt"))
		}
		return append(serve,
			"--advertise-address="+s.host(name),
			"--endpoint-reconciler-type="+reconciler,
			"--kubelet-client-certificate="+pki(name+".crt"), "--kubelet-client-key="+pki(name+".key"),
			"--kubelet-preferred-address-types=InternalIP",
			"--etcd-servers=https://"+address(etcdClientPort),
			"--etcd-cafile="+pki("etcd-ca.crt"),
			"--etcd-certfile="+pki("etcd-client.crt"), "--etcd-keyfile="+pki("etcd-client.key"),
			"--client-ca-file="+pki("ca.crt"),
			"--authorization-mode=Node,RBAC",
			"--service-account-issuer=https://kubernetes.default.svc",
			"--service-account-key-file="+pki("service-accounts.pub"),
			"--service-account-signing-key-file="+pki("service-accounts.key"),
			"--service-cluster-ip-range="+serviceNetwork,
			"--max-requests-inflight=2000", "--max-mutating-requests-inflight=1000",
		)
	case controllerManager:
		return slices.Concat(serve, connect, []string{
			"--kubeconfig=" + pki(name+".kubeconfig"),
			"--root-ca-file=" + pki("ca.crt"),
			"--service-account-private-key-file=" + pki("service-accounts.key"),
			"--use-service-account-credentials",
			"--leader-elect=false",
			"--kube-api-qps=500", "--kube-api-burst=1000",
			// A lease that KWOK cannot renew it does not try again for ten seconds. Its nodes are to outlive an API
			// server that is gone for half a minute, as real ones do.
			"--node-monitor-grace-period=2m",
		})
	case scheduler:
		return slices.Concat(serve, connect, []string{"--config=" + d.path("kube-scheduler.yaml")})
	case kwok:
		return []string{
			"--config=" + d.path("kwok.yaml"),
			"--kubeconfig=" + pki(name+".kubeconfig"),
			"--server-address=" + address(kwok),
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
			"--kubeconfig=" + pki(name+".kubeconfig"),
			"--health-probe-bind-address=" + address(trainingOperator),
			"--metrics-bind-address=0",
			fmt.Sprintf("--webhook-port=%d", s.Ports[webhookPort]),
			"--webhook-cert-dir=" + d.path("pki"),
			"--webhook-cert-name=" + trainingOperator,
		}
	}
}

// environment keeps what components write to a home or temporary folder inside the cluster's own. Of that of
// the user it has the one variable that trades memory for processor time.
func (d dir) environment() []string {
	all := []string{"PATH=" + os.Getenv("PATH"), "HOME=" + d.path("home"), "TMPDIR=" + d.path("tmp")}
	if collector, given := os.LookupEnv("GOGC"); given {
		all = append(all, "GOGC="+collector)
	}
	return all
}

// healthURLs are where the components say whether they are ready, by their address.
var healthURLs = map[string]string{
	etcd:              "http://%s/health",
	apiserver:         "https://%s/readyz",
	controllerManager: "https://%s/healthz",
	scheduler:         "https://%s/healthz",
	kwok:              "http://%s/healthz",
	trainingOperator:  "http://%s/readyz",
	coredns:           "http://%s/ready",
	machineName:       "http://%s/",
	containerdName:    "http://%s/v1/metrics",
	kubeletName:       "https://%s/healthz",
	proxyName:         "http://%s/healthz",
}

// checkReady asks a component whether it is ready.
func checkReady(ctx context.Context, client *http.Client, name string, s settings) error {
	kind := name
	if onNode, _, onReal := splitComponent(name); onReal {
		kind = onNode
	}
	url := fmt.Sprintf(healthURLs[kind], s.address(name))
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return err
	}
	response, err := client.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("%s answers %s", url, response.Status)
	}
	return nil
}

// httpClient speaks to the components as the cluster's administrator.
func (d dir) httpClient() (*http.Client, error) {
	certificate, err := tls.LoadX509KeyPair(d.path("pki", "admin.crt"), d.path("pki", "admin.key"))
	if err != nil {
		return nil, err
	}
	authority, err := os.ReadFile(d.path("pki", "ca.crt"))
	if err != nil {
		return nil, err
	}
	roots := x509.NewCertPool()
	if !roots.AppendCertsFromPEM(authority) {
		return nil, errors.New("pki/ca.crt holds no certificate")
	}
	return &http.Client{
		Timeout: 5 * time.Second,
		Transport: &http.Transport{TLSClientConfig: &tls.Config{
			MinVersion: tls.VersionTLS12, Certificates: []tls.Certificate{certificate}, RootCAs: roots,
		}},
	}, nil
}
